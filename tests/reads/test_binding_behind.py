"""The order of what is behind a file, the words of each row, and the statements gathered over it."""

from __future__ import annotations

import json

import pytest

from graphapi.reads.binding import binding
from tests.reads.binding_answers import decision, ids
from tests.reads.test_binding_path import stories, touch
from tests.repo import ALL, Repo

requirement = pytest.mark.requirement
FILE = "src/app/billing.py"


@pytest.fixture
def app(repo):
    repo.write(".gitignore", "code/\n")
    repo.write("revetly.toml", f'{ALL}[connectors.commits]\nrepositories = {{ app = "code/app" }}\n')
    for number in range(1, 9):
        repo.item(f"STORY-00{number}")
    repo.commit()
    return Repo(repo.root / "code/app", config=None)


@pytest.fixture
def read(ingest, reader):
    """Ingest, and read what is behind the file."""

    def ask():
        ingest()
        return binding(reader, path=FILE)

    return ask


@requirement("path.weight-subject", "path.weight-body", "path.tie-recent", "path.weight-sum")
def test_a_subject_weighs_one_and_a_body_alone_half_and_ties_go_to_the_newer(app, read) -> None:
    touch(app, "STORY-008: takes the first commit's three", FILE)
    touch(app, "STORY-001: one\n\nSTORY-001 again", FILE)
    touch(app, "plain\n\nFor STORY-002.", FILE)
    touch(app, "plain\n\nFor STORY-002.", FILE)
    touch(app, "plain\n\nFor STORY-003.", FILE)
    # 4, then 1 against 1 with the newer first, then a half.
    assert stories(read()) == ["STORY-008", "STORY-002", "STORY-001", "STORY-003"]


@requirement("path.weight-delivery")
def test_a_delivery_adds_one_to_a_subject_and_to_a_body(repo, app, read) -> None:
    touch(app, "STORY-008: first", FILE)
    subject = touch(app, "STORY-001: one", FILE)
    body = touch(app, "plain\n\nFor STORY-002.", FILE)
    touch(app, "STORY-003: once", FILE)
    touch(app, "Once more\n\nfor STORY-003", FILE)
    repo.item("DEL-001", folder="deliveries", delivers=["STORY-001"], implemented_by=[f'"{subject}"'])
    repo.item("DEL-002", folder="deliveries", delivers=["STORY-002"], implemented_by=[f'"{body}"'])
    repo.commit()
    # 2 before 1.5 before 1.5, of which the newer commit's goes first.
    assert stories(read()) == ["STORY-008", "STORY-001", "STORY-003", "STORY-002"]


@requirement("path.weight-first")
def test_the_files_first_commit_to_name_a_story_gives_it_three_more(app, read) -> None:
    touch(app, "bring the file in", FILE)
    touch(app, "STORY-001: begin", FILE)
    for _ in range(3):
        touch(app, "STORY-002: more", FILE)
    assert stories(read()) == ["STORY-001", "STORY-002"]


@requirement("path.weight-first")
def test_commits_of_one_second_are_in_gits_own_order(app, read) -> None:
    touch(app, "STORY-002: begin", FILE, "2026-02-01")
    touch(app, "STORY-001: more", FILE, "2026-02-01")
    assert stories(read()) == ["STORY-002", "STORY-001"]


@requirement("path.story-commits")
def test_a_story_counts_each_commit_once_and_dates_the_newest_and_a_note_has_neither(repo, app, read) -> None:
    both = touch(app, "STORY-001: begin", FILE, "2026-02-01")
    delivered = touch(app, "tidy", FILE, "2026-02-02")
    touch(app, "STORY-001: more", FILE, "2026-02-03")
    touch(app, "nobody's", FILE, "2026-02-04")
    repo.item("DEL-001", folder="deliveries", delivers=["STORY-001"], implemented_by=[f'"{both}"', f'"{delivered}"'])
    decision(repo, "DEC-001", "About STORY-001.")
    repo.commit()
    story, note = read()["behind"]
    assert (story["commits"], story["last"]) == (3, "2026-02-03T00:00:00Z")
    assert note["artifact_id"] == "DEC-001" and not {"commits", "last"} & set(note)


@requirement("path.behind-order", "path.behind-row", "path.more-ranked")
def test_five_stories_then_five_notes_each_with_a_line_that_says_why(repo, app, read) -> None:
    for number in range(1, 8):
        touch(app, f"STORY-00{number}: work", FILE)
    for number in range(6):
        decision(repo, f"DEC-00{number}", f"About STORY-00{number % 2 + 1}.")
    repo.item("STORY-001", cited_sources=[f"DEC-00{n}" for n in range(6)])
    repo.commit()
    answer = read()
    behind = answer["behind"]
    assert [r["kind"] for r in behind] == ["pbi"] * 5 + ["doc"] * 5
    assert answer["more_ranked"] == 2
    for row in behind:
        assert {"artifact_id", "title", "kind", "why"} <= set(row)
        assert row["why"] and "\n" not in row["why"]
    assert "more_ranked" not in answer["path"]


