# tools/check_layers refuses each kind of forbidden include, and nothing else.
import unittest

from tool_test import ROOT, ToolTest


class CheckLayers(ToolTest):
    def check(self, path, *includes):
        self.write(path, "".join(f"#include {include}\n" for include in includes))
        return self.run_tool("check_layers", self.tree)

    def refuse(self, path, include, reason):
        code, output = self.check(path, include)
        self.assertEqual(code, 1, output)
        self.assertIn(reason, output)
        self.assertIn(f"{path}:1:", output)

    def accept(self, path, *includes):
        code, output = self.check(path, *includes)
        self.assertEqual(code, 0, output)

    def test_this_repository_is_in_order(self):
        code, output = self.run_tool("check_layers", ROOT)
        self.assertEqual(code, 0, output)

    def test_includes_to_the_left_pass(self):
        self.accept("src/engine/simulation.cpp", '"solvers/list.h"', '"base/pool.h"', "<rattleback/simulation.h>", "<vector>")

    def test_a_folder_includes_itself(self):
        self.accept("src/build/body.cpp", '"build/parts.h"', "<rattleback/builder.h>")

    def test_a_backward_include_fails(self):
        self.refuse("src/math/solve.h", '"dynamics/tree.h"', "backward")

    def test_a_backward_include_of_a_public_header_fails(self):
        self.refuse("src/model/state.cpp", "<rattleback/simulation.h>", "backward")

    def test_a_backward_include_between_public_headers_fails(self):
        self.refuse("include/rattleback/math.h", "<rattleback/model.h>", "backward")

    def test_a_neighbour_named_without_its_folder_is_still_found(self):
        self.write("src/engine/batch.h", "")
        self.refuse("src/base/pool.cpp", '"../engine/batch.h"', "backward")

    def test_the_library_uses_only_what_every_standard_library_has(self):
        for line in ("std::ranges::sort(list);", "auto n = std::bit_cast<int>(x);"):
            self.write("src/base/pool.cpp", line + "\n")
            code, output = self.run_tool("check_layers", self.tree)
            self.assertEqual(code, 1, output)
            self.assertIn("src/base/pool.cpp:1: std::", output)
        self.write("src/base/pool.cpp", "std::sort(a, b);  // not std::ranges::sort\n")
        self.assertEqual(self.run_tool("check_layers", self.tree)[0], 0)

    def test_functions_of_the_c_library_stay_out_of_the_step(self):
        self.write("src/solvers/avbd/rows.cpp", "const double size = std::hypot(x, y);\n")
        code, output = self.run_tool("check_layers", self.tree)
        self.assertEqual(code, 1, output)
        self.assertIn("src/solvers/avbd/rows.cpp:1: std::hypot: its bits differ", output)
        self.write("src/solvers/avbd/rows.cpp", "const double size = std::sqrt(x * x + y * y);\n")
        self.assertEqual(self.run_tool("check_layers", self.tree)[0], 0)

    def test_siblings_do_not_include_each_other(self):
        self.refuse("src/collide/boxes.cpp", '"import/mjcf/reader.h"', "siblings")

    def test_a_solver_does_not_include_another(self):
        self.refuse("src/solvers/avbd/avbd.cpp", '"solvers/smooth/smooth.h"', "solver 'avbd' includes solver 'smooth'")

    def test_solvers_share_through_shared_and_the_list_sees_all(self):
        self.accept("src/solvers/avbd/avbd.cpp", '"solvers/shared/rows.h"', '"solvers/avbd/rows.h"', '"solvers/parameters.h"')
        self.accept("src/solvers/list.cpp", '"solvers/avbd/avbd.h"', '"solvers/smooth/smooth.h"')

    def test_shared_code_does_not_include_a_solver(self):
        self.refuse("src/solvers/shared/rows.cpp", '"solvers/avbd/avbd.h"', "solver 'shared'")

    def test_a_public_header_does_not_include_a_private_one(self):
        self.refuse("include/rattleback/batch.h", '"base/pool.h"', "private")

    def test_a_public_header_without_a_layer_is_named(self):
        self.refuse("src/engine/simulation.cpp", "<rattleback/novelty.h>", "without a layer")

    def test_eigen_stays_out_of_headers(self):
        self.refuse("src/solvers/ipc/newton.h", "<Eigen/Sparse>", "Eigen")

    def test_eigen_may_be_in_a_source(self):
        self.accept("src/solvers/ipc/newton.cpp", "<Eigen/Sparse>")

    def test_the_command_line_sees_the_contract_and_the_lab(self):
        self.accept("apps/cli/main.cpp", "<rattleback/rattleback.h>", '"lab/scenes/scenes.h"', '"cli/options.h"')
        self.refuse("apps/cli/run.cpp", '"engine/parts.h"', "only include/rattleback and lab")

    def test_bindings_see_the_contract_only(self):
        self.refuse("bindings/python/module.cpp", '"lab/scenes/scenes.h"', "only include/rattleback")

    def test_a_peer_engine_stays_in_the_lab(self):
        self.accept("lab/peers/mujoco.cpp", "<mujoco/mujoco.h>")
        self.refuse("src/dynamics/bias.cpp", "<mujoco/mujoco.h>", "peer")


if __name__ == "__main__":
    unittest.main()
