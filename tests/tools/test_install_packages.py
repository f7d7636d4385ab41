# tools/install_packages asks for what is missing and only for that, with stand-ins for dpkg-query and apt-get.
import os
import shutil
import unittest

from tool_test import ROOT, ToolTest


class InstallPackages(ToolTest):
    def install(self, *arguments, installed, apt="exit 0", programs=("luxury",)):
        """Exit code, output, and what the stand-in for apt-get was told."""
        (self.tree / "tools").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tools" / "install_packages", self.tree / "tools")
        self.write("tools/packages", "# comment\nalpha  # why\nbeta\n?luxury\n\n[bench]\ndelta\n\n[test]\ngamma\n\n[long]\nomega\n")
        answers = "".join(f"echo '{name} installed'\n" for name in installed)
        self.write("bin/dpkg-query", f"#!/bin/sh\n{answers}")
        self.write("bin/apt-get", f'#!/bin/sh\necho "$@" >> "{self.tree}/told"\n{apt}\n')
        for program in programs:
            self.write(f"bin/{program}", "#!/bin/sh\n")
        self.write("bin/sudo", '#!/bin/sh\nexec "$@"\n')
        for stand_in in (self.tree / "bin").iterdir():
            stand_in.chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.tree}/bin:{os.environ['PATH']}"}
        script = self.tree / "tools" / "install_packages"
        code, output = self.run_tool(script, *arguments, env=environment)
        told = self.tree / "told"
        return code, output, told.read_text() if told.exists() else ""

    def test_nothing_missing_calls_nothing(self):
        self.assertEqual(self.install(installed=["alpha", "beta"]), (0, "", ""))

    def test_only_what_is_missing_is_installed(self):
        code, _, told = self.install(installed=["alpha"])
        self.assertEqual(code, 0)
        self.assertEqual(told, "update\ninstall -y --no-install-recommends beta\n")

    def test_the_tests_packages_are_installed_on_request(self):
        _, _, told = self.install("--test", installed=["alpha", "beta"])
        self.assertTrue(told.endswith(" delta gamma\n"), told)

    def test_the_long_tests_packages_are_installed_on_request(self):
        _, _, told = self.install("--long", installed=["alpha", "beta", "delta"])
        self.assertTrue(told.endswith(" gamma omega\n"), told)

    def test_the_benches_packages_are_installed_on_request(self):
        _, _, told = self.install("--bench", installed=["alpha", "beta"])
        self.assertTrue(told.endswith(" delta\n"), told)

    def test_an_unknown_word_is_refused(self):
        code, output, _ = self.install("--tset", installed=["alpha", "beta"])
        self.assertEqual(code, 2)
        self.assertIn("usage", output)

    def test_a_failure_names_what_is_missing(self):
        code, output, _ = self.install(installed=["beta"], apt="echo no network; exit 100")
        self.assertEqual(code, 1)
        self.assertIn("no network", output)
        self.assertIn("please install: alpha", output)

    def test_a_wish_is_installed_unless_a_program_of_that_name_is_there(self):
        _, _, told = self.install(installed=["alpha", "beta"], programs=())
        self.assertEqual(told, "update\ninstall -y --no-install-recommends luxury\n")

    def test_a_wish_that_fails_is_named_and_forgotten_for_an_hour(self):
        apt = 'case "$*" in *luxury*) exit 100 ;; esac'
        code, output, _ = self.install(installed=["alpha"], programs=(), apt=apt)
        self.assertEqual(code, 0)
        self.assertIn("going on without luxury", output)
        _, output, told = self.install(installed=["alpha", "beta"], programs=(), apt=apt)
        self.assertEqual((output, told.count("luxury")), ("", 1))


if __name__ == "__main__":
    unittest.main()
