# Tests of runs that are driven: keyframes, noise, tables of inputs, and what `info` says of them. Usage: test_driven.py PROGRAM.
import csv
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

PROGRAM = os.path.abspath(sys.argv.pop(1))


def call(*words, folder=None):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, errors="replace", timeout=600, cwd=folder)


def call_json(*words, folder=None):
    answer = call(*words, "--json", folder=folder)
    return answer.returncode, json.loads(answer.stdout)


ROBOT = """<mujoco model="arm">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.4" size="0.03" contype="0" conaffinity="0"/>
      <body name="lower" pos="0 0 -0.4">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.03" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="m1" joint="shoulder" ctrllimited="true" ctrlrange="-1 3"/>
    <motor name="m2" joint="elbow"/>
  </actuator>
  <sensor><jointpos name="angle" joint="elbow"/></sensor>
  <keyframe><key name="bent" qpos="0.5 1" ctrl="0.25 0.5"/><key name="straight" qpos="0 0"/></keyframe>
</mujoco>"""


def npy(values, columns=None):
    """An array of numpy's format 1.0: the rows of `values`, or a vector."""
    flat = [x for row in values for x in row] if columns is not None else list(values)
    shape = (len(values),) if columns is None else (len(values), columns)
    header = repr({"descr": "<f8", "fortran_order": False, "shape": shape})
    header = (header + " " * (63 - (10 + len(header)) % 64) + "\n").encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(flat)}d", *flat)


