"""The pages of CONTEXT: the same answers as the tools', linked to one another, with every caveat said."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User

from graphapi.access.headers import POLICY

requirement = pytest.mark.requirement
HOME = "/context/product"
PAGES = [
    "/context/", "/context/?query=berth", f"{HOME}/backlog", f"{HOME}/drift", f"{HOME}/deltas", f"{HOME}/binding",
    f"{HOME}/binding?topic=berth", f"{HOME}/a/STORY-001", f"{HOME}/graph/STORY-001", "/api/docs",
]  # fmt: skip


def text(client, address: str, status: int = 200) -> str:
    """The page, as markup."""
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


@pytest.mark.parametrize("address", PAGES)
def test_a_page_is_markup_of_our_own_alone_and_marks_where_the_reader_is(seen, client, address) -> None:
    answer = client.get(address)
    page = answer.content.decode()
    assert answer["Content-Security-Policy"] == POLICY
    assert "style=" not in page and not re.search(r"<script|\son\w+=", page)
    assert page.count("<h1") == 1 and '<main id="main">' in page
    assert page.count('aria-current="page"') >= (0 if "/a/" in address or "/graph/" in address else 1)


@pytest.mark.parametrize("address", PAGES)
def test_every_link_of_a_page_leads_somewhere(seen, client, address) -> None:
    page = text(client, address)
    # The page of the addresses shows calls on the corpus that the demo reads.
    local = {unescape(link) for link in re.findall(r'href="(/[^"#]*)', page)} - {
        "/admin/",
        "/api/v1/artifacts/STORY-004",
    }
    assert local
    for link in local:
        found = client.get(link)
        assert found.status_code in (200, 302), link


@pytest.mark.parametrize("address", PAGES)
def test_beyond_loopback_a_page_wants_a_sign_in(seen, client, settings, address) -> None:
    settings.BOUND = None
    assert client.get(address)["Location"].startswith("/admin/login/?next=")
    client.force_login(User.objects.create_user("reader"))
    assert client.get(address).status_code == 200


def test_search_serves_the_shelves_and_says_what_it_is_not(seen, client) -> None:
    page = text(client, "/context/?query=berth")
    for shelf in ("Artifacts", "Passages", "Facts"):
        assert f">{shelf}</h2>" in page
    assert f'href="{HOME}/a/STORY-001"' in page and "keyword (english stemming)" in page
    assert (
        "concepts, inferred facts: not here, since this project declares no model" in page
        and "every source was read at or after" in page
    )
    assert "&lt;script&gt;alert(1)" in page and "<script" not in page
    narrowed = text(client, "/context/?query=berth&kind=doc")
    assert f'{HOME}/a/DEC-001"' in narrowed and 'value="doc" checked' in narrowed
    assert "Try fewer or other words" in text(client, "/context/?query=zeppelin")


def test_the_search_without_a_project_says_how_to_begin(client, db, loopback) -> None:
    assert "revetly init" in text(client, "/context/")


def test_a_projects_own_address_leads_to_its_search(seen, client) -> None:
    assert client.get(f"{HOME}/")["Location"] == "/context/?project=product"


def test_the_backlog_is_filtered_and_paged_by_its_query_string(seen, ingest, client) -> None:
    for n in range(60):
        seen.item(f"STORY-{n + 100}", status="ready")
    seen.commit()
    ingest()
    first = text(client, f"{HOME}/backlog?status=ready")
    assert "STORY-100" in first and "STORY-159" not in first and "STORY-001" not in first
    onward = unescape(re.search(r'href="(\?[^"]*cursor=[^"]*)"', first)[1])
    assert "status=ready" in onward
    second = text(client, f"{HOME}/backlog{onward}")
    assert "STORY-159" in second and "STORY-100" not in second and "From the beginning" in second
    assert "No work item is like that" in text(client, f"{HOME}/backlog?status=parked")


def test_no_row_loses_its_marks(seen, client) -> None:
    successor = f'superseded by <a href="{HOME}/a/STORY-002"'
    assert successor in text(client, f"{HOME}/backlog") and successor in text(client, "/context/?query=berth")
    assert f'revised by <a href="{HOME}/a/DEC-001"' in text(client, "/context/?query=berth")
    assert successor in text(client, f"{HOME}/a/EPIC-001"), "in the branch"


def test_drift_shows_each_departure_with_what_was_asked_and_why(seen, client) -> None:
    page = text(client, f"{HOME}/drift")
    assert "It is dry" in page and "It is damp" in page and f'href="{HOME}/a/DEL-001"' in page
    elsewhere = text(client, f"{HOME}/drift?since=2027-01-01")
    assert "No departure is on record in this scope and window" in elsewhere and 'value="2027-01-01"' in elsewhere


def test_deltas_are_measured_in_the_window_and_on_the_clock_that_were_picked(seen, client) -> None:
    page = text(client, f"{HOME}/deltas?since=2026-01-01&until=2026-02-01")
    assert "on the source clock" in page and f'href="{HOME}/a/STORY-001"' in page and "2026-01-10" in page
    assert "Nothing changed in this window" in text(
        client, f"{HOME}/deltas?since=2026-01-01&until=2026-01-02&clock=ingest"
    )


def test_binding_shows_what_a_topic_reaches_and_says_when_nothing_was(seen, client) -> None:
    assert "Light every berth by night." in text(client, f"{HOME}/binding?topic=berth")
    assert "never that nothing binds" in text(client, f"{HOME}/binding?topic=zeppelin")
    assert "Behind the file" in text(client, f"{HOME}/binding?path=src/quay.py")


def test_an_artifacts_page_holds_its_words_links_branch_what_binds_it_and_what_drifted(seen, client) -> None:
    page = text(client, f"{HOME}/a/STORY-001")
    assert "<h4>Acceptance criteria</h4>" in page and "<li>The bell rings</li>" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Revised by" in page and "Superseded by" in page and "Light every berth by night." in page
    assert f'as <a href="{HOME}/a/EPIC-001"' in page, "an id in the words leads to its page"
    epic = text(client, f"{HOME}/a/EPIC-001")
    assert "Arrivals &lt;b&gt;by night&lt;/b&gt;" in epic and 'class="depth-1"' in epic and "Its branch" in epic
    assert "Shipped otherwise" in text(client, f"{HOME}/a/STORY-002")


def test_the_branch_reads_as_a_tree_each_node_right_before_what_hangs_beneath_it(seen, ingest, client) -> None:
    seen.item("FEAT-001", type="feature", parent="EPIC-001")
    seen.item("FEAT-002", type="feature", parent="EPIC-001")
    seen.item("STORY-008", parent="FEAT-001")
    seen.item("STORY-009", parent="FEAT-002")
    seen.commit()
    ingest()
    page = text(client, f"{HOME}/a/EPIC-001").split('<ul class="tree">')[1].split("</ul>")[0]
    order = re.findall(r'class="id">([A-Z]+-\d+)<', page)
    shown = [i for i in order if i in ("FEAT-001", "FEAT-002", "STORY-008", "STORY-009")]
    assert shown == ["FEAT-001", "STORY-008", "FEAT-002", "STORY-009"]


def test_a_deleted_artifact_is_marked_and_keeps_its_words(seen, ingest, client) -> None:
    (seen.root / "backlog/STORY-001.md").unlink()
    seen.commit()
    ingest()
    page = text(client, f"{HOME}/a/STORY-001")
    assert "Its source no longer has it" in page and "The bell rings" in page and "What binds it" not in page


def test_a_withheld_artifact_has_a_page_without_its_words(seen, ingest, client) -> None:
    seen.item("CONV-001", "Hush hush.", folder="conversations", related=["STORY-001"])
    declared = (seen.root / "revetly.toml").read_text()
    seen.write("revetly.toml", declared + '[extraction]\nwithhold = ["conversations/CONV-001.md"]\n')
    seen.commit()
    ingest()
    page = text(client, f"{HOME}/a/CONV-001")
    assert "its words are not held here" in page and "Hush" not in page
    assert "CONV-001" in text(client, "/context/?query=berth"), "withheld work is said where it cannot be found"


def test_the_neighbourhood_is_a_picture_with_its_table_and_stated_is_told_from_inferred(seen, client) -> None:
    page = text(client, f"{HOME}/graph/STORY-001")
    assert 'role="img"' in page and "<title" in page and "The same as a table" in page
    for near in ("EPIC-001", "STORY-002", "DEC-001"):
        assert page.count(f">{near}<") >= 2, "in the picture and in the table"
    assert "stated by a source" in page and "inferred by a model" in page
    assert "Nothing around it" not in page


@requirement("refusals.one-shape")
@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        (f"{HOME}/a/STORY-404", 404, "STORY-404"),
        ("/context/nobody/drift", 404, "nobody"),
        ("/context/?query=a&project=nobody", 404, "nobody"),
        ("/context/?project=nobody", 404, "nobody"),
        ("/context/nobody/", 404, "nobody"),
        ("/context/nobody/binding", 404, "nobody"),
        ("/context/nobody/open", 404, "nobody"),
        ("/context/nobody/open?id=STORY-001", 404, "nobody"),
        (f"{HOME}/deltas?since=soon", 400, "since"),
        (f"{HOME}/deltas?clock=wall", 400, "wall"),
        (f"{HOME}/backlog?status=nope", 400, "nope"),
        (f"{HOME}/backlog?cursor=nonsense", 410, "cursor"),
        (f"{HOME}/drift?artifact_id=STORY-404", 404, "STORY-404"),
        (f"{HOME}/open?id=a+b", 404, "space"),
    ],
)
def test_what_is_refused_is_a_page_with_the_code_what_was_refused_and_what_to_do(
    seen, client, address, status, said
) -> None:
    page = text(client, address, status)
    assert "This has no answer" in page and "What to do:" in page and said in page


@pytest.mark.parametrize(
    "address", ["/context/?query=berth", f"{HOME}/backlog", f"{HOME}/a/STORY-001", f"{HOME}/binding?topic=berth"]
)
def test_a_graph_that_is_down_is_said_on_every_page(seen, client, graph_down, address) -> None:
    graph_down()
    assert "store-unavailable" in text(client, address, 503)


def test_a_text_of_a_query_is_shown_as_text(seen, client) -> None:
    for address in ("/context/?query=<script>x", f"{HOME}/binding?topic=<script>x", f"{HOME}/deltas?clock=<script>x"):
        page = client.get(address).content.decode()
        assert "&lt;script&gt;x" in page and "<script" not in page


def test_metadata_whatever_its_names_is_shown_as_text(seen, ingest, client) -> None:
    seen.item("STORY-007", items="<i>seven</i>", keys="[a, b]")
    seen.commit()
    ingest()
    page = text(client, f"{HOME}/a/STORY-007")
    assert "<i>seven" not in page
