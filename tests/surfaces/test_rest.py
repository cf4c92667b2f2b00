"""The reads over HTTP: who may ask, what is taken, and how a refusal answers."""

from __future__ import annotations

import inspect
import json

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError

from graphapi.access.headers import POLICY
from graphapi.connectors.backlog import STATUSES
from graphapi.reads.catalogue import READS

requirement = pytest.mark.requirement
ADDRESSES = [
    "/api/v1/search?query=berth",
    "/api/v1/artifacts/STORY-001",
    "/api/v1/backlog",
    "/api/v1/scope?question=drift",
    "/api/v1/authoring?intent=berth",
    "/api/v1/health",
]


def refused(answer, status: int, code: str) -> dict:
    """The refusal an answer is, under this status and code."""
    body = answer.json()
    assert (answer.status_code, list(body), body["refusal"]["code"]) == (status, ["refusal"], code)
    assert answer["Content-Type"] == "application/json"
    assert body["refusal"]["detail"] and body["refusal"]["fix"]
    return body["refusal"]


@pytest.mark.parametrize("read", READS, ids=lambda read: read.name)
def test_the_catalogue_names_every_argument_a_read_takes_with_its_default(read) -> None:
    taken = dict(inspect.signature(read.function).parameters)
    taken.pop("reader")
    assert list(taken) == [a.name for a in read.arguments]
    for argument in read.arguments:
        default = taken[argument.name].default
        assert (default is inspect.Parameter.empty) == argument.required
        assert argument.required or default in (argument.default, None)


@requirement("refusals.no-other-error-key")
@pytest.mark.parametrize("address", ADDRESSES)
def test_every_read_answers_as_json_on_loopback(seen, client, address) -> None:
    answer = client.get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert answer["Content-Security-Policy"] == POLICY
    assert not {"refusal", "error", "errors", "message"} & answer.json().keys()
    assert client.get(address, HTTP_ACCEPT="text/html").status_code == 200, "there is one representation"
    assert client.head(address).status_code == 200


@pytest.mark.parametrize("address", [*ADDRESSES, "/api/schema", "/api/v1/nothing"])
def test_beyond_loopback_it_answers_only_who_is_signed_in(seen, client, settings, address) -> None:
    settings.BOUND = "0.0.0.0:8000"
    answer = client.get(address)
    refusal = refused(answer, 401, "sign-in-required")
    assert "/admin/login/" in refusal["fix"] and answer["WWW-Authenticate"]
    client.force_login(User.objects.create_user("reader"))
    assert client.get(address).status_code in (200, 404)


@requirement("refusals.one-shape")
@pytest.mark.parametrize(
    "address", ["/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/search", "/api/v1/artifacts/", "/api/a%0Ab"]
)
def test_an_address_that_answers_nothing_is_refused(seen, client, address) -> None:
    assert "/api/docs" in refused(client.get(address), 404, "unknown-route")["fix"]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
@pytest.mark.parametrize("signed_in", [False, True])
def test_nothing_but_reading_is_answered(seen, client, method, signed_in) -> None:
    if signed_in:
        client.force_login(User.objects.create_user("reader"))
    client.handler.enforce_csrf_checks = True
    answer = client.generic(method, "/api/v1/search?query=a")
    assert refused(answer, 405, "method-refused")["method"] == method
    assert answer["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("/api/v1/search?query=a&color=red", "color"),
        ("/api/v1/search?query=a&format=json", "format"),
        ("/api/v1/search?query=a&limit=many", "limit"),
        ("/api/v1/search?query=a&limit=1_0", "limit"),
        ("/api/v1/search?query=a&limit=%D9%A1", "limit"),
        ("/api/v1/search?query=a&limit=", "limit"),
        ("/api/v1/search?query=a&limit=51", "limit"),
        ("/api/v1/search?query=a&limit=0", "limit"),
        ("/api/v1/search?query=a&limit=1&limit=2", "limit"),
        ("/api/v1/search?query=a&query=b", "query"),
        ("/api/v1/search", "query"),
        ("/api/v1/search?query=", "query"),
        ("/api/v1/search?query=a%00b", "NUL"),
        ("/api/v1/search?query=a&kind=nope", "nope"),
        ("/api/v1/search?query=a&deleted=yes", "yes"),
        ("/api/v1/search?query=a&inferred=some", "some"),
        ("/api/v1/search?query=a&project=product&projects=product", "projects"),
        ("/api/v1/artifacts/STORY-001?artifact_id=STORY-002", "artifact_id"),
        ("/api/v1/artifacts/STORY-001?depth=-1", "depth"),
        ("/api/v1/artifacts/STORY-001?depth=deep", "depth"),
        ("/api/v1/scope?question=why", "question"),
        ("/api/v1/scope", "question"),
        ("/api/v1/scope?question=deltas&since=soon", "since"),
        ("/api/v1/backlog?status=nope", "nope"),
        ("/api/v1/authoring?intent=a&limit=21", "limit"),
    ],
)
@requirement("refusals.one-shape", "refusals.detail-and-fix")
def test_an_argument_that_is_wrong_is_refused_by_its_name(seen, client, address, named) -> None:
    assert named in refused(client.get(address), 400, "bad-arguments")["detail"]


