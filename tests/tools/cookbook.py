# The programs of docs/cookbook.md: as one source to compile, and what they print against what the page says.
# usage: cookbook.py extract PAGE SOURCE   writes all programs as one file; errors of the compiler name lines of the page
#        cookbook.py check PAGE PROGRAM    runs each and compares
#        cookbook.py update PAGE PROGRAM   runs each and writes its output into the page
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RECIPE = re.compile(r"```cpp\n(?P<code>.*?)```\n```text\n(?P<output>.*?)```\n", re.DOTALL)


def find_recipes(page):
    """[(title, match)] of the programs of a page; every C++ block has its output below it."""
    text = Path(page).read_text()
    recipes = []
    for match in RECIPE.finditer(text):
        title = re.findall(r"^## (.*)$", text[:match.start()], re.MULTILINE)[-1]
        recipes.append((title, match))
    assert recipes and len(recipes) == text.count("```cpp\n"), "a program without its output"
    assert len({title for title, _ in recipes}) == len(recipes), "one program under each title"
    return recipes


def extract(page, source):
    """Each program in a namespace of its own, its main() called by the title."""
    includes, bodies, calls = set(), [], []
    for i, (title, match) in enumerate(find_recipes(page)):
        code = match["code"]
        includes |= set(re.findall(r"^#include .*$", code, re.MULTILINE))
        code = re.sub(r"^#include .*$", "", code, flags=re.MULTILINE)
        assert code.count("int main()") == 1 and code.endswith("\n}\n"), f"'{title}' does not end with main()"
        line = match.string[:match.start("code")].count("\n") + 1
        bodies.append(f"namespace recipe_{i}\n{{\n#line {line} \"{page}\"\n"
                      + code.replace("int main()", "int run()")[:-2] + "return 0;\n}\n}\n")
        calls.append(f'    if (title == "{title}") return recipe_{i}::run();\n')
    Path(source).write_text("\n".join(sorted(includes)) + "\n#include <string_view>\n\n" + "".join(bodies)
                            + "int main(int, char** argv)\n{\n    const std::string_view title = argv[1];\n"
                            + "".join(calls) + "    return 2;\n}\n")


def run(title, program):
    """What a program prints; it may write files where it runs."""
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([Path(program).resolve(), title], capture_output=True, text=True, check=False,
                                cwd=folder, timeout=600)
    return result.stdout + result.stderr + (f"exit status {result.returncode}\n" if result.returncode else "")


def check(page, program):
    failed = 0
    for title, match in find_recipes(page):
        printed = run(title, program)
        if printed == match["output"]:
            continue
        failed += 1
        print(f"{title}: the page says\n{match['output']}but the program prints\n{printed}")
    print(f"{failed} of {len(find_recipes(page))} programs differ" if failed else "all programs print what the page says")
    return failed


def update(page, program):
    text = Path(page).read_text()
    for title, match in find_recipes(page):
        old = match[0]
        text = text.replace(old, old[:match.start("output") - match.start()] + run(title, program) + "```\n")
    Path(page).write_text(text)


if __name__ == "__main__":
    sys.exit({"extract": extract, "check": check, "update": update}[sys.argv[1]](*sys.argv[2:4]))
