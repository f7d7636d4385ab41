# The programs of examples/cpp: as one source to compile, and what they print against the files in examples/cpp/expected.
# usage: examples.py extract FOLDER SOURCE   writes all programs as one file; errors of the compiler name their lines
#        examples.py check FOLDER PROGRAM    runs each and compares; update: writes what they print
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from cookbook import run  # noqa: E402


def find_examples(folder):
    """The programs, in the order of their names; each has a twin in Python."""
    examples = sorted(Path(folder).glob("*.cpp"))
    twins = sorted(path.stem for path in (Path(folder).parent / "python").glob("*.py"))
    assert [path.stem for path in examples] == twins, f"programs without a twin: {set(twins) ^ {path.stem for path in examples}}"
    return examples


def extract(folder, source):
    """Each program in a namespace of its own, its main() called by its name."""
    includes, bodies, calls = set(), "", ""
    for path in find_examples(folder):
        code = path.read_text()
        includes |= set(re.findall(r"^#include .*$", code, re.MULTILINE))
        code = re.sub(r"^#include .*$", "", code, flags=re.MULTILINE)
        assert code.count("int main()") == 1 and code.endswith("\n}\n"), f"{path} does not end with main()"
        bodies += f'namespace example_{path.stem}\n{{\n#line 1 "{path}"\n' + code.replace("int main()", "int run()")[:-2] + "return 0;\n}\n}\n"
        calls += f'    if (name == "{path.stem}") return example_{path.stem}::run();\n'
    Path(source).write_text("\n".join(sorted(includes)) + "\n#include <string_view>\n\n" + bodies
                            + f"int main(int, char** argv)\n{{\n    const std::string_view name = argv[1];\n{calls}    return 2;\n}}\n")


def check(folder, program, update=False):
    """How many print something else."""
    failed = 0
    for path in find_examples(folder):
        place = path.parent / "expected" / f"{path.stem}.txt"
        printed = run(path.stem, program)
        if update:
            place.write_text(printed)
        elif printed != place.read_text():
            failed += 1
            print(f"{path}: expected\n{place.read_text()}but it prints\n{printed}")
    return failed


if __name__ == "__main__":
    if sys.argv[1] == "extract":
        extract(*sys.argv[2:])
    else:
        sys.exit(check(*sys.argv[2:], update=sys.argv[1] == "update"))
