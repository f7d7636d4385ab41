# The code in the documents compiles, and every link between documents and sources leads somewhere.
# usage: test_docs.py CXX
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CXX = sys.argv.pop(1) if len(sys.argv) > 1 else "c++"
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror",
         "-Wno-missing-field-initializers", f"-I{ROOT}/include", f"-I{ROOT}/src"]
PROGRAM = '#include <rattleback/rattleback.h>\n#include <cstdio>\nnamespace rb = rattleback;\nint main()\n{\n%s}\n'


def code_of(document):
    """The C++ blocks of a document."""
    return re.findall(r"```cpp\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)


class Docs(unittest.TestCase):
    def compile(self, files):
        """Compiles the last of {path: text}; the others are headers beside it."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            result = subprocess.run([CXX, *FLAGS, f"-I{folder}", file], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_solver_of_add_a_solver_compiles(self):
        header, source, memory = code_of("docs/add-a-solver.md")
        self.compile({"solvers/hail/hail.h": header, "solvers/hail/hail.cpp": source})
        self.compile({"memory.cpp": "#include <rattleback/solver.h>\nnamespace rattleback\n{\n" + memory + "}\n"})

    def test_the_program_of_concepts_compiles(self):
        self.compile({"main.cpp": PROGRAM % code_of("docs/concepts.md")[0]})

    def test_the_program_of_recordings_compiles(self):
        self.compile({"main.cpp": PROGRAM % code_of("docs/recordings.md")[0]})

    def test_the_examples_of_contributing_compile(self):
        header, test = code_of("CONTRIBUTING.md")
        prologue = '#include "clock.h"\n#include <gtest/gtest.h>\nusing namespace rattleback;\n'
        self.compile({"clock.h": header, "test.cpp": prologue + test})

    def test_links_lead_somewhere(self):
        documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
        broken = []
        for document in documents:
            prose = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
            for target in re.findall(r"\]\(([^)#\s]+)", prose):
                if "://" not in target and not (document.parent / target).exists():
                    broken.append(f"{document.relative_to(ROOT)}: {target}")
        self.assertEqual(broken, [])


if __name__ == "__main__":
    unittest.main()
