# Tests of the program against what others wrote: files and clients. Usage: test_untrusted.py PROGRAM.
import json
import os
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1))
EVIL = "\x1b]0;owned\x07\x1b[2J\r\x9b31m\u202ename"


def call(*words, folder=None, **more):
    return subprocess.run([PROGRAM, *words], capture_output=True, timeout=120, cwd=folder, **more)


def obeyed(text):
    """What a terminal would do something else with than draw it."""
    return re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return name


class Terminal(Folder):
    def model(self):
        return self.write("evil.xml", f'<mujoco model="{EVIL}"><worldbody><geom type="plane" size="1 1 1" name="{EVIL}floor"/>'
                          f'<body name="{EVIL}body" pos="0 0 1"><freejoint name="{EVIL}joint"/><geom name="{EVIL}geom" size=".1"/></body>'
                          f'<body name="{EVIL}twin" pos="0 0 1"><freejoint/><geom name="{EVIL}other" size=".1"/></body></worldbody>'
                          f'<keyframe><key name="{EVIL}key"/></keyframe></mujoco>')

    def test_names_of_files_reach_the_terminal_as_text_only(self):
        self.model()
        self.write("wrong.xml", f'<mujoco><worldbody><geom {EVIL}="1" name="{EVIL}"/><{EVIL}/><site name="a" size="{EVIL}"/></worldbody></mujoco>')
        self.assertEqual(call("run", "evil.xml", "--steps", "20", "--record", "evil.rec", folder=self.folder).returncode, 0)
        commands = [["info", "evil.xml"], ["check", "evil.xml"], ["check", "wrong.xml"], ["run", "wrong.xml"], ["run", "evil.xml", "--steps", "5"],
                    ["run", "evil.xml", "--key", EVIL, "--steps", "2"], ["run", EVIL], ["hash", "evil.rec"], ["hash", "evil.xml"],
                    ["diff", "evil.rec", "evil.rec"], ["certify", "evil.rec"], ["info", "evil.xml", "--json"], ["check", "wrong.xml", "--json"],
                    ["convert", "evil.xml", "out.xml"], ["run", "evil.xml", "--control", "evil.csv"]]
        for words in commands:
            answer = call(*words, folder=self.folder)
            for text in (answer.stdout.decode(), answer.stderr.decode()):
                self.assertEqual(obeyed(text), [], words)
        shown = call("info", "evil.xml", folder=self.folder).stdout.decode()
        self.assertIn(r"\x1b]0;owned", shown)

    def test_json_holds_the_names_exactly(self):
        self.model()
        answer = json.loads(call("info", "evil.xml", "--json", folder=self.folder).stdout)
        names = [body["name"] for body in answer["bodies"]]
        # XML itself makes a space of a carriage return.
        self.assertIn(f"{EVIL}body".replace("\r", " "), names)


