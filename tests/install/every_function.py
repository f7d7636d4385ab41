#!/usr/bin/env python3
# Writes a program that refers to every function, member function and constructor that the public headers declare, so
# that one which was forgotten in the library, or a library forgotten beside it, fails the link.
# usage: every_function.py INCLUDE_FOLDER > every_function.cpp
import re
import sys
from pathlib import Path

DECLARATION = re.compile(
    r"^(?P<words>(?:explicit |static |virtual |inline |constexpr |\[\[\w+\]\] )*)"
    r"(?P<returns>[\w:<>,&*\s]*?[\s&*>])??(?P<name>\w+)\((?P<parameters>.*)\)(?P<const> const)?(?: noexcept)?$")
NOT_A_FUNCTION = re.compile(r"\boperator\b|\bfriend\b|\busing\b|\btemplate\b|= (0|default|delete)$|^return\b|~")


def statements(text):
    """(scope, statement) of each declaration; scope is the class around it, or ''. Private ones are left out."""
    text = re.sub(r"//[^\n]*|\bRATTLEBACK_(API|LOCAL)\b", "", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    scopes = [("", True)]  # (class or '' or None: not looked into, public)
    current = ""
    depth = 0  # of parentheses: braces within are default arguments
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth > 0 or character not in "{};:":
            current += character
            continue
        words = " ".join(current.split())
        if character == ":":
            if words in ("public", "private", "protected"):
                scopes[-1] = (scopes[-1][0], words == "public")
                current = ""
            else:
                current += character
            continue
        current = ""
        if character == ";":
            if scopes[-1][0] is not None and scopes[-1][1]:
                yield scopes[-1][0], words
        elif character == "{":
            kind = re.match(r"(namespace|class|struct)\b(?: \[\[\w+\]\])? ?(\w*)", words)
            if kind is None or scopes[-1][0] is None or not scopes[-1][1]:
                scopes.append((None, False))
            elif kind[1] == "namespace":
                scopes.append(("", True))
            else:
                outer = scopes[-1][0]
                scopes.append((outer + "::" + kind[2] if outer else kind[2], kind[1] == "struct"))
        else:
            scopes.pop()


def split_parameters(text):
    """Types of a list of parameters, without names and default arguments."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, "<": 1, "{": 1, ")": -1, ">": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    types = []
    for part in (part.split(" = ")[0].strip() for part in parts):
        if part:
            types.append(re.sub(r"^(.*[\s&*>])[a-z_]\w*$", r"\1", part).strip())
    return types


def write_use(scope, words):
    """A line that refers to the function of a declaration; None when it is none."""
    match = DECLARATION.match(words)
    if match is None or NOT_A_FUNCTION.search(words):
        return None
    types = split_parameters(match["parameters"])
    given = [f"{type} a{i}" for i, type in enumerate(types)]
    handed = ", ".join(f"std::forward<{type}>(a{i})" for i, type in enumerate(types))
    name = match["name"]
    if scope and name == scope.split("::")[-1]:
        call = f"{scope} made({handed})"  # braces would prefer lists
        if not types:
            call = f"{scope} made"
        call += "; static_cast<void>(made)"
    elif not match["returns"]:
        return None
    elif not scope:
        call = f"static_cast<void>(rattleback::{name}({handed}))"
    elif "static" in match["words"]:
        call = f"static_cast<void>({scope}::{name}({handed}))"
    else:
        given.insert(0, ("const " if match["const"] else "") + f"{scope}& self")
        call = f"static_cast<void>(self.{scope}::{name}({handed}))"
    return f"keep(+[]({', '.join(given)}) {{ {call}; }});"


def main():
    by_scope = {}
    for header in sorted((Path(sys.argv[1]) / "rattleback").glob("*.h")):
        for scope, words in statements(header.read_text()):
            use = write_use(scope, words)
            if use:
                by_scope.setdefault(scope, []).append(use)
    count = sum(map(len, by_scope.values()))
    print("// Written by every_function.py.\n#include <rattleback/rattleback.h>\n#include <cstdio>\n")
    print("namespace rattleback\n{\nconst void* volatile kept = nullptr;\n")
    print("template <class Function>\nvoid keep(Function* f)\n{\n    kept = reinterpret_cast<const void*>(f);\n}\n")
    for number, (scope, uses) in enumerate(by_scope.items()):
        base = f" : {scope}" if scope else ""  # so that types of the class are found
        print(f"struct Uses{number}{base}\n{{\n    static void all()\n    {{")
        for use in uses:
            print(f"        {use}")
        print("    }\n};\n")
    print("}  // namespace rattleback\n\nint main()\n{")
    for number in range(len(by_scope)):
        print(f"    rattleback::Uses{number}::all();")
    print(f'    std::printf("{count} functions\\n");\n}}')


if __name__ == "__main__":
    main()
