"""Which projects a call may draw on, decided in one place for every surface."""

from __future__ import annotations

import pytest

from graphapi.access.caller import ANYBODY, Caller
from graphapi.domain.refusals import BadArguments, UnknownProject
from graphapi.models import Project
from graphapi.reads.answer import begin
from graphapi.reads.reach import reach_of

pytestmark = pytest.mark.django_db


def declare(name: str, *, imports: tuple[Project, ...] = (), default: bool = False) -> Project:
    project = Project.objects.create(name=name, namespace=name, root=f"/{name}", is_default=default)
    project.imports.set(imports)
    return project


def names(projects: tuple[Project, ...]) -> list[str]:
    return [p.name for p in projects]


@pytest.mark.requirement("projects.default-answers")
def test_naming_no_project_means_the_default_one() -> None:
    declare("engine")
    declare("pigent", default=True)
    reach = reach_of(ANYBODY)
    assert names(reach.named) == ["pigent"]
    assert begin(reach) == {"project": "pigent"}


@pytest.mark.requirement("projects.argument")
def test_naming_a_project_means_that_one() -> None:
    declare("engine")
    declare("pigent", default=True)
    assert names(reach_of(ANYBODY, "engine").named) == ["engine"]


@pytest.mark.requirement("projects.spanning-names-projects")
def test_several_are_named_in_the_order_asked_and_an_answer_says_so_under_projects() -> None:
    declare("a")
    declare("b")
    reach = reach_of(ANYBODY, projects=["b", "a", "b"])
    assert names(reach.named) == ["b", "a"]
    assert begin(reach) == {"projects": ["b", "a"]}


def test_a_list_of_one_is_that_one_project() -> None:
    declare("a")
    declare("b")
    assert begin(reach_of(ANYBODY, projects=["b"])) == {"project": "b"}


@pytest.mark.requirement("projects.one-project-no-key")
def test_where_one_project_is_declared_no_answer_names_it() -> None:
    declare("only")
    assert begin(reach_of(ANYBODY, "only")) == {}
    assert begin(reach_of(ANYBODY, projects=["only"])) == {}


@pytest.mark.requirement("projects.unimported-unreached")
def test_imports_reach_one_step_in_the_declared_direction() -> None:
    far = declare("far")
    near = declare("near", imports=(far,))
    own = declare("own", imports=(near,))
    assert names(reach_of(ANYBODY, "own").all) == ["own", "near"]
    assert names(reach_of(ANYBODY, "far").all) == ["far"]
    assert names(reach_of(ANYBODY, projects=["own", "near"]).all) == ["own", "near", "far"]
    assert own.name == "own"


@pytest.mark.requirement("projects.undeclared-refused")
def test_a_project_nobody_declared_is_refused_by_name_with_those_there_are() -> None:
    declare("a")
    declare("b")
    with pytest.raises(UnknownProject) as caught:
        reach_of(ANYBODY, projects=["a", "nope"])
    assert "'nope'" in caught.value.detail and "a, b" in caught.value.fix


def test_an_instance_without_a_project_says_how_to_declare_one() -> None:
    with pytest.raises(UnknownProject) as caught:
        reach_of(ANYBODY)
    assert "revetly init" in caught.value.fix


def test_both_arguments_and_an_empty_list_are_refused() -> None:
    declare("a")
    for arguments in ({"project": "a", "projects": ["a"]}, {"projects": []}):
        with pytest.raises(BadArguments):
            reach_of(ANYBODY, **arguments)


def test_a_grant_narrows_what_is_named_and_what_is_imported() -> None:
    secret = declare("secret")
    declare("own", imports=(secret,), default=True)
    granted = Caller("ada", frozenset({"own"}))
    assert names(reach_of(granted).all) == ["own"]
    with pytest.raises(UnknownProject) as caught:
        reach_of(granted, "secret")
    assert "secret" not in caught.value.fix


def test_where_a_grant_leaves_the_default_out_what_it_gives_answers() -> None:
    declare("a", default=True)
    declare("b")
    declare("c")
    assert names(reach_of(Caller("ada", frozenset({"b", "c"}))).named) == ["b", "c"]


def test_projects_are_read_in_few_queries(django_assert_max_num_queries) -> None:
    for n in range(8):
        declare(f"p{n}")
    with django_assert_max_num_queries(2):
        reach_of(ANYBODY, "p3")