class Driven(unittest.TestCase):
    """Runs that start from keyframes, and inputs from noise and files."""

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)
        self.write("arm.xml", ROBOT)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def run_arm(self, *words):
        code, answer = call_json("run", "arm.xml", "--solver", "smooth", *words, folder=self.folder)
        self.assertEqual(code, 0, answer)
        return answer

    def expect_mistake(self, text, *words):
        answer = call("run", "arm.xml", "--solver", "smooth", "--steps", "1", *words, folder=self.folder)
        self.assertEqual(answer.returncode, 2, (words, answer.stdout, answer.stderr))
        self.assertIn(text, answer.stderr)

    def inputs(self, *words):
        """The inputs that a run recorded, [frame][actuator]."""
        self.run_arm("--record", "in.rec", *words)
        self.assertEqual(call("export", "in.rec", "in.csv", folder=self.folder).returncode, 0)
        with open(os.path.join(self.folder, "in.csv"), newline="") as file:
            return [(float(row["input.m1"]), float(row["input.m2"])) for row in csv.DictReader(file)]

    def test_a_run_starts_from_a_keyframe_by_name_or_number(self):
        for key in ("bent", "0"):
            answer = self.run_arm("--key", key, "--steps", "0")
            self.assertEqual((answer["q"], answer["v"], answer["key"]), ([0.5, 1.0], [0.0, 0.0], "bent"))
        self.assertEqual(self.run_arm("--key", "1", "--steps", "0")["q"], [0.0, 0.0])
        self.assertEqual(self.inputs("--key", "bent", "--steps", "2"), [(0.25, 0.5)] * 3, "its inputs hold")
        one = self.run_arm("--key", "bent", "--steps", "50")
        many = self.run_arm("--key", "bent", "--steps", "50", "--worlds", "3")
        self.assertEqual(many["steps"], 150)
        self.assertNotEqual(one["hash"], self.run_arm("--steps", "50")["hash"])

    def test_keyframes_that_are_not_there_are_answered_with_the_nearest(self):
        self.expect_mistake("'bent'", "--key", "bnet")
        self.expect_mistake("there are 2, the first is 0", "--key", "2")
        self.expect_mistake("--key", "--key", "bent", "--from", "x.snap")
        self.assertIn("has no keyframes", call("run", "pendulum", "--key", "0").stderr)

    def test_noise_is_the_same_for_one_seed_and_another_for_another(self):
        hashes = {seed: self.run_arm("--noise", "0.5", "--steps", "20", "--seed", seed)["hash"] for seed in ("0", "1", "2")}
        self.assertEqual(len(set(hashes.values())), 3)
        self.assertEqual(self.run_arm("--noise", "0.5", "--steps", "20")["hash"], hashes["0"])
        batches = {self.run_arm("--noise", "0.5", "--steps", "20", "--worlds", "5", "--threads", n)["hash"] for n in "13"}
        self.assertEqual(len(batches), 1, "whatever the threads")

    def test_noise_has_the_deviation_asked_for_about_the_middle_of_the_range(self):
        rows = self.inputs("--noise", "0.25", "--steps", "4000")[:-1]
        for values, middle, deviation in ((list(zip(*rows))[0], 1.0, 0.5), (list(zip(*rows))[1], 0.0, 0.25)):
            mean = sum(values) / len(values)
            spread = (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5
            # four standard errors of 4000 normal numbers; one in 16,000 lies beyond the range and is clipped
            self.assertAlmostEqual(mean, middle, delta=4 * deviation / 4000 ** 0.5)
            self.assertAlmostEqual(spread, deviation, delta=4 * deviation / 8000 ** 0.5)
        big = [first for first, _ in self.inputs("--noise", "5", "--steps", "200")]
        self.assertEqual((min(big), max(big)), (-1.0, 3.0), "clipped to the range")

    def test_a_noisy_run_continued_from_a_snapshot_ends_in_the_same_bits(self):
        whole = self.run_arm("--noise", "0.5", "--seed", "9", "--steps", "100")
        self.run_arm("--noise", "0.5", "--seed", "9", "--steps", "40", "--snapshot", "a.snap")
        rest = self.run_arm("--noise", "0.5", "--seed", "9", "--steps", "60", "--from", "a.snap")
        self.assertEqual(rest["hash"], whole["hash"])

    def test_rows_with_times_are_held_until_the_next(self):
        self.write("c.csv", "m2,time,m1\n0.5,0.004,1\n-0.5,0.0085,2\n")
        rows = self.inputs("--control", "c.csv", "--steps", "6")  # dt 2 ms
        self.assertEqual(rows, [(0, 0), (0, 0), (1, 0.5), (1, 0.5), (1, 0.5), (2, -0.5), (2, -0.5)])
        rows = self.inputs("--control", "c.csv", "--steps", "2", "--key", "bent")
        self.assertEqual(rows[0], (0.25, 0.5), "before the first row: the keyframe's")

    def test_rows_without_times_are_one_for_each_step(self):
        self.write("c.csv", "m1,m2\r\n1, 10\r\n2,20\r\n\r\n3,30\r\n")
        rows = self.inputs("--control", "c.csv", "--steps", "5")
        self.assertEqual(rows, [(1, 10), (2, 20), (3, 30), (3, 30), (3, 30), (3, 30)])
        self.run_arm("--control", "c.csv", "--steps", "2", "--snapshot", "a.snap")
        self.assertEqual(self.run_arm("--control", "c.csv", "--steps", "3", "--from", "a.snap")["hash"],
                         self.run_arm("--control", "c.csv", "--steps", "5")["hash"])

    def test_numpy_archives_drive_as_csv_does(self):
        with zipfile.ZipFile(os.path.join(self.folder, "c.npz"), "w") as archive:
            archive.writestr("time.npy", npy([0.0, 0.004]))
            archive.writestr("input.npy", npy([[1, 10], [2, 20]], 2))
        self.assertEqual(self.inputs("--control", "c.npz", "--steps", "4"), [(1, 10)] * 2 + [(2, 20)] * 3)

    def test_the_export_of_a_noisy_run_drives_it_again_to_the_same_bits(self):
        noisy = self.run_arm("--key", "bent", "--noise", "0.5", "--steps", "100", "--record", "a.rec")
        self.assertEqual(call("export", "a.rec", "a.npz", folder=self.folder).returncode, 0)
        again = self.run_arm("--key", "bent", "--control", "a.npz", "--steps", "100")
        self.assertEqual(again["hash"], noisy["hash"])

    def test_mistakes_in_files_of_inputs_are_named_with_their_place(self):
        for text, *contents in (
                ("c.csv:1: there is no actuator 'm3' (did you mean", "m1,m3\n1,2\n"),
                ("c.csv:1: no column for 'm2'", "time,m1\n0,1\n"),
                ("c.csv:1: column 'm1' is there twice", "m1,m1,m2\n0,1,2\n"),
                ("c.csv:3:2: 'nan' is not a finite number", "m1,m2\n0,1\n0,nan\n"),
                ("c.csv:2:1: 'soon' is not a finite number", "m1,m2\nsoon,1\n"),
                ("c.csv:3: 3 numbers for 2 columns", "m1,m2\n0,1\n0,1,2\n"),
                ("does not come after", "time,m1,m2\n0,1,1\n0,1,1\n"),
                ("c.csv: has no rows of numbers", "m1,m2\n"),
                ("c.csv: is empty", "")):
            self.write("c.csv", contents[0])
            self.expect_mistake(text, "--control", "c.csv")
        self.write("c.npz", b"PK but not really")
        self.expect_mistake("c.npz: is not an archive of numpy", "--control", "c.npz")
        for text, arrays in (("no array 'input'", {"time": npy([0.0])}),
                             ("'input' is [1, 3], wanted is [n, 2]", {"input": npy([[1, 2, 3]], 3)}),
                             ("not finite in row 1, column 0", {"input": npy([[1, 2], [float("nan"), 1]], 2)}),
                             ("must have the 1 rows", {"input": npy([[1, 2]], 2), "time": npy([0.0, 1.0])})):
            with zipfile.ZipFile(os.path.join(self.folder, "c.npz"), "w") as archive:
                for name, content in arrays.items():
                    archive.writestr(name + ".npy", content)
            self.expect_mistake(text, "--control", "c.npz")
        with zipfile.ZipFile(os.path.join(self.folder, "c.npz"), "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("input.npy", npy([[1, 2]] * 100, 2))
        self.expect_mistake("'input' is compressed", "--control", "c.npz")
        self.expect_mistake("missing.csv: cannot be opened", "--control", "missing.csv")
        self.expect_mistake("one of: .csv, .npz", "--control", "arm.xml")
        self.expect_mistake("--seed: belongs to --noise", "--seed", "3")
        self.expect_mistake("--noise: must be finite", "--noise", "-1")
        self.assertIn("has no actuators", call("run", "pendulum", "--noise", "1").stderr)

    def test_a_broken_archive_is_an_error_wherever_it_is_cut(self):
        with zipfile.ZipFile(os.path.join(self.folder, "c.npz"), "w") as archive:
            archive.writestr("input.npy", npy([[1, 2]], 2))
        with open(os.path.join(self.folder, "c.npz"), "rb") as file:
            whole = file.read()
        for end in range(0, len(whole), 29):
            self.write("c.npz", whole[:end])
            self.expect_mistake("c.npz", "--control", "c.npz")
        for place in range(0, len(whole), 7):
            self.write("c.npz", whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1:])
            answer = call("run", "arm.xml", "--solver", "smooth", "--steps", "1", "--control", "c.npz", folder=self.folder)
            self.assertIn(answer.returncode, (0, 2), place)

    def test_info_lists_keyframes_actuators_and_sensors(self):
        code, answer = call_json("info", "arm.xml", folder=self.folder)
        self.assertEqual(code, 0)
        self.assertEqual([key["name"] for key in answer["keyframes"]], ["bent", "straight"])
        self.assertEqual(answer["keyframes"][0]["q"], [0.5, 1.0])
        self.assertEqual([(a["name"], a["target"], a["input_range"]) for a in answer["actuators"]],
                         [("m1", "joint 'shoulder'", [-1.0, 3.0]), ("m2", "joint 'elbow'", None)])
        self.assertEqual([(s["name"], s["kind"], s["on"], s["size"]) for s in answer["sensors"]],
                         [("angle", "joint_position", "joint 'elbow'", 1)])
        text = call("info", "arm.xml", folder=self.folder).stdout
        for word in ("bent", "m1", "-1 to 3", "angle", "joint_position"):
            self.assertIn(word, text)

    def test_a_mesh_that_collides_as_its_hull_says_so_once(self):
        # a trough: 3 by 3 with a slot of 1 by 2, 1 deep; the hull has 9/7 of its volume
        outline = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
        cap = [(0, 5, 7), (5, 6, 7), (0, 1, 5), (1, 4, 5), (1, 2, 4), (2, 3, 4)]
        lines = [f"v {x} {y} {z}" for y in (0, 1) for x, z in outline]
        faces = [t for a, b, c in cap for t in ((a, b, c), (a + 8, c + 8, b + 8))]
        for i in range(8):
            j = (i + 1) % 8
            faces += [(i, i + 8, j), (j, i + 8, j + 8)]
        lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
        self.write("trough.obj", "\n".join(lines) + "\n")
        scene = """<mujoco><asset><mesh name="trough" file="trough.obj"/></asset><worldbody>
            <geom type="plane" size="1 1 1"/><body pos="0 0 5"><freejoint/><geom type="mesh" mesh="trough" {}/></body>
            <body pos="9 0 5"><freejoint/><geom type="mesh" mesh="trough" {}/></body></worldbody></mujoco>"""
        self.write("trough.xml", scene.format("", ""))
        for words in (["info"], ["run", "--solver", "convex", "--steps", "1"], ["check"]):
            answer = call(*words, "trough.xml", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            said = answer.stdout + answer.stderr
            self.assertEqual(said.count("collides as its convex hull, 1.3 times its volume"), 1, (words, said))
        off = 'contype="0" conaffinity="0"'
        self.write("drawn.xml", scene.format(off, off))
        answer = call("check", "drawn.xml", folder=self.folder)
        self.assertNotIn("hull", answer.stdout + answer.stderr, "it touches nothing")


if __name__ == "__main__":
    unittest.main()