class Files(Folder):
    def test_strict_reading_is_an_option_of_every_command_that_reads_models(self):
        self.write("beside/ball.xml", '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
        self.write("own/m.xml", '<mujoco><include file="../beside/ball.xml"/></mujoco>')
        for command in (["info"], ["check"], ["hash"], ["convert"], ["run", "--steps", "1"]):
            words = [*command, "own/m.xml"] + (["out.xml", "--force"] if command == ["convert"] else [])
            self.assertEqual(call(*words, folder=self.folder).returncode, 0, command)
            answer = call(*words, "--strict", folder=self.folder)
            self.assertEqual(answer.returncode, 2, command)
            self.assertIn(b"outside the model's folder", answer.stderr + answer.stdout)

    def test_little_memory_is_an_error_and_not_the_end_of_the_process(self):
        text = b'{"asset":{"version":"2.0"},"nodes":[{"extras":[' + b"[1,2]," * 300_000 + b"0]}]}"
        text += b" " * (-len(text) % 4)
        self.write("part.glb", b"glTF" + struct.pack("<III", 2, 20 + len(text), len(text)) + b"JSON" + text)
        self.write("m.urdf", '<robot name="r"><link name="l"><collision><geometry><mesh filename="part.glb"/></geometry></collision></link></robot>')
        self.write("m.xml", '<mujoco><asset><hfield name="h" nrow="1900" ncol="1900" size="1 1 1 1"/></asset><worldbody>'
                   '<geom type="hfield" hfield="h"/></worldbody></mujoco>')
        for file in ("m.urdf", "m.xml"):
            for megabytes in range(40, 400, 15):
                limit = megabytes << 20
                answer = call("check", file, folder=self.folder, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                self.assertIn(answer.returncode, (0, 1, 2, 127), (file, megabytes, answer.stderr[-300:]))

    def test_a_snapshot_with_inputs_that_no_run_has_is_refused(self):
        self.assertEqual(call("run", "pendulum", "--steps", "5", "--solver", "ipc", "--snapshot", "good.snap", folder=self.folder).returncode, 0)
        self.assertEqual(call("run", "pendulum", "--steps", "5", "--solver", "ipc", "--from", "good.snap", folder=self.folder).returncode, 0)
        bytes_ = bytearray((self.folder / "good.snap").read_bytes())
        import zlib
        refused = 0
        for place in range(24, len(bytes_) - 12, 8):
            changed = bytearray(bytes_)
            changed[place:place + 8] = struct.pack("<d", float("nan"))
            changed[-4:] = struct.pack("<I", zlib.crc32(bytes(changed[:-4])))
            (self.folder / "bad.snap").write_bytes(changed)
            answer = call("run", "pendulum", "--steps", "1", "--solver", "ipc", "--from", "bad.snap", folder=self.folder)
            self.assertIn(answer.returncode, (0, 1, 2), (place, answer.stderr))
            refused += answer.returncode == 2
        self.assertGreater(refused, 10)


class Clients(Folder):
    """Real sockets on the loopback address, each test bounded in time."""

    def setUp(self):
        super().setUp()
        self.assertEqual(call("run", "pendulum", "--steps", "400", "--record", "a.rec", folder=self.folder).returncode, 0)
        self.server = subprocess.Popen([PROGRAM, "view", "--serve", "a.rec"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        line = self.server.stdout.readline().decode()
        if not line:
            errors = self.server.stderr.read().decode()
            self.server.wait()
            self.stop()
            self.skipTest(f"no server: {errors}")
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line)[1])

    def stop(self):
        self.server.kill()
        self.server.wait()
        self.server.stdout.close()
        self.server.stderr.close()

    def tearDown(self):
        self.stop()
        super().tearDown()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def ask(self, *headers, target="/", version="1.1"):
        with self.connect() as client:
            client.sendall("\r\n".join([f"GET {target} HTTP/{version}", f"Host: 127.0.0.1:{self.port}", *headers, "", ""]).encode())
            answer = b""
            while piece := client.recv(1 << 16):
                answer += piece
        return int(answer.split()[1]), answer

    def peak(self):
        return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{self.server.pid}/status").read_text())[1]) << 10

    def test_many_ranges_are_one_whole_answer_in_little_memory(self):
        whole = self.ask()[1]
        before = self.peak()
        status, answer = self.ask("Range: bytes=" + ",".join(f"{i}-" for i in range(2500)))
        self.assertIn(status, (200, 431))
        self.assertLess(len(answer), len(whole) + 4096)
        status, answer = self.ask("Range: bytes=0-1,3-4")
        self.assertEqual((status, len(answer)), (200, len(whole)))
        self.assertLess(self.peak() - before, 64 << 20)

    def test_slow_clients_do_not_block_the_others(self):
        slow = [self.connect() for _ in range(200)]
        for client in slow:
            try:
                client.sendall(b"GET / HTTP/1.1\r\nHost: ")
            except OSError:
                pass  # it made room
        start = time.monotonic()
        self.assertEqual(self.ask()[0], 200)
        self.assertLess(time.monotonic() - start, 5)
        time.sleep(6)
        ended = 0
        for client in slow:
            client.settimeout(1)
            try:
                ended += client.recv(1) == b""
            except ConnectionError:
                ended += 1
            except TimeoutError:
                pass
            client.close()
        self.assertEqual(ended, len(slow))
        self.assertEqual(self.ask()[0], 200)

    def test_a_client_that_sends_letter_by_letter_has_seconds_not_hours(self):
        client = self.connect()
        start = time.monotonic()
        with self.assertRaises(OSError):
            while time.monotonic() - start < 20:
                client.sendall(b"x")
                time.sleep(0.2)
        client.close()
        self.assertLess(time.monotonic() - start, 15)

    def test_clients_that_do_not_read_take_no_more_than_one_page_together(self):
        before = self.peak()
        deaf = [self.connect() for _ in range(50)]
        for client in deaf:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
        self.assertEqual(self.ask()[0], 200)
        self.assertLess(self.peak() - before, 128 << 20)
        for client in deaf:
            client.close()

    def test_headers_end(self):
        self.assertEqual(self.ask(*(f"X-{i}: {'a' * 100}" for i in range(200)))[0], 431)
        self.assertEqual(self.ask(target="/" + "a" * 20000)[0], 431)
        with self.connect() as client:
            start, sent = time.monotonic(), 0
            try:
                client.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n".encode())
                while time.monotonic() - start < 15:
                    client.sendall(b"X: " + b"a" * 1000 + b"\r\n")
                    sent += 1005
            except OSError:
                pass
            self.assertLess(sent, 8 << 20)
        self.assertEqual(self.ask()[0], 200)

    def test_what_is_no_request_is_told_so(self):
        for text in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET /\r\n\r\n", b"GET  / HTTP/1.1\r\n\r\n", b"\x00\xff\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                     b"GET http://127.0.0.1/ HTTP/1.1\r\nHost: a\r\n\r\n"):
            with self.connect() as client:
                client.sendall(text)
                self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 400"), text)
        self.assertEqual(self.ask(version="1.0")[0], 200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
