"""Projects as rows of the admin (004 section 5, project; ruling 1)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from graphapi.domain.refusals import UnknownProject
from graphapi.models import Project
from graphapi.reads.projects import project_named
from tests.repo import Repo

requirement = pytest.mark.requirement


def make(name: str, **keys) -> Project:
    return Project.objects.create(name=name, namespace=name, root=f"/srv/{name}", **keys)


def defaults() -> list[str]:
    return list(Project.objects.filter(is_default=True).values_list("name", flat=True))


@requirement("projects.declared-in-admin")
def test_exactly_one_project_is_the_default_however_rows_are_saved_or_removed(db) -> None:
    first = make("a")
    assert defaults() == ["a"]
    second = make("b")
    assert defaults() == ["a"]
    second.is_default = True
    second.save()
    assert defaults() == ["b"]
    second.is_default = False
    second.save()
    assert defaults() == ["b"], "the only default cannot step down"
    third = make("c", is_default=True)
    assert defaults() == ["c"]
    Project.objects.filter(pk=third.pk).delete()
    assert defaults() == ["a"], "the first by name takes a removed default's place"
    first.delete()
    assert defaults() == ["b"]


@requirement("projects.declared-in-admin")
def test_the_database_itself_refuses_a_second_default(db) -> None:
    make("a")
    other = make("b")
    with pytest.raises(IntegrityError), transaction.atomic():
        Project.objects.filter(pk=other.pk).update(is_default=True)
    assert defaults() == ["a"]


@pytest.fixture
def operator(client, db):
    client.force_login(User.objects.create_superuser("operator", password="x"))
    return client


def posted(root: str, name: str = "shop", **more) -> dict:
    return {"name": name, "namespace": name, "root": root, **more}


@requirement("projects.declared-in-admin")
def test_a_project_is_made_and_changed_in_the_admin_with_imports_among_the_declared_ones(operator, tmp_path) -> None:
    roots = [str(Repo(tmp_path / name).root) for name in ("shop", "till")]
    for name, root in zip(("shop", "till"), roots, strict=True):
        assert operator.post("/admin/graphapi/project/add/", posted(root, name)).status_code == 302
    shop, till = Project.objects.get(name="shop"), Project.objects.get(name="till")
    assert (shop.is_default, till.is_default) == (True, False)
    change = f"/admin/graphapi/project/{till.pk}/change/"
    operator.post(change, posted(roots[1], "till", imports=[shop.pk], is_default="on"))
    till.refresh_from_db()
    assert list(till.imports.all()) == [shop] and till.is_default
    assert defaults() == ["till"]
    for bad in (till.pk, 9999):
        answer = operator.post(change, posted(roots[1], "till", imports=[bad]))
        assert answer.status_code == 200 and "imports" in answer.context["adminform"].form.errors
    assert list(till.imports.all()) == [shop]


def test_the_admin_refuses_a_root_without_declarations_saying_how_to_make_them(operator, tmp_path) -> None:
    answer = operator.post("/admin/graphapi/project/add/", posted(str(tmp_path)))
    (error,) = answer.context["adminform"].form.errors["root"]
    assert "revetly.toml does not exist" in error and "revetly init" in error
    assert not Project.objects.exists()


@pytest.mark.parametrize("page", ["ingestpass", "sourcestate", "ledgerentry", "historyentry", "unresolvedreference"])
def test_what_a_pass_wrote_is_looked_at_and_not_edited(operator, page, ingest, repo, project) -> None:
    repo.write(
        "backlog/STORY-001.md",
        "---\nid: STORY-001\ntitle: x\nparent: EPIC-404\nreview_log: [{at: 2026-01-01, action: approved}]\n"
        "---\n\nWords.\n",
    )
    repo.commit()
    ingest()
    listing = operator.get(f"/admin/graphapi/{page}/")
    assert listing.status_code == 200
    assert operator.get(f"/admin/graphapi/{page}/add/").status_code == 403
    row = listing.context["cl"].queryset.first()
    assert row is not None
    detail = operator.get(f"/admin/graphapi/{page}/{row.pk}/change/")
    assert detail.status_code == 200 and b'name="_save"' not in detail.content
    assert operator.post(f"/admin/graphapi/{page}/{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_an_unknown_project_is_refused_naming_the_declared_ones(db) -> None:
    with pytest.raises(UnknownProject, match="no project is declared"):
        project_named(None)
    make("a")
    make("b")
    assert project_named(None).name == "a"
    with pytest.raises(UnknownProject) as refused:
        project_named("c")
    assert "a, b" in refused.value.fix


def test_a_project_that_is_removed_takes_its_graph_with_it(
    repo, ingest, graph, project, instance_is, django_capture_on_commit_callbacks
) -> None:
    repo.item("STORY-001")
    repo.commit()
    ingest()
    with django_capture_on_commit_callbacks(execute=True):
        Project.objects.filter(pk=project.pk).delete()
    assert graph.ids() == set()


def test_a_project_is_not_removed_under_a_running_pass(operator, project) -> None:
    from graphapi.store.locks import project_lock

    with project_lock(project):
        assert operator.post(f"/admin/graphapi/project/{project.pk}/delete/", {"post": "yes"}).status_code == 403
        chosen = {"action": "delete_selected", "_selected_action": [project.pk], "post": "yes"}
        operator.post("/admin/graphapi/project/", chosen)
    assert Project.objects.filter(pk=project.pk).exists()
