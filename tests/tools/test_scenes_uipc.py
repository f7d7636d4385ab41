# tools/scenes_uipc refuses by name what libuipc's bodies cannot be made of. libuipc itself is not needed: modules that only have its names stand for it.
import json
import os
import unittest

from tool_test import ToolTest


class ScenesUipc(ToolTest):
    def run_on(self, **shape):
        names = "class Logger:\n    class Level:\n        Warn = 0\n    set_level = staticmethod(lambda level: None)\n"
        for module, classes in (("constitution", "AffineBodyConstitution"), ("core", "Engine Scene World"), ("geometry", "ground label_surface trimesh")):
            self.write(f"uipc/{module}.py", "".join(f"{name} = None\n" for name in classes.split()))
        self.write("uipc/__init__.py", names + "builtin = view = None\n")
        self.write("numpy.py", "")
        plain = {"name": "pip", "body": 3, "plane": False, "radius": 0.0, "normal": [0, 0, 1], "vertices": [[0, 0, 0]], "faces": [], "edges": [], "points": []}
        self.write("run.json", json.dumps({"shapes": [plain | shape], "pairs": [], "frames": []}))
        return self.run_tool("scenes_uipc", self.tree / "run.json", "--dhat", "1e-3", env=os.environ | {"PYTHONPATH": str(self.tree)})

    def test_balls_wires_and_points_are_refused_by_name(self):
        for shape, words in (
            ({"radius": 0.05, "points": [0]}, "shape 'pip' of body 3 is round (radius 0.05 m)"),
            ({"points": [0]}, "shape 'pip' of body 3 has no triangles"),
        ):
            code, output = self.run_on(**shape)
            self.assertEqual(code, 2, output)
            self.assertIn(words, output)

    def test_planes_and_triangles_are_not(self):
        for shape in ({"plane": True}, {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]}):
            _, output = self.run_on(**shape)
            self.assertNotIn("'pip'", output)
            self.assertIn("IndexError", output, "goes on to the frames, of which there are none")


if __name__ == "__main__":
    unittest.main()
