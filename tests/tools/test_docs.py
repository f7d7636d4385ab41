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
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
PROGRAM = '#include <rattleback/rattleback.h>\n#include <cstdio>\nnamespace rb = rattleback;\nint main()\n{\n%s}\n'


def code_of(document):
    """The C++ blocks of a document."""
    return re.findall(r"```cpp\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)


def prose_of(document):
    return re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)


def anchors_of(document):
    """The headings, as links name them."""
    headings = re.findall(r"^#+ (.*)$", prose_of(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


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
        broken = []
        for document in DOCUMENTS:
            for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)", prose_of(document)):
                file = document.parent / target if target else document
                if "://" in target:
                    continue
                if not file.exists() or (anchor and anchor not in anchors_of(file)):
                    broken.append(f"{document.relative_to(ROOT)}: {target}#{anchor}")
        self.assertEqual(broken, [])

    def test_short_names_of_works_are_in_the_references(self):
        known = set(re.findall(r"^\| \[([\w-]+)\] \|", (ROOT / "docs/references.md").read_text(), re.MULTILINE))
        self.assertIn("PBD-R", known)
        cited = set()
        for folder in ("src", "lab", "tests", "docs", "include"):
            for file in (ROOT / folder).rglob("*"):
                if file.suffix in (".h", ".cpp", ".md"):
                    text = file.read_text(errors="replace")
                    cited |= set(re.findall(r"\[(PBD-R|[A-Z]*VBD[-A-Z]*|Erez|RigidIPC|ComFree)\]", text))
                    self.assertIsNone(re.search(r"\b[Ss]eed 00\d", text), f"{file} cites by a number")
        self.assertEqual(cited - known, set())


if __name__ == "__main__":
    unittest.main()
