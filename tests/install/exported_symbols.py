#!/usr/bin/env python3
# Lists what the shared library exports, and fails where that is more than the public headers declare.
# usage: exported_symbols.py LIBRARY INCLUDE_FOLDER [--list]
import re
import subprocess
import sys
from pathlib import Path

# What the compiler makes for a public class, and the standard library's templates for it.
PREFIXES = re.compile(r"^(vtable for|typeinfo for|typeinfo name for|VTT for|guard variable for|construction vtable for) ")
LINKER = ("_init", "_fini", "_edata", "_end", "__bss_start")
FOREIGN = ("std", "__gnu_cxx", "__cxxabiv1")
MARKS = re.compile(r"\[abi:\w+\]|\b(?:const|virtual thunk to|non-virtual thunk to) ")


def exported(library):
    """Demangled names of the symbols that the library defines for others."""
    text = subprocess.run(["nm", "-D", "--defined-only", "-C", library], check=True, capture_output=True, text=True).stdout
    return sorted({line.split(" ", 2)[2].split("@")[0] for line in text.splitlines() if len(line.split(" ", 2)) == 3})


def without_brackets(name):
    """The name without template arguments and parameters."""
    name = name.replace("(anonymous namespace)", "anonymous").replace("operator()", "operator_call")
    name = re.sub(r"operator ?(<=>|<<|>>|<=|>=|<|>|->)", "operator_symbol", name)
    result, depth = "", 0
    for character in name:
        if character in "<(":
            depth += 1
        elif character in ">)":
            depth -= 1
        elif depth == 0:
            result += character
    return result


def find_declared(include):
    """Names that the public headers declare in the namespace: classes that they define, and functions."""
    names = set()
    for header in sorted((Path(include) / "rattleback").glob("*.h")):
        text = re.sub(r"//[^\n]*|[^\n]*RATTLEBACK_LOCAL[^\n]*", "", header.read_text())
        names |= set(re.findall(r"^(?:class|struct) (\w+)[^;(){}]*\{", text, re.MULTILINE))
        names |= set(re.findall(r"^(?!using|struct|class)[\w\[][^=;{}()]*?\b(\w+)\(", text, re.MULTILINE))
        names |= set(re.findall(r"^inline constexpr [^=;{}()]*?\b(\w+)(?:\[\w*\])? ?[{=]", text, re.MULTILINE))
    return names


def judge(name, declared):
    """True for what may be exported: something that a public header declares, or a member of such a class."""
    made_for_type = PREFIXES.match(MARKS.sub("", name))
    name = PREFIXES.sub("", MARKS.sub("", name))
    if name in LINKER:
        return True
    words = [word for word in without_brackets(name).split() if word not in ("const", "&", "&&")]
    parts = words[-1].split("::") if words else [""]
    # std::function asks for the type of a function that returns a plain number: "typeinfo for int (*)(...)"
    if made_for_type and parts[0] in ("bool", "double", "int", "void"):
        return True
    # templates say what they return before their name: "void std::swap<...>(...)"
    if parts[0] != "rattleback" or len(parts) < 2:
        return parts[0] in FOREIGN
    return parts[1] in declared or parts[1].startswith("operator")


def main():
    names, declared = exported(sys.argv[1]), find_declared(sys.argv[2])
    ours = [name for name in names if "rattleback::" in without_brackets(PREFIXES.sub("", name))]
    if "--list" in sys.argv[3:]:
        print("\n".join(ours))
    internal = [name for name in names if not judge(name, declared)]
    for name in internal:
        print(f"exported, but in no public header: {name}")
    # An empty list would pass without saying anything.
    if not any(name.startswith("rattleback::Simulation::step()") for name in ours):
        sys.exit("rattleback::Simulation::step() is not exported")
    # The judge knows an internal name when it sees one.
    for name in ("rattleback::convex::kInfo", "rattleback::build(rattleback::Authored const&)",
                 "rattleback::(anonymous namespace)::f()"):
        if judge(name, declared):
            sys.exit(f"{name} counts as public")
    print(f"{len(ours)} symbols of rattleback are exported, {len(internal)} of them internal")
    sys.exit(1 if internal else 0)


if __name__ == "__main__":
    main()
