"""Which icons the program ships."""

from console.theme.files import resource_path


def icon_names() -> set[str]:
    return {path.stem for path in resource_path("icons").glob("*.svg")}
