"""The pages of CONTEXT in a real browser without JavaScript, wide and narrow, light and dark."""

from __future__ import annotations

import re

import pytest

from tests.browser.look import contrasts, overflows

pytestmark = pytest.mark.services

HOME = "/context/harbourmaster"
PAGES = [
    "/", "/context/", "/context/?query=berth+depth+tide", "/context/?query=berth&deleted=include&kind=doc",
    f"{HOME}/backlog", f"{HOME}/backlog?status=done&status=ready", f"{HOME}/backlog?status=nope", f"{HOME}/drift",
    f"{HOME}/deltas", f"{HOME}/deltas?clock=ingest", f"{HOME}/binding", f"{HOME}/binding?topic=heights+of+tide",
    f"{HOME}/binding?path=src/berths.py", f"{HOME}/a/EPIC-001", f"{HOME}/a/STORY-004", f"{HOME}/a/STORY-009",
    f"{HOME}/a/DEC-012", f"{HOME}/a/CONV-001", f"{HOME}/graph/EPIC-001", f"{HOME}/graph/DEC-001", f"{HOME}/a/NOPE",
    "/context/revetly/backlog", "/context/revetly/deltas", "/api/docs",
]  # fmt: skip


def ours(complaints: list[str]) -> list[str]:
    """What the browser complained of, but for the status of a page that is meant to be a refusal."""
    return [said for said in complaints if "status of 4" not in said]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_fits_its_window_breaks_no_policy_and_can_be_read(served, still, address) -> None:
    _, origin = served
    for scheme in ("light", "dark"):
        still.emulate_media(color_scheme=scheme)
        still.goto(origin + address)
        assert not overflows(still), scheme
        assert min(contrasts(still)) >= 4.5, scheme
    assert still.locator("h1").count() == 1
    assert ours(still.complaints) == []


def test_every_link_of_every_page_leads_somewhere(served, browser) -> None:
    _, origin = served
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    links = set()
    for address in PAGES:
        page.goto(origin + address)
        links |= set(page.eval_on_selector_all("a[href]", "all => all.map(a => a.getAttribute('href'))"))
    local = {link for link in links if link.startswith("/") and not link.startswith("/admin/")}
    assert len(local) > 60
    for link in local:
        assert context.request.get(origin + link).status == 200, link
    assert not [link for link in links if not re.match(r"/|#|\?|https?://|mailto:", link)]
    context.close()


def test_a_person_searches_opens_what_was_found_and_looks_around_it_by_keyboard(served, still) -> None:
    _, origin = served
    still.goto(f"{origin}/context/")
    box = still.get_by_label("What to look for")
    box.focus()
    box.type("heights of tide")
    still.keyboard.press("Enter")
    still.wait_for_url("**query=heights**")
    still.locator("main ol a", has_text="DEC-002").first.focus()
    still.keyboard.press("Enter")
    still.wait_for_url("**/a/DEC-002")
    still.get_by_role("link", name="Its neighbourhood").press("Enter")
    still.wait_for_url("**/graph/DEC-002")
    assert still.get_by_role("img").first.is_visible()
    still.locator("svg a").first.focus()
    still.keyboard.press("Enter")
    still.wait_for_url(re.compile(r"/graph/(?!DEC-002)"))
    assert ours(still.complaints) == []


def test_filters_are_forms_whose_answer_has_an_address(served, still) -> None:
    _, origin = served
    still.goto(f"{origin}{HOME}/backlog")
    still.get_by_label("parked").check()
    still.get_by_role("button", name="Show").click()
    still.wait_for_url("**status=parked**")
    assert "STORY-003" in still.inner_text("main") and "STORY-002" not in still.inner_text("main")
    assert still.get_by_label("parked").is_checked()
    still.goto(f"{origin}{HOME}/deltas")
    still.get_by_label("From").fill("2025-05-01")
    still.get_by_label("Clock").select_option("source")
    still.get_by_role("button", name="Show").click()
    still.wait_for_url("**since=2025-05-01**")
    assert "DEC-012" in still.inner_text("main") and "STORY-001" not in still.inner_text("main")
