# Lists the source files of the repository, for check_layers and check_sizes.
from pathlib import Path

FOLDERS = ("include", "src", "lab", "apps", "bindings", "tests", "tools")
SKIPPED = {"node_modules", "__pycache__", "dist"}


def find_sources(root, suffixes):
    """Paths relative to `root`, sorted, of files in our folders that end in one of `suffixes`."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root)
            if path.suffix in suffixes and path.is_file() and not SKIPPED & set(relative.parts[:-1]):
                found.append(relative)
    return found
