# Writes what the public headers say about each name as lines of a C++ table, sorted by name; docstrings come from there.
# usage: read_headers.py INCLUDE_FOLDER OUTPUT
import re
import sys
from pathlib import Path


def names_of(declaration):
    """Names that a declaration makes: one function, or several members, or enumerators."""
    declaration = re.sub(r"\bRATTLEBACK_(API|LOCAL)\b|\[\[\w+\]\]|^(static|explicit|virtual|inline|constexpr|friend) ", "", declaration)
    call = re.match(r"[^=(]*?([\w~]+)\(", declaration)
    if call and "{" not in declaration[: call.end()]:
        return [call[1]]
    plain = declaration
    while re.search(r"\{[^{}]*\}|<[^<>]*>|\([^()]*\)", plain):
        plain = re.sub(r"\{[^{}]*\}|<[^<>]*>|\([^()]*\)", "", plain)
    return [match for part in plain.split(",") for match in re.findall(r"(\w+)\s*(?:=.*)?$", part.strip(" ;"))]


def entries(text):
    """(name, text) of everything documented in a header, names with the class before them."""
    scope, above, last, pending = [], [], [], ""
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("///<"):  # goes on from the line before
            yield from ((name, stripped[4:].strip()) for name in last)
            continue
        if stripped.startswith("///"):
            above.append(stripped[3:].strip())
            continue
        code, _, comment = stripped.partition("///<")
        code = code.split("//")[0].strip() if "///<" not in stripped else code.strip()
        comment = comment.strip()
        if not code:
            if not stripped:
                above, last = [], []
            continue
        if code.startswith("#") or code in ("public:", "private:", "protected:"):
            continue
        kind = re.match(r"(?:template <.*> )?(namespace|class|struct|enum class)(?: \[\[\w+\]\])? ?(\w*)", pending or code)
        pending = (pending + " " + code).strip()
        if code == "{" or (pending.endswith("{") and kind):
            if kind:
                name = kind[2] if kind[1] != "namespace" else ""
                if name and above:
                    yield "::".join([s for s in scope if s] + [name]), " ".join(above)
                scope.append(name)
            else:
                scope.append("")
            pending, above = "", []
            continue
        if code in ("}", "};") or re.match(r"\} ?\w+;|\}  // namespace|\}", code):
            if code.startswith("}") and scope:
                scope.pop()
            pending, above = "", []
            continue
        if kind and not pending.endswith(";"):
            continue
        if pending.count("(") > pending.count(")"):
            continue
        if not pending.endswith((";", ",", "}")) and not comment:
            continue
        prefix = "::".join(s for s in scope if s)
        names = names_of(pending)
        last = [f"{prefix}::{name}" if prefix else name for name in names]
        words = " ".join(above + ([comment] if comment else []))
        if words:
            yield from ((name, words) for name in last)
        pending, above = "", []


def main():
    texts = {}
    for header in sorted((Path(sys.argv[1]) / "rattleback").glob("*.h")):
        for name, words in entries(header.read_text()):
            texts[name] = f"{texts[name]} {words}" if name in texts else words
    lines = []
    for name in sorted(texts):
        words = texts[name].replace("\\", "\\\\").replace('"', '\\"').replace("::", ".")
        lines.append(f'{{"{name}", "{words}"}},\n')
    Path(sys.argv[2]).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
