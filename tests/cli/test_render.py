# Tests of `rattleback render`: pictures that are not blank, the same bytes every time, and plain words for mistakes.
# Usage: test_render.py PROGRAM.
import json
import os
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom
import zlib

PROGRAM = os.path.abspath(sys.argv.pop(1))


def decode(path):
    """Width, height and rows of (r, g, b) of a PNG; every CRC is checked."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + length]
        assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, depth, colour, *rest = struct.unpack(">IIBBBBB", body)
            assert (depth, colour, rest) == (8, 2, [0, 0, 0])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    assert kind == b"IEND"
    raw = zlib.decompress(packed)
    stride, rows, above = 3 * width, [], bytearray(3 * width)
    assert len(raw) == height * (stride + 1)
    for y in range(height):
        method, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            a, b, c = row[i - 3] if i >= 3 else 0, above[i], above[i - 3] if i >= 3 else 0
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[method]) & 0xFF
        rows.append([tuple(row[i:i + 3]) for i in range(0, stride, 3)])
        above = row
    return width, height, rows


class Render(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def call(self, *words, **options):
        return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600, cwd=self.folder, **options)

    def record(self, name="a.rec", scene="arm", ignore="ignore=contact, limits, equality"):
        words = ["--set", ignore] if ignore else []
        answer = self.call("run", scene, *words, "--seconds", "0.5", "--stride", "10", "--record", name, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def render(self, *words, **options):
        answer = self.call("render", "a.rec", *words, **options)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return answer

    def expect_mistake(self, text, *words, **options):
        before = sorted(os.listdir(self.folder))
        answer = self.call("render", *words, **options)
        self.assertEqual(answer.returncode, 2, (words, answer.stdout, answer.stderr))
        self.assertIn(text, answer.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "nothing is left behind")

    def test_a_picture_shows_something(self):
        self.record()
        self.render("-o", "a.png", "--size", "160x120")
        width, height, rows = decode(self.path("a.png"))
        self.assertEqual((width, height), (160, 120))
        colours = {pixel for row in rows for pixel in row}
        self.assertGreater(len(colours), 200)
        teal = sum(1 for row in rows for r, g, b in row if b > r + 40 and g > r + 40)
        self.assertGreater(teal, 150, "the arm is partly teal")

    def test_threads_and_repetition_do_not_change_a_byte(self):
        self.record()
        for threads in ("1", "2", "5"):
            self.render("-o", f"{threads}.png", "--size", "200x150", "--threads", threads, "--time", "0.123")
        self.assertEqual(self.read("1.png"), self.read("2.png"))
        self.assertEqual(self.read("1.png"), self.read("5.png"))
        self.render("-o", "later.png", "--size", "200x150", "--time", "0.4")
        self.assertNotEqual(self.read("1.png"), self.read("later.png"))

    def test_the_answer_says_what_was_drawn(self):
        self.record()
        answer = json.loads(self.render("-o", "a.png", "--size", "64x48", "--json").stdout)
        self.assertEqual((answer["file"], answer["pictures"]), ("a.png", 1))
        self.assertAlmostEqual(answer["last"], 0.5)
        self.assertIn("t = 0.5 s", self.render("-o", "a.png", "--size", "64x48").stdout)

    def test_a_folder_gets_a_picture_per_moment(self):
        self.record()
        self.render("-o", "frames/", "--size", "64x48", "--fps", "10", "--draft")
        self.assertEqual(sorted(os.listdir(self.path("frames"))), [f"frame_{i:05}.png" for i in range(6)])
        self.assertEqual(decode(self.path("frames/frame_00003.png"))[:2], (64, 48))
        self.expect_mistake("not empty", "a.rec", "-o", "frames/")

    def test_layers_are_arrays_for_any_number_of_threads(self):
        self.record()
        for layer, kind, size, shape in (("depth", "<f4", 4, "(48, 64)"), ("segmentation", "<i4", 4, "(48, 64)"), ("colour", "|u1", 3, "(48, 64, 3)")):
            self.render("-o", "a.npy", "--size", "64x48", "--layer", layer, "--threads", "1")
            self.render("-o", "b.npy", "--size", "64x48", "--layer", layer, "--threads", "3")
            raw = self.read("a.npy")
            length = struct.unpack_from("<H", raw, 8)[0]
            self.assertEqual((raw[:8], (10 + length) % 64), (b"\x93NUMPY\x01\x00", 0))
            head = raw[10:10 + length].decode()
            self.assertIn(f"'descr': '{kind}'", head)
            self.assertIn(f"'shape': {shape}", head)
            self.assertEqual(len(raw), 10 + length + 64 * 48 * size)
            self.assertEqual(raw, self.read("b.npy"))
        self.render("-o", "layers/", "--size", "64x48", "--fps", "10", "--layer", "depth")
        self.assertEqual(sorted(os.listdir(self.path("layers"))), [f"frame_{i:05}.npy" for i in range(6)])
        self.expect_mistake("are arrays", "a.rec", "-o", "c.png", "--layer", "depth")
        self.expect_mistake("an array of what?", "a.rec", "-o", "c.npy")
        self.expect_mistake("'heat' is not understood", "a.rec", "-o", "c.npy", "--layer", "heat")
        self.expect_mistake("neither depth nor shape", "a.rec", "-o", "c.npy", "--layer", "depth", "--contacts")

    def test_a_vector_picture_is_well_formed_and_small(self):
        self.record()
        self.render("-o", "a.svg", "--size", "900x500")
        text = self.read("a.svg")
        document = xml.dom.minidom.parseString(text)
        self.assertGreater(len(document.getElementsByTagName("path")), 20)
        self.assertLess(len(text), 60_000)
        self.render("-o", "b.svg", "--size", "900x500", "--threads", "1")
        self.assertEqual(text, self.read("b.svg"))

    def test_the_camera_goes_where_it_is_told(self):
        self.record()
        pictures = set()
        for number, words in enumerate((["--camera", "30,10"], ["--camera", "30,10,5"], ["--camera", "30,10,5,0,0,1"],
                                        ["--camera=-150,45"], ["--follow", "palm"], [])):
            self.render("-o", f"{number}.png", "--size", "96x64", "--draft", *words)
            pictures.add(self.read(f"{number}.png"))
        self.assertEqual(len(pictures), 6)

    DRESSED = """<mujoco><asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
        <material name="m" texture="t" texrepeat="2 2"/></asset>
        <worldbody><light pos="0 0 3" type="directional"/><geom type="plane" size="0 0 1" material="m"/>
        <camera name="above" pos="0 0 3"/><camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
        <body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""

    def test_a_camera_of_the_model_is_called_by_its_name(self):
        with open(self.path("dressed.xml"), "w") as file:
            file.write(self.DRESSED)
        answer = self.call("run", "dressed.xml", "--seconds", "0.05", "--record", "a.rec")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.render("-o", "above.png", "--size", "64x64", "--camera", "above", "--time", "0")
        self.render("-o", "side.png", "--size", "64x64", "--camera", "side", "--time", "0")
        self.render("-o", "one.png", "--size", "64x64", "--camera", "side", "--time", "0", "--threads", "1")
        self.assertEqual(self.read("side.png"), self.read("one.png"))
        # From above the floor is full of both colours of the checker.
        pixels = [pixel for row in decode(self.path("above.png"))[2] for pixel in row]
        self.assertGreater(sum(r > 2 * b for r, g, b in pixels), 800)
        self.assertGreater(sum(b > 2 * r for r, g, b in pixels), 800)
        self.assertNotEqual(self.read("above.png"), self.read("side.png"))
        self.expect_mistake("it has above, side", "a.rec", "-o", "x.png", "--camera", "beside")

    def test_a_camera_is_missed_where_a_model_has_none(self):
        self.record()
        self.expect_mistake("its model has no cameras", "a.rec", "-o", "x.png", "--camera", "wrist")

    def make_ffmpeg(self, script):
        os.mkdir(self.path("bin"))
        with open(self.path("bin/ffmpeg"), "w") as file:
            file.write("#!/usr/bin/env python3\nimport sys\n" + script)
        os.chmod(self.path("bin/ffmpeg"), stat.S_IRWXU)
        return dict(os.environ, PATH=self.path("bin") + os.pathsep + os.environ["PATH"])

    def test_videos_go_through_ffmpeg(self):
        self.record()
        environment = self.make_ffmpeg("open(sys.argv[-1], 'wb').write(' '.join(sys.argv[1:-1]).encode() + b'|'"
                                       " + sys.stdin.buffer.read())\n")
        self.render("-o", "a.mp4", "--size", "64x48", "--fps", "20", "--draft", env=environment)
        options, _, frames = self.read("a.mp4").partition(b"|")
        self.assertIn(b"-s 64x48 -r 20 ", options)
        self.assertEqual(len(frames), 11 * 64 * 48 * 3)
        self.render("-o", "last.png", "--size", "64x48", "--draft")
        pixels = b"".join(bytes(pixel) for row in decode(self.path("last.png"))[2] for pixel in row)
        self.assertEqual(frames[-len(pixels):], pixels, "the last frame of the video is the last picture")
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.mp4", "a.rec", "bin", "last.png"])

    def test_an_ffmpeg_that_fails_leaves_no_video(self):
        self.record()
        environment = self.make_ffmpeg("sys.stdin.buffer.read(10)\nsys.exit(1)\n")
        self.expect_mistake("ffmpeg", "a.rec", "-o", "a.mp4", "--size", "64x48", "--draft", env=environment)

    def test_a_machine_without_ffmpeg_is_told_so(self):
        self.record()
        os.mkdir(self.path("empty"))
        self.expect_mistake("video needs the program ffmpeg", "a.rec", "-o", "a.mp4", "--size", "64x48",
                            env={"PATH": self.path("empty")})

    def test_files_that_are_no_recordings_are_named(self):
        self.record()
        data = self.read("a.rec")
        for name, content in (("empty.rec", b""), ("text.rec", b"time,x\n" * 100), ("head.rec", data[:40]),
                              ("model.rec", data[:300]), ("bent.rec", data[:2000] + b"\0" + data[2001:])):
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.expect_mistake(name, name, "-o", "x.png")
        self.expect_mistake("missing.rec: cannot be opened", "missing.rec", "-o", "x.png")
        with open(self.path("cut.rec"), "wb") as file:
            file.write(data[:-50])
        answer = self.call("render", "cut.rec", "-o", "x.png", "--size", "64x48")
        self.assertIn("cut off", answer.stderr)
        self.assertIn(answer.returncode, (0, 2), "drawn if a frame is left")

    def test_mistakes_are_explained_and_leave_nothing(self):
        self.record()
        self.expect_mistake("no pictures as '.gif'", "a.rec", "-o", "a.gif")
        self.expect_mistake("which kind", "a.rec", "-o", "a")
        self.expect_mistake("cannot be created", "a.rec", "-o", "no/folder/a.png", "--size", "32x32")
        self.expect_mistake("cannot be created", "a.rec", "-o", "/proc/a.png", "--size", "32x32")
        for size in ("0x0", "-5x100", "100", "axb", "99999x2", "8192x8192", "1e3x5", ""):
            self.expect_mistake("--size", "a.rec", "-o", "a.png", f"--size={size}")
        self.expect_mistake("even", "a.rec", "-o", "a.mp4", "--size", "65x48")
        self.expect_mistake("it goes from 0 to 0.5 s", "a.rec", "-o", "a.png", "--time", "7")
        self.expect_mistake("--time", "a.rec", "-o", "a.png", "--time", "nan")
        self.expect_mistake("--time", "a.rec", "-o", "frames/", "--time", "0.1")
        self.expect_mistake("--fps", "a.rec", "-o", "frames/", "--fps", "0")
        for camera in ("1", "1,2,3,4", "a,b", "0,95", "0,10,-3", "0,10,nan"):
            self.expect_mistake("--camera", "a.rec", "-o", "a.png", f"--camera={camera}")
        self.expect_mistake("no body 'nobody'", "a.rec", "-o", "a.png", "--follow", "nobody")
        self.expect_mistake("--output", "a.rec")

    def test_contacts_that_were_not_recorded_are_mentioned(self):
        self.record()
        answer = self.render("-o", "a.png", "--size", "64x48", "--contacts")
        self.assertIn("the recording has no contacts", answer.stderr)


if __name__ == "__main__":
    unittest.main()
