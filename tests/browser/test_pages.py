"""The pages in a real browser, wide and narrow."""

from __future__ import annotations

import pytest

from tests.browser.look import contrasts, overflows

pytestmark = pytest.mark.services


def test_the_start_page_shows_the_demo_and_leads_to_an_artifact(served, page) -> None:
    _, address = served
    page.goto(address)
    assert page.get_by_role("heading", name="harbourmaster").is_visible()
    assert page.get_by_role("row", name="backlog").first.is_visible()
    assert not overflows(page)
    box = page.get_by_label("Open an artifact by its id").first
    box.fill("STORY-004")
    box.press("Enter")
    page.wait_for_url("**/context/harbourmaster/a/STORY-004")
    assert "Superseded by STORY-006" in page.inner_text("main")
    assert not overflows(page)
    page.get_by_role("link", name="FEAT-002").first.click()
    page.wait_for_url("**/a/FEAT-002")
    assert "STORY-004" in page.inner_text("main")
    assert page.complaints == [], "no script, style or policy error"


def test_the_withdrawn_note_is_marked_and_keeps_its_words(served, page) -> None:
    from evals.corpus import build

    _, address = served
    gone = build(7, "full").withdrawal
    page.goto(f"{address}/context/harbourmaster/a/{gone.artifact_id}")
    text = page.inner_text("main")
    assert "Its source no longer has it" in text and "source-declared" in text and "Its own words" in text


def test_the_keyboard_alone_reaches_the_content(served, page) -> None:
    _, address = served
    page.goto(address)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_light_and_dark(served, page, scheme) -> None:
    _, address = served
    page.emulate_media(color_scheme=scheme)
    page.goto(address)
    ratios = contrasts(page)
    assert len(ratios) > 20 and min(ratios) >= 4.5


def test_an_open_page_follows_a_pass_that_ends_in_another_process(served, page) -> None:
    instance, address = served
    page.goto(address)
    before = page.locator("time").first.get_attribute("datetime")
    instance.revetly("ingest")
    page.wait_for_function(
        "before => { const t = document.querySelector('time'); return t && t.dateTime > before }",
        arg=before,
        timeout=20_000,
    )
