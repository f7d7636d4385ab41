# tools/format finds and mends what does not follow .clang-format.
import shutil
import unittest

from tool_test import ROOT, ToolTest


@unittest.skipUnless(shutil.which("clang-format-19"), "clang-format-19 is not installed")
class Format(ToolTest):
    def test_a_violation_is_found_then_mended(self):
        shutil.copy(ROOT / ".clang-format", self.tree)
        self.write("src/base/work.cpp", "int  f( int x ){\n  return x; }\n")
        code, output = self.run_tool("format", "--check", self.tree)
        self.assertNotEqual(code, 0)
        self.assertIn("work.cpp:1", output)

        self.assertEqual(self.run_tool("format", self.tree), (0, ""))
        self.assertEqual((self.tree / "src/base/work.cpp").read_text(), "int f(int x) { return x; }\n")
        self.assertEqual(self.run_tool("format", "--check", self.tree), (0, ""))


if __name__ == "__main__":
    unittest.main()
