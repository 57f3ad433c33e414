from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from tests.tools.running import Answers
from tools import CallStatus, Edit, ExitEarly, PathRole, ToolConfigurationError, ToolContext, tool
from tools.paths import is_inside, path_concerns, resolve_paths

if TYPE_CHECKING:
    from tests.tools.running import ExecutorOf

ROLES = (("path", PathRole()),)


@tool
def where(path: Annotated[Path, PathRole()], ctx: ToolContext) -> list[Any]:
    """Say which path came, and what was granted."""
    return [str(path), sorted(ctx.grants)]


@tool
def where_all(
    paths: list[Annotated[Path, PathRole(writes=True)]],
    more: Annotated[str, PathRole()] | None = None,
    named: Annotated[dict[str, Path], PathRole()] | None = None,
) -> list[str]:
    """Say which paths came."""
    return [str(path) for path in (*paths, *([more] if more else []), *(named or {}).values())]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").touch()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").touch()
    (tmp_path / "project2").mkdir()
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "file_link").symlink_to(tmp_path / "outside" / "secret.txt")
    (folder / "inner").symlink_to(folder / "sub")
    (tmp_path / "outside" / "back").symlink_to(folder / "sub")
    (folder / "loop").symlink_to(folder / "loop")
    return folder


class TestInside:
    @pytest.mark.parametrize(
        "given", ["a.txt", "sub/a.txt", ".", "sub/../a.txt", "./sub", "inner/a.txt", "nowhere/deep/x", "link/../a.txt"]
    )
    def test_what_stays_in_the_folder_asks_nobody_and_comes_absolute(
        self, executor_of: ExecutorOf, project: Path, given: str
    ) -> None:
        response = executor_of(where, project_dir=project).run("where", {"path": given})
        assert response.status is CallStatus.EXECUTED
        path, grants = response.result
        assert Path(path).is_absolute()
        assert Path(path).is_relative_to(project)
        assert grants == []

    def test_links_are_kept_so_that_deleting_a_link_deletes_the_link(self, project: Path) -> None:
        resolved = resolve_paths({"path": Path("inner"), "other": 1}, ROLES, project)
        assert resolved == {"path": project / "inner", "other": 1}
        assert resolved["path"].is_symlink()


class TestOutside:
    @pytest.mark.reference("A34")
    @pytest.mark.parametrize(
        "given",
        [
            "../outside/secret.txt",
            "/etc/hostname",
            "sub/../../outside",
            "link/secret.txt",
            "link",
            "file_link",
            "..",
            "../project2",
            "~/x",
            "../outside/back",
        ],
    )
    def test_what_leaves_the_folder_is_asked_about_links_and_dots_followed(
        self, executor_of: ExecutorOf, project: Path, given: str
    ) -> None:
        reviewer = Answers(ExitEarly("no"))
        response = executor_of(where, project_dir=project, review_handler=reviewer).run("where", {"path": given})
        assert response.status is CallStatus.DENIED
        assert reviewer.kinds == [["outside_project"]]
        (concern,) = reviewer.requests[0].concerns
        assert (concern.title, concern.detail.split()[0]) == ("Outside the project folder", "Reads")

    def test_what_is_allowed_is_granted_by_name(self, executor_of: ExecutorOf, project: Path) -> None:
        reviewer = Answers()
        response = executor_of(where, project_dir=project, review_handler=reviewer).run("where", {"path": "link"})
        assert response.result == [str(project / "link"), [f"path:{project / 'link'}"]]
        assert f"{project / 'link'}, which is {project.parent / 'outside'}" in reviewer.requests[0].concerns[0].detail

    def test_without_anybody_to_ask_it_is_a_configuration_error(self, executor_of: ExecutorOf, project: Path) -> None:
        with pytest.raises(ToolConfigurationError, match="asks before it runs \\(outside the project folder\\)"):
            executor_of(where, project_dir=project).run("where", {"path": ".."})

    def test_marks_deep_in_lists_optional_texts_and_mappings_hold_too(
        self, executor_of: ExecutorOf, project: Path
    ) -> None:
        reviewer = Answers()
        executor = executor_of(where_all, project_dir=project, review_handler=reviewer)
        response = executor.run("where_all", {"paths": ["sub", "../x"], "more": "../y", "named": {"z": "../z"}})
        outside = [str(project.parent / name) for name in "xyz"]
        assert response.result == [str(project / "sub"), *outside]
        concerns = reviewer.requests[0].concerns
        assert [concern.grants for concern in concerns] == [f"path:{path}" for path in outside]
        assert [concern.detail.split()[0] for concern in concerns] == ["Changes", "Reads", "Reads"]
        assert executor.run("where_all", {"paths": []}).result == []

    def test_an_edit_that_stays_inside_is_not_asked_again_and_one_that_leaves_grants_only_itself(
        self, executor_of: ExecutorOf, project: Path
    ) -> None:
        reviewer = Answers(Edit({"path": "sub"}), Edit({"path": "../y"}))
        executor = executor_of(where, project_dir=project, review_handler=reviewer)
        assert executor.run("where", {"path": "../x"}).result == [str(project / "sub"), []]
        assert len(reviewer.requests) == 1
        outside = project.parent / "y"
        assert executor.run("where", {"path": "../x"}).result == [str(outside), [f"path:{outside}"]]
        assert len(reviewer.requests) == 3

    def test_a_folder_that_only_begins_like_ours_is_not_inside(self, project: Path) -> None:
        assert is_inside(project, project)
        assert is_inside(Path("/x"), Path("/"))
        assert not is_inside(project.parent / "project2", project)
        assert path_concerns({"path": None}, ROLES, project) == []


class TestImpossible:
    @pytest.mark.parametrize("given", ["~nobody_of_this_name/x", "a\0b"])
    def test_a_path_that_can_name_nothing_is_an_argument_that_does_not_fit(
        self, executor_of: ExecutorOf, project: Path, given: str
    ) -> None:
        executor = executor_of(where, project_dir=project)
        response = executor.run("where", {"path": given})
        assert response.status is CallStatus.REJECTED
        assert response.text.startswith("Error: path: expected a path that can exist")

    def test_a_link_to_itself_stays_a_matter_of_the_tool(self, executor_of: ExecutorOf, project: Path) -> None:
        assert executor_of(where, project_dir=project).run("where", {"path": "loop"}).status is CallStatus.EXECUTED