@requirement("path.decisions-linked")
def test_only_notes_with_a_citation_to_a_leading_story_or_its_delivery_record_are_behind(repo, app, read) -> None:
    sha = touch(app, "STORY-001: begin", FILE)
    for number in range(2, 7):
        touch(app, f"STORY-00{number}: twice", FILE)
        touch(app, f"STORY-00{number}: twice", FILE)
    touch(app, "STORY-007: too weak to lead", FILE)
    repo.item("STORY-001", "By The unbreakable rule of berths.", cited_sources=["DEC-000", "CONV-001"])
    decision(repo, "DEC-006", title="The unbreakable rule of berths")
    repo.item(
        "DEL-001", "As DEC-002 decided.", folder="deliveries", delivers=["STORY-001"], implemented_by=[f'"{sha}"']
    )
    decision(repo, "DEC-000")
    decision(repo, "DEC-001", "It names STORY-001.")
    decision(repo, "DEC-002")
    decision(repo, "DEC-003", "It names billing.py and nobody's story.")
    decision(repo, "DEC-004", "It names STORY-007.")
    decision(repo, "DEC-005", "It names DEL-001.")
    repo.item("CONV-001", folder="conversations")
    repo.commit()
    behind = [r["artifact_id"] for r in read()["behind"] if r["kind"] == "doc"]
    assert set(behind) == {"DEC-000", "DEC-001", "DEC-002", "DEC-005"}


@requirement("path.decisions-name-file")
@pytest.mark.parametrize("written", [FILE, "billing.py", "billing.total"])
def test_a_note_that_writes_the_file_goes_before_one_that_does_not(repo, app, read, written) -> None:
    touch(app, "STORY-001: begin", FILE)
    decision(repo, "DEC-000", "STORY-001 stands.", captured_at="2026-09-01")
    decision(repo, "DEC-001", f"STORY-001 stands on {written} alone.", captured_at="2025-01-01")
    repo.commit()
    rows = read()["behind"]
    assert [r["artifact_id"] for r in rows] == ["STORY-001", "DEC-001", "DEC-000"]
    assert "names the file" in rows[1]["why"] and "names the file" not in rows[2]["why"]


@requirement("path.decisions-order")
def test_notes_alike_go_by_how_many_leading_stories_then_which_then_the_newer(repo, app, read) -> None:
    for number, times in ((1, 3), (2, 2), (3, 1)):
        for _ in range(times):
            touch(app, f"STORY-00{number}: work", FILE)
    decision(repo, "DEC-000", "STORY-002.", captured_at="2026-09-01")
    decision(repo, "DEC-001", "STORY-001.", captured_at="2026-01-01")
    decision(repo, "DEC-002", "STORY-001.", captured_at="2026-02-01")
    decision(repo, "DEC-003", "STORY-002 and STORY-003.", captured_at="2025-01-01")
    repo.commit()
    notes = [r["artifact_id"] for r in read()["behind"] if r["kind"] == "doc"]
    assert notes == ["DEC-003", "DEC-002", "DEC-001", "DEC-000"]


@requirement("path.binding-three")
def test_the_statements_are_gathered_over_the_best_three_stories(repo, app, read) -> None:
    for number in range(1, 5):
        touch(app, f"STORY-00{number}: work", FILE)
        if number < 4:
            touch(app, f"STORY-00{number}: more", FILE)
        repo.item(f"STORY-00{number}", cited_sources=[f"DEC-00{number}"], parent="EPIC-001")
        decision(repo, f"DEC-00{number}")
    repo.item("EPIC-001", cited_sources=["DEC-009"])
    decision(repo, "DEC-009")
    repo.commit()
    answer = read()
    assert set(ids(answer)) == {"DEC-001", "DEC-002", "DEC-003", "DEC-009"}
    assert answer["scope"] == {"path": FILE, "members": 4}
    assert stories(answer)[-1] == "STORY-004"


def test_a_superseded_story_behind_a_file_says_so(repo, app, read) -> None:
    touch(app, "STORY-001: begin", FILE)
    repo.item("STORY-002", supersedes=["STORY-001"])
    repo.commit()
    assert read()["behind"][0]["superseded_by"] == "STORY-002"


@requirement("budget.every-read", "budget.never-silent")
def test_long_titles_behind_a_file_are_cut_by_whole_rows_and_told(repo, app, read, within_budget) -> None:
    for number in range(1, 6):
        touch(app, f"STORY-00{number}: work", FILE)
        repo.item(f"STORY-00{number}", title="ø" * 900)
    repo.commit()
    whole = read()["behind"]
    answer = binding(within_budget(6000), path=FILE)
    assert len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()) <= 6000
    listed = answer["behind"]
    assert listed == whole[: len(listed)] and 0 < len(listed) < 5
    assert (answer["behind_truncated"]["whole"], answer["behind_truncated"]["listed"]) == (5, len(listed))


@requirement("withheld.not-searchable")
def test_a_withheld_note_is_marked_as_a_statement_and_behind_a_file(repo, app, read) -> None:
    settings = (repo.root / "revetly.toml").read_text()
    repo.write("revetly.toml", settings + '[extraction]\nwithhold = ["decisions/private/**"]\n')
    repo.item("STORY-001", cited_sources=["DEC-001", "DEC-002"])
    repo.item("DEC-001", "A hidden rule.", folder="decisions/private", type="decision")
    decision(repo, "DEC-002")
    repo.commit()
    touch(app, "STORY-001: begin", FILE)
    answer = read()
    for rows in (answer["statements"], answer["behind"][1:]):
        found = {r["artifact_id"]: (r["title"], r.get("withheld")) for r in rows}
        assert found == {"DEC-001": ("", True), "DEC-002": ("Title of DEC-002", None)}
    assert {r["artifact_id"]: r["passage"] for r in answer["statements"]}["DEC-001"] == ""