def test_what_is_not_there_is_refused_and_named(seen, client) -> None:
    assert "STORY-404" in refused(client.get("/api/v1/artifacts/STORY-404"), 404, "unknown-artifact")["detail"]
    assert "nobody" in refused(client.get("/api/v1/backlog?project=nobody"), 404, "unknown-project")["detail"]


def test_repeated_parameters_are_a_list(seen, client) -> None:
    both = client.get("/api/v1/backlog?status=draft&status=done").json()
    assert [row["artifact_id"] for row in both["items"]] == ["STORY-001", "STORY-002"]
    assert [r["artifact_id"] for r in client.get("/api/v1/backlog?status=done").json()["items"]] == ["STORY-002"]


@requirement("refusals.one-shape")
@pytest.mark.parametrize("address", ADDRESSES[:5])
def test_a_graph_that_is_down_is_refused_by_name(seen, client, address, graph_down) -> None:
    graph_down()
    assert "bolt://here" in refused(client.get(address), 503, "store-unavailable")["detail"]


def test_health_answers_while_the_graph_is_down(seen, client, graph_down) -> None:
    graph_down()
    assert client.get("/api/v1/health").json()["last_pass"]["state"] == "green"


@requirement("refusals.detail-and-fix")
def test_the_fix_of_a_status_that_nothing_has_names_statuses_that_are_answered(seen, client) -> None:
    refusal = refused(client.get("/api/v1/backlog?status=nope"), 400, "bad-arguments")
    named = [word for word in STATUSES if word in refusal["fix"]]
    assert named
    for status in named:
        assert client.get(f"/api/v1/backlog?status={status}").status_code == 200


def test_the_schema_is_served_as_json_and_yaml_with_every_address(seen, client) -> None:
    schema = client.get("/api/schema").json()
    assert schema["openapi"].startswith("3.1")
    assert set(schema["paths"]) == {
        "/api/v1/search", "/api/v1/artifacts/{artifact_id}", "/api/v1/backlog", "/api/v1/scope", "/api/v1/authoring",
        "/api/v1/health",
    }  # fmt: skip
    assert client.get("/api/schema?format=yaml").content.startswith(b"openapi: 3.1")
    named = {o["get"]["operationId"]: {p["name"] for p in o["get"]["parameters"]} for o in schema["paths"].values()}
    assert named == {read.name: {a.name for a in read.arguments} for read in READS}


def test_the_documentation_page_is_drawn_by_the_server_alone(seen, client, settings) -> None:
    page = client.get("/api/docs").content.decode()
    for read in READS:
        assert f'<h2 id="h-{read.name}">' in page
    assert "<script" not in page and "style=" not in page and "//cdn" not in page
    settings.BOUND = None
    assert client.get("/api/docs").status_code == 302


@pytest.fixture
def database_down(monkeypatch) -> None:
    """Every read finds the database gone, as it begins."""

    def down(*args: object, **kwargs: object) -> None:
        raise OperationalError("could not connect to server: host 10.0.0.9, user revetly")

    monkeypatch.setattr("graphapi.reads.reader.reach_of", down)


@pytest.mark.requirement("refusals.one-shape")
def test_a_database_that_does_not_answer_is_a_refusal_at_every_door(seen, client, revetly, database_down) -> None:
    for address in ("search?query=x", "artifacts/STORY-001", "backlog", "health"):
        answer = client.get(f"/api/v1/{address}")
        refusal = answer.json()["refusal"]
        assert (answer.status_code, refusal["code"]) == (503, "store-unavailable"), address
        assert "REVETLY_DATABASE_URL" in refusal["fix"] and "10.0.0.9" not in answer.content.decode()
    page = client.get("/context/?query=x")
    assert page.status_code == 503 and "10.0.0.9" not in page.content.decode()
    said = revetly("search", "x", "--json", code=1)
    assert json.loads(said.stdout)["refusal"]["code"] == "store-unavailable"
