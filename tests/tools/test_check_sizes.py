# tools/check_sizes warns and fails at its limits.
import unittest

from tool_test import ROOT, ToolTest


def make_function(lines, header="int work(int x)"):
    """A C++ function whose braces and body take `lines` lines."""
    return f"{header}\n{{\n" + "    ++x;\n" * (lines - 2) + "}\n"


class CheckSizes(ToolTest):
    def check(self, text, path="src/base/work.cpp"):
        self.write(path, text)
        return self.run_tool("check_sizes", self.tree)

    def test_this_repository_is_in_order(self):
        code, output = self.run_tool("check_sizes", ROOT)
        self.assertEqual(code, 0, output)

    def test_a_function_at_the_limit_is_silent(self):
        self.assertEqual(self.check(make_function(100)), (0, "check_sizes: 1 files, 0 warnings, 0 failures\n"))

    def test_a_long_function_is_warned_about_by_name_and_place(self):
        code, output = self.check("// Work.\n" + make_function(101))
        self.assertEqual(code, 0)
        self.assertIn("src/base/work.cpp:3: warning: work has 101 lines", output)

    def test_a_very_long_function_fails(self):
        for header in ("int work(int x)", "template <class T>\nT Type<T>::work(T x) const", "Type::Type(int x)\n    : x_(x)"):
            with self.subTest(header=header):
                code, output = self.check(make_function(201, header))
                self.assertEqual(code, 1, output)
                self.assertIn("has 201 lines", output)

    def test_a_long_member_function_inside_a_class_fails(self):
        body = "".join(f"    {line}\n" for line in make_function(201).splitlines())
        self.assertEqual(self.check(f"class Type\n{{\npublic:\n{body}}};\n")[0], 1)

    def test_a_long_namespace_or_class_is_no_function(self):
        lines = "    int x = f();\n" * 210
        code, output = self.check(f"namespace a\n{{\n\nstruct B\n{{\n{lines}}};\n\n}}  // namespace a\n")
        self.assertEqual((code, output.count("warning:")), (0, 0), output)

    def test_a_very_long_file_fails(self):
        code, output = self.check("int x;\n" * 1001)
        self.assertEqual(code, 1)
        self.assertIn("file has 1001 lines", output)

    def test_a_long_public_header_is_warned_about_sooner(self):
        code, output = self.check("int x;\n" * 301, "include/rattleback/model.h")
        self.assertEqual(code, 0)
        self.assertIn("warning: public header has 301 lines", output)

    def test_python_functions_are_measured_too(self):
        code, _ = self.check("def work():\n" + "    pass\n" * 201, "tools/work.py")
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
