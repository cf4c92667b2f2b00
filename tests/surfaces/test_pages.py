"""The pages, what an orchestrator asks, and who may read."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient

from graphapi.access.headers import POLICY
from graphapi.store.port import StoreUnavailable


@pytest.fixture
def read(repo, ingest, instance_is, project, loopback):
    repo.item("EPIC-001", type="epic", title="Arrivals <b>by night</b>")
    repo.item("STORY-001", "<script>alert(1)</script> See EPIC-001.", parent="EPIC-001", owner="ada")
    repo.item("STORY-002", supersedes="STORY-001")
    repo.write("backlog/STORY-009.md", "---\n- a list\n---\n")
    repo.commit()
    return ingest()


def test_the_start_page_shows_each_project_its_sources_and_its_findings(read, client, project) -> None:
    page = client.get("/").content.decode()
    assert project.name in page and "amber" in page and "backlog/STORY-009.md" in page
    assert "3 artifacts" in page


def test_the_start_page_without_a_project_says_what_to_do(client, db, loopback) -> None:
    assert "revetly init" in client.get("/").content.decode()


def test_an_artifacts_page_shows_its_words_escaped_its_links_both_ways_and_its_marks(read, client, project) -> None:
    page = client.get(f"/context/{project.name}/a/STORY-001").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page and "<script>alert" not in page
    assert "Arrivals &lt;b&gt;by night&lt;/b&gt;" in page
    assert f'href="/context/{project.name}/a/EPIC-001"' in page
    assert "Superseded by" in page and "STORY-002" in page


def test_an_artifact_whose_id_is_a_path_has_a_page(read, client, project, repo, ingest) -> None:
    repo.write("docs/how to/start.md", "# How to start\n\nWords.\n")
    repo.commit()
    ingest()
    assert "How to start" in client.get(f"/context/{project.name}/a/docs/how%2520to/start.md").content.decode()


def test_the_box_leads_to_the_id_typed_and_an_unknown_id_is_not_here(read, client, project) -> None:
    answer = client.get(f"/context/{project.name}/open?id=STORY-001")
    assert (answer.status_code, answer["Location"]) == (302, f"/context/{project.name}/a/STORY-001")
    missing = client.get(f"/context/{project.name}/a/STORY-404")
    assert missing.status_code == 404 and "STORY-404" in missing.content.decode()
    assert client.get("/context/nobody/a/STORY-001").status_code == 404


@pytest.mark.parametrize("path", ["/", "/context/product/a/STORY-001"])
@pytest.mark.parametrize("bound", [None, "0.0.0.0:8000", "192.0.2.1:80", "nonsense", "[::]:8000"])
def test_off_loopback_a_page_wants_a_sign_in(read, client, settings, path, bound) -> None:
    settings.BOUND = bound
    answer = client.get(path)
    assert answer.status_code == 302 and answer["Location"].startswith("/admin/login/")
    client.force_login(User.objects.create_user("reader"))
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("bound", ["127.0.0.1:1", "localhost:8000", "[::1]:8000", "127.9.9.9:80"])
def test_on_loopback_the_pages_read_as_the_command_line_does(read, client, settings, bound) -> None:
    settings.BOUND = bound
    assert client.get("/").status_code == 200


def test_every_page_carries_a_policy_without_inline_script_or_other_origins(read, client) -> None:
    answer = client.get("/")
    assert answer["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY
    assert answer["X-Frame-Options"] == "DENY" and answer["X-Content-Type-Options"] == "nosniff"
    page = answer.content.decode()
    assert "style=" not in page and "onclick" not in page and "<style" not in page


def test_alive_and_ready_name_each_dependency_and_a_store_that_is_down_is_503(
    client, instance_is, db, monkeypatch
) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()) == (200, {"status": "ready", "database": "ready", "graph": "ready"})

    def down():
        raise StoreUnavailable("bolt://secret-host does not answer")

    monkeypatch.setattr("graphapi.views.instance_store", down)
    ready = client.get("/readyz")
    assert (ready.status_code, ready.json()["graph"]) == (503, "down")
    assert "secret-host" not in ready.content.decode()
    assert client.get("/healthz").status_code == 200


def test_a_graph_that_is_down_is_a_page_that_says_so(read, client, project, graph_down) -> None:
    graph_down()
    page = client.get(f"/context/{project.name}/a/STORY-001")
    assert page.status_code == 503 and "it does not answer" in page.content.decode()
    assert client.get("/").status_code == 200, "the start page asks the database alone"


def test_static_files_are_served_by_the_application_itself(client, db) -> None:
    answer = client.get("/static/base.css")
    assert answer.status_code == 200 and b"--" in b"".join(answer.streaming_content)
    answer.close()


@pytest.mark.asyncio
async def test_the_lifespan_starts_and_ends(tmp_path, settings) -> None:
    from revetly_site.asgi import application

    settings.GRAPH_PATH = tmp_path / "graph.sqlite3"
    sent, inbox = [], [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

    async def receive():
        return inbox.pop(0)

    async def send(message):
        sent.append(message["type"])

    await application({"type": "lifespan"}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.mark.asyncio
async def test_the_application_answers_over_asgi() -> None:
    answer = await AsyncClient().get("/healthz")
    assert answer.status_code == 200


@pytest.mark.parametrize("typed", ["a\nb", "../../admin/", "..", "a b", "x" * 300, "./x"])
def test_the_box_leads_nowhere_but_to_artifacts(read, client, project, typed) -> None:
    answer = client.get(f"/context/{project.name}/open", {"id": typed})
    assert answer.status_code == 404
