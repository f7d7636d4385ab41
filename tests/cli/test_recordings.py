# Tests of recordings on the command line: run --record, hash, diff, export. Usage: test_recordings.py PROGRAM.
import csv
import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))


def read_frames(path):
    """Frames as docs/recordings.md lays them out: (time, step, energy, numbers that follow), without our library."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"RBRECD\r\n" and zlib.crc32(data[:28]) == struct.unpack_from("<I", data, 28)[0]
    frames, at = [], 32
    while at < len(data):
        kind, _, size, count, payload_crc, crc = struct.unpack_from("<4sIQQII", data, at)
        payload = data[at + 32:at + 32 + size]
        assert crc == zlib.crc32(data[at:at + 28]) and payload_crc == zlib.crc32(payload)
        assert kind == (b"MODL" if at == 32 else b"FRMS")
        for i in range(count):  # without forces and contacts all frames of a chunk have one size
            begin, length = i * (size // count), size // count
            time_, step, kinetic, potential = struct.unpack_from("<dqdd", payload, begin)
            numbers = struct.unpack_from(f"<{(length - 208) // 8}d", payload, begin + 208)
            frames.append((time_, step, kinetic, potential, numbers))
        at += 32 + size
    return frames


class Recordings(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def call(self, *words):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600, cwd=self.folder)

    def call_json(self, *words):
        answer = self.call(*words, "--json")
        return answer.returncode, json.loads(answer.stdout)

    def record(self, name, *words, scene="double_pendulum"):
        code, answer = self.call_json("run", scene, "--record", name, *words)
        self.assertEqual(code, 0)
        return answer

    def expect_mistake(self, text, *words):
        answer = self.call(*words)
        self.assertEqual(answer.returncode, 2, (words, answer.stdout, answer.stderr))
        self.assertIn(text, answer.stderr)

    def test_certify_tells_by_its_exit_code_whether_anything_passed_through_anything(self):
        self.record("free.rec", "--steps", "20", scene="t_handle")
        answer = self.call("certify", "free.rec")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        self.assertIn("no intersection", answer.stdout)
        # Without contact a pile falls through its floor and through itself.
        self.record("fallen.rec", "--solver", "smooth", "--set", "ignore=contact", "--seconds", "1", scene="box_stack")
        code, report = self.call_json("certify", "fallen.rec", "--model", "box_stack")
        self.assertEqual((code, report["class"]), (1, "tunnelled"))
        self.assertGreater(max(finding["deepest"] for finding in report["findings"]), 0.1)
        self.record("sparse.rec", "--steps", "20", "--stride", "5", scene="t_handle")
        self.expect_mistake("--stride 1", "certify", "sparse.rec")
        self.assertEqual(self.call("certify", "sparse.rec", "--states").returncode, 0)

    def test_exported_poses_come_back_to_the_bit(self):
        for scene, words in (("ipc/card_house_2", ("--solver", "ipc")), ("double_pendulum", ()), ("ipc/pendulum", ("--solver", "ipc", "--stride", "3"))):
            self.record("a.rec", "--steps", "12", *words, scene=scene)
            for ending in ("csv", "npz"):
                self.assertEqual(self.call("export", "a.rec", f"a.{ending}").returncode, 0)
                code, answer = self.call_json("record", f"a.{ending}", "--model", scene, "-o", "b.rec", "--solver", "peer")
                self.assertEqual(code, 0, scene)
                for name in "ab":
                    self.assertEqual(self.call("export", f"{name}.rec", f"{name}_again.csv").returncode, 0)
                tables = []
                for name in ("a_again.csv", "b_again.csv"):
                    with open(os.path.join(self.folder, name), newline="") as file:
                        rows = list(csv.reader(file))
                    last = max(i for i, title in enumerate(rows[0]) if title.endswith(".qz") and not title.startswith("q."))
                    tables.append([row[:2] + row[4:last + 1] for row in rows])
                self.assertEqual(*tables)
                self.assertEqual(answer["frames"], len(tables[0]) - 1)
                reports = [self.call_json("certify", f"{name}.rec", *(["--states"] if "--stride" in words else [])) for name in "ab"]
                self.assertEqual(*reports)

    def test_speeds_of_poses_are_those_of_their_path(self):
        self.record("a.rec", "--steps", "200", "--dt", "0.0005", scene="t_handle")
        self.assertEqual(self.call("export", "a.rec", "a.csv").returncode, 0)
        self.assertEqual(self.call("record", "a.csv", "--model", "t_handle", "-o", "b.rec").returncode, 0)
        code, difference = self.call_json("diff", "a.rec", "b.rec", "--tolerance", "1e-2")
        # The spin of some 10 rad/s changes by at most 50 rad/s^2, within half a step: 0.0125 rad/s, and the energy with it.
        self.assertEqual(difference["largest_pose"], None)
        a, b = (read_frames(os.path.join(self.folder, f"{name}.rec")) for name in "ab")
        for (time_, step, kinetic, _, numbers), (other_time, other_step, other_kinetic, _, others) in zip(a, b):
            self.assertEqual((time_, step, numbers[20:27]), (other_time, other_step, others[20:27]))  # behind q, v and the world
            self.assertAlmostEqual(kinetic, other_kinetic, delta=2e-3 * kinetic)
            for x, y in zip(numbers[7:13], others[7:13]):
                self.assertAlmostEqual(x, y, delta=2e-2)

    def test_poses_of_a_peer_need_times_and_bodies_alone(self):
        self.record("a.rec", "--steps", "3", scene="ipc/mass_ratio")
        self.call("export", "a.rec", "a.csv")
        with open(os.path.join(self.folder, "a.csv"), newline="") as file:
            rows = list(csv.reader(file))
        keep = [i for i, title in enumerate(rows[0]) if title == "time" or (i > 3 and not title.startswith(("q.", "v.")))]
        with open(os.path.join(self.folder, "p.csv"), "w", newline="") as file:
            csv.writer(file).writerows([row[i] for i in reversed(keep)] for row in rows)
        answer = self.call("record", "p.csv", "--model", "ipc/mass_ratio", "-o", "p.rec", "--solver", "bullet")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("4 frames, 0 to", answer.stdout)
        code, report = self.call_json("certify", "p.rec", "--model", "ipc/mass_ratio")
        self.assertEqual((code, report["frames"]), (0, 4))
        self.assertEqual(self.call("render", "p.rec", "-o", "p.svg", "--size", "160x120").returncode, 0)
        self.assertEqual(self.call("hash", "p.rec").returncode, 0)

    def test_mistakes_in_poses_are_named_with_their_place(self):
        title = "time," + ",".join(f"handle.{entry}" for entry in ("x", "y", "z", "qw", "qx", "qy", "qz"))
        good = "0,0,0,0,1,0,0,0\n"
        for text, content in (
                ("p.csv: is empty", ""),
                ("p.csv: has no rows of numbers", title + "\n"),
                ("p.csv:1: no column 'time'", title[5:] + "\n" + good[2:]),
                ("p.csv:1: no columns for body 'handle', which can move", "time\n0\n"),
                ("p.csv:1: no column 'handle.qz'", title[:-10] + "\n0,0,0,0,1,0,0\n"),
                ("there is no body 'handel' (did you mean", title.replace("handle.x", "handel.x") + "\n" + good),
                ("'.w' of body 'handle' is no part of a pose", title + ",handle.w\n0,0,0,0,1,0,0,0,1\n"),
                ("p.csv:1: column 'time' is there twice", title + ",time\n0,0,0,0,1,0,0,0,0\n"),
                ("p.csv:3: 7 numbers for 8 columns", title + "\n" + good + "1,0,0,0,1,0,0\n"),
                ("p.csv:3:4: 'nan' is not a finite number", title + "\n" + good + "1,0,0,nan,1,0,0,0\n"),
                ("the time of row 1, 0 s, does not come after 0 s", title + "\n" + good + good),
                ("p.csv:3: the quaternion of body 'handle' has length 1.00001", title + "\n" + good + "1,0,0,0,1.00001,0,0,0\n"),
                ("p.csv:2: the quaternion of body 'handle' has length 0", title + "\n0,0,0,0,0,0,0,0\n"),
                ("p.csv:3: step 4 does not come after step 4", title + ",step\n" + good[:-1] + ",4\n1,0,0,0,1,0,0,0,4\n"),
                ("p.csv:2: 0.5 steps: must be a whole number", title + ",step\n" + good[:-1] + ",0.5\n")):
            with open(os.path.join(self.folder, "p.csv"), "w") as file:
                file.write(content)
            self.expect_mistake(text, "record", "p.csv", "--model", "t_handle", "-o", "p.rec")
            self.assertFalse(os.path.exists(os.path.join(self.folder, "p.rec")), "nothing is written")
        # What is only wrong between rows leaves an older recording as it was.
        with open(os.path.join(self.folder, "p.rec"), "w") as file:
            file.write("older")
        for text, rows in (
                ("row 1, body 'handle': moves at a speed that is no number", "1e-300,1e200,0,0,1,0,0,0\n"),
                ("row 2: its time is too far from the first", "1e308,0,0,0,1,0,0,0\n")):
            with open(os.path.join(self.folder, "p.csv"), "w") as file:
                file.write(title + "\n" + good.replace("0,", "-1e308," if "1e308" in rows else "0,", 1) + rows)
            self.expect_mistake(text, "record", "p.csv", "--model", "t_handle", "-o", "p.rec")
            with open(os.path.join(self.folder, "p.rec")) as file:
                self.assertEqual(file.read(), "older")
        os.remove(os.path.join(self.folder, "p.rec"))
        self.expect_mistake("missing.csv: cannot be opened", "record", "missing.csv", "--model", "t_handle", "-o", "p.rec")
        self.expect_mistake("no reader of poses for files that end in '.txt'", "record", "p.txt", "--model", "t_handle", "-o", "p.rec")
        self.record("a.rec", "--steps", "2", scene="t_handle")
        self.call("export", "a.rec", "a.npz")
        self.expect_mistake("wanted is [3, ", "record", "a.npz", "--model", "ipc/five_cubes", "-o", "p.rec")
        # What is short of unit length by rounding alone is made unit.
        with open(os.path.join(self.folder, "p.csv"), "w") as file:
            file.write(title + "\n" + "0,0,0,0,1.0000005,0,0,0\n")
        self.assertEqual(self.call("record", "p.csv", "--model", "t_handle", "-o", "p.rec").returncode, 0)
        self.assertEqual(read_frames(os.path.join(self.folder, "p.rec"))[0][4][3], 1.0)

    def test_certificates_hold_bounds_that_a_checker_without_the_engine_proves(self):
        self.record("cubes.rec", "--solver", "ipc", "--steps", "5", scene="ipc/mass_ratio")
        code, report = self.call_json("certify", "cubes.rec", "--certificate", "cubes.json")
        self.assertEqual(code, 0)
        least = report["least_distance"]
        self.assertGreater(least["distance"], 0)
        self.assertIn("least proven distance", self.call("certify", "cubes.rec", "--certificate", "cubes.json").stdout)
        checker = [sys.executable, os.path.join(os.path.dirname(__file__), "..", "..", "tools", "check_certificate")]
        with open(os.path.join(self.folder, "cubes.json")) as file:
            certificate = json.load(file)
        for factor, expected in ((1, 0), (3, 1)):
            for frame in certificate["frames"]:
                frame["bounds"] = [[i, j, factor * bound] for i, j, bound in frame["bounds"]]
            name = os.path.join(self.folder, "told.json")
            with open(name, "w") as file:
                json.dump(certificate, file)
            answer = subprocess.run([*checker, name], capture_output=True, text=True)
            self.assertEqual(answer.returncode, expected, answer.stdout + answer.stderr)
            self.assertIn("m apart at" if expected else f"the least: {least['distance']:.6g} m", answer.stdout)

    def test_the_last_frame_is_the_last_state_of_the_run(self):
        run = self.record("a.rec", "--steps", "100")
        self.assertEqual(run["recording"], {"file": "a.rec", "frames": 101})
        code, answer = self.call_json("hash", "a.rec")
        self.assertEqual(code, 0)
        self.assertEqual(answer["frames"], 101)
        self.assertEqual(answer["state"], run["hash"])
        code, scene = self.call_json("hash", "double_pendulum")
        self.assertEqual(code, 0)
        self.assertEqual(answer["model"], scene["model"])

    def test_recording_does_not_change_the_run(self):
        _, plain = self.call_json("run", "double_pendulum", "--steps", "100")
        self.assertEqual(self.record("a.rec", "--steps", "100")["hash"], plain["hash"])
        self.assertEqual(self.record("b.rec", "--steps", "100", "--stride", "7")["hash"], plain["hash"])

    def test_a_stride_keeps_every_nth_step_and_the_last(self):
        self.record("a.rec", "--steps", "10", "--stride", "4")
        self.assertEqual(self.call("export", "a.rec", "a.csv").returncode, 0)
        with open(os.path.join(self.folder, "a.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["step"] for row in rows], ["0", "4", "8", "10"])

    def test_the_bytes_lie_where_the_document_says(self):
        self.record("a.rec", "--steps", "300", scene="t_handle")  # one free body: q 7, v 6, two poses, two velocities
        self.assertEqual(self.call("export", "a.rec", "a.csv").returncode, 0)
        with open(os.path.join(self.folder, "a.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        frames = read_frames(os.path.join(self.folder, "a.rec"))
        self.assertEqual(len(frames), 301)
        for row, (time_, step, kinetic, potential, numbers) in zip(rows, frames, strict=True):
            self.assertEqual(len(numbers), 7 + 6 + 2 * 7 + 2 * 6)
            self.assertEqual((float(row["time"]), int(row["step"])), (time_, step))
            self.assertEqual((float(row["kinetic_energy"]), float(row["potential_energy"])), (kinetic, potential))
            pose = [float(row["handle." + entry]) for entry in ("x", "y", "z", "qw", "qx", "qy", "qz")]
            self.assertEqual(pose[:3], list(numbers[:3]), "the first coordinates of a free body are its position")
            self.assertEqual(pose, list(numbers[20:27]), "the pose of the second body")

    def test_two_processes_give_the_same_hash(self):
        hashes = set()
        for name in ("a.rec", "b.rec"):
            self.record(name, "--steps", "200")
            hashes.add(self.call_json("hash", name)[1]["recording"])
        self.assertEqual(len(hashes), 1)
        self.assertEqual(self.call("diff", "a.rec", "b.rec").returncode, 0)

    def test_diff_names_frame_and_body_and_exits_with_1(self):
        self.record("a.rec", "--steps", "50")
        self.record("b.rec", "--steps", "50", "--set", "integrator=euler")
        code, answer = self.call_json("diff", "a.rec", "b.rec")
        self.assertEqual(code, 1)
        self.assertFalse(answer["same"])
        self.assertEqual(answer["first"]["frame"], 1)
        self.assertEqual(answer["first"]["quantity"], "body_pose")
        self.assertIn("body", answer["first"])
        self.assertGreater(answer["largest_pose"]["difference"], answer["first"]["difference"])
        self.assertIn("other parameters of the solver", answer["notes"])
        self.assertIn("differ: first in frame 1", self.call("diff", "a.rec", "b.rec").stdout)
        self.assertEqual(self.call("diff", "a.rec", "b.rec", "--tolerance", "1e3").returncode, 0)

    def test_diff_by_time_compares_runs_of_other_timesteps(self):
        self.record("a.rec", "--seconds", "0.5", "--dt", "0.002")
        self.record("b.rec", "--seconds", "0.5", "--dt", "0.001")
        self.assertEqual(self.call("diff", "a.rec", "b.rec", "--tolerance", "1e-2").returncode, 1)
        code, answer = self.call_json("diff", "a.rec", "b.rec", "--by-time", "--tolerance", "1e-2")
        self.assertEqual((code, answer["frames_compared"]), (0, 251), answer)
        code, answer = self.call_json("diff", "b.rec", "a.rec", "--by-time", "--tolerance", "1e-2")
        self.assertEqual((code, answer["frames_compared"]), (0, 501), "between frames too")
        self.assertEqual(self.call("diff", "a.rec", "b.rec", "--by-time").returncode, 1, "bit for bit they differ")

    def test_exports_are_complete_files(self):
        self.record("a.rec", "--steps", "20")
        for name in ("a.npz", "a.csv", "a.gltf", "a.glb"):
            answer = self.call("export", "a.rec", name)
            self.assertEqual(answer.returncode, 0, answer.stderr)
        with zipfile.ZipFile(os.path.join(self.folder, "a.npz")) as archive:
            self.assertIsNone(archive.testzip())
            self.assertIn("body_pose.npy", archive.namelist())
        with open(os.path.join(self.folder, "a.gltf")) as file:
            self.assertEqual(json.load(file)["asset"]["version"], "2.0")
        self.assertEqual(len(os.listdir(self.folder)), 5, "nothing temporary is left")

    def test_mistakes_are_explained_and_leave_nothing(self):
        self.record("a.rec", "--steps", "5")
        self.expect_mistake("no export to '.mp4'", "export", "a.rec", "a.mp4")
        self.expect_mistake("missing.rec: cannot be opened", "export", "missing.rec", "a.npz")
        self.expect_mistake("cannot be created", "export", "a.rec", "no/folder/a.npz")
        self.expect_mistake("missing.rec", "diff", "a.rec", "missing.rec")
        self.expect_mistake("'double_pendulum'", "hash", "double_pendulm")
        self.expect_mistake("--stride", "run", "pendulum", "--record", "b.rec", "--stride", "0")
        self.expect_mistake("--record", "run", "pendulum", "--contacts")
        self.expect_mistake("one world", "run", "pendulum", "--record", "b.rec", "--worlds", "2")
        self.expect_mistake("No space left", "run", "pendulum", "--record", "/dev/full")
        with open(os.path.join(self.folder, "text.rec"), "w") as file:
            file.write("time,x\n" * 100)
        self.expect_mistake("text.rec, byte 0: this is not a Rattleback recording", "hash", "text.rec")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.rec", "text.rec"])

    def test_a_killed_run_leaves_a_recording_that_can_be_used(self):
        path = os.path.join(self.folder, "a.rec")
        child = subprocess.Popen([PROGRAM, "run", "chain", "--seconds", "100000", "--record", path],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not (os.path.exists(path) and os.path.getsize(path) > 2_000_000) and time.monotonic() < deadline:
            time.sleep(0.01)
        child.send_signal(signal.SIGKILL)
        self.assertEqual(child.wait(), -signal.SIGKILL)
        code, answer = self.call_json("hash", "a.rec")
        self.assertEqual(code, 0)
        self.assertGreater(answer["frames"], 100)
        self.assertEqual(self.call("export", "a.rec", "a.npz").returncode, 0)

    def start_recording(self, name):
        """A run that records until it is ended."""
        path = os.path.join(self.folder, name)
        child = subprocess.Popen([PROGRAM, "run", "chain", "--seconds", "100000", "--record", path],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        deadline = time.monotonic() + 30
        while not (os.path.exists(path) and os.path.getsize(path) > 500_000) and time.monotonic() < deadline:
            time.sleep(0.01)
        return child

    def test_a_second_writer_of_a_recording_is_refused_and_the_first_goes_on(self):
        child = self.start_recording("a.rec")
        path = os.path.join(self.folder, "a.rec")
        inode = os.stat(path).st_ino
        self.expect_mistake("a.rec: is being written by another run", "run", "chain", "--steps", "5", "--record", "a.rec")
        self.assertEqual(os.stat(path).st_ino, inode)
        self.record("b.rec", "--steps", "5")  # beside it is no matter
        size, deadline = os.path.getsize(path), time.monotonic() + 30
        while os.path.getsize(path) == size and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertGreater(os.path.getsize(path), size)
        child.kill()
        child.wait()
        self.record("a.rec", "--steps", "5")  # no lock is left of a killed writer
        self.assertEqual(self.call_json("hash", "a.rec")[1]["frames"], 6)

    def test_a_limit_on_the_size_of_files_is_an_error_that_keeps_what_was_written(self):
        limit = 3_000_000
        answer = subprocess.run(
            [PROGRAM, "run", "chain", "--seconds", "1000", "--record", "a.rec", "--snapshot", "a.snap"],
            capture_output=True, text=True, timeout=600, cwd=self.folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(answer.returncode, 2, answer.stderr)
        self.assertIn("a.rec: cannot be written: File too large", answer.stderr)
        frames = int(re.search(r"it keeps the (\d+) frames", answer.stderr).group(1))
        self.assertGreater(frames, 100)
        self.assertEqual(len(read_frames(os.path.join(self.folder, "a.rec"))), frames)
        self.assertEqual(self.call_json("hash", "a.rec")[1]["frames"], frames)
        # where the run stopped is kept, too
        self.assertEqual(self.call("run", "chain", "--steps", "1", "--from", "a.snap").returncode, 0)

    def test_a_cut_off_recording_is_used_with_a_warning(self):
        self.record("a.rec", "--steps", "600")
        path = os.path.join(self.folder, "a.rec")
        os.truncate(path, os.path.getsize(path) - 100)
        answer = self.call("hash", "a.rec")
        self.assertEqual(answer.returncode, 0)
        self.assertIn("warning: ", answer.stderr)
        self.assertIn("cut off", answer.stderr)
        self.assertIn("512 frames", answer.stdout)


if __name__ == "__main__":
    unittest.main()
