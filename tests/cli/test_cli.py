# Tests of the command line as a user sees it: exit codes, JSON, hints, snapshots. Usage: test_cli.py PROGRAM.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1))


def call(*words, folder=None, **environment):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=600, cwd=folder,
                          env={**os.environ, **environment})


def call_json(*words, folder=None):
    answer = call(*words, "--json", folder=folder)
    return answer.returncode, json.loads(answer.stdout)


class Help(unittest.TestCase):
    def test_every_command_explains_itself_with_examples(self):
        for words in ([], ["run"], ["info"], ["solvers"], ["scenes"], ["bench"], ["convert"], ["check"], ["help"]):
            answer = call(*words, "--help")
            self.assertEqual(answer.returncode, 0, words)
            self.assertIn("Examples:", answer.stdout, words)

    def test_no_command_at_all_is_a_mistake(self):
        self.assertEqual(call().returncode, 2)

    def test_help_is_a_command_too(self):
        self.assertEqual(call("help").stdout, call("--help").stdout)
        self.assertEqual(call("help", "run").stdout, call("run", "--help").stdout)
        answer = call("help", "rnu")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("'run'", answer.stderr)


class OldProcessor(unittest.TestCase):
    @unittest.skipUnless(shutil.which("qemu-x86_64"), "qemu-user is not installed")
    def test_a_processor_without_wide_registers_gets_a_message(self):
        for kind in ("Nehalem", "SandyBridge"):  # without AVX, and with it alone
            answer = subprocess.run(["qemu-x86_64", "-cpu", kind, PROGRAM, "--version"], capture_output=True, text=True, timeout=120)
            if answer.returncode == 0:
                self.skipTest("this build runs on any processor")
            self.assertEqual(answer.returncode, 2, answer.stderr)
            self.assertIn("needs a processor with x86-64-v3", answer.stderr)


class Decompose(unittest.TestCase):
    CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "".join(
        f"f {a} {b} {c}\n{d}" for a, b, c, d in (
            (1, 2, 4, "f 1 4 3\n"), (5, 7, 8, "f 5 8 6\n"), (1, 5, 6, "f 1 6 2\n"),
            (3, 4, 8, "f 3 8 7\n"), (1, 3, 7, "f 1 7 5\n"), (2, 6, 8, "f 2 8 4\n")))

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        with open(os.path.join(self.folder, "a cup.obj"), "w", encoding="ascii") as file:
            file.write(self.CUBE)

    def test_without_coacd_the_error_says_how_to_install_it(self):
        answer = call("decompose", "a cup.obj", folder=self.folder, RATTLEBACK_COACD="/nowhere")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("tools/peers --coacd", answer.stderr)
        self.assertEqual(os.listdir(self.folder), ["a cup.obj"])

    def test_the_parts_are_written_with_a_hash_and_a_model_that_loads(self):
        program = os.path.join(self.folder, "stand_in")
        with open(program, "w", encoding="ascii") as file:  # gets the script, the source, the stem and the count
            file.write('#!/bin/sh\nfor i in 000 001; do cp "$2" "$3-$i.obj"; done\n')
        os.chmod(program, 0o755)
        answer = call("decompose", "a cup.obj", "-n", "4", "--json", folder=self.folder, RATTLEBACK_COACD=program)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        report = json.loads(answer.stdout)
        self.assertRegex(report["model"], r"^a_cup-[0-9a-f]{16}\.xml$")
        self.assertEqual(len(report["parts"]), 2)
        self.assertAlmostEqual(report["volume"], 1)
        self.assertAlmostEqual(report["parts_volume"], 2)
        code, info = call_json("info", report["model"], folder=self.folder)
        self.assertEqual(code, 0)
        self.assertFalse([name for name in os.listdir(self.folder) if "source" in name])
        # Without its last face the mesh bounds nothing, and no volume is told.
        with open(os.path.join(self.folder, "open.obj"), "w", encoding="ascii") as file:
            file.write("\n".join(self.CUBE.strip().split("\n")[:-1]) + "\n")
        answer = call("decompose", "open.obj", "--json", folder=self.folder, RATTLEBACK_COACD=program)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIsNone(json.loads(answer.stdout)["volume"])
        answer = call("decompose", "open.obj", folder=self.folder, RATTLEBACK_COACD=program)
        self.assertIn("the mesh is open or inside out", answer.stdout)


class Mistakes(unittest.TestCase):
    def expect(self, text, *words):
        answer = call(*words)
        self.assertEqual(answer.returncode, 2, (words, answer.stdout, answer.stderr))
        self.assertIn(text, answer.stderr)
        self.assertEqual(answer.stdout, "", words)

    def test_unknown_names_are_answered_with_the_nearest(self):
        self.expect("'scenes'", "scnes")
        self.expect("'t_handle'", "run", "t_handel")
        self.expect("'smooth'", "run", "pendulum", "--solver", "smoth")
        self.expect("'astronaut'", "info", "astronout")
        self.expect("'tumble'", "bench", "tumbel")
        self.expect("'integrator'", "run", "pendulum", "--set", "integator=rk4")
        self.expect("'midpoint'", "run", "pendulum", "--set", "integrator=midpiont")

    def test_unknown_options_are_answered_with_the_nearest(self):
        self.expect("run has no option '--sover' (did you mean '--solver'?)", "run", "pendulum", "--sover", "smooth")
        self.expect("'--tolerance'", "diff", "a", "b", "--tolerence=1")
        self.expect("'--json'", "info", "arm", "--jsn")
        self.expect("`rattleback help info` lists", "info", "arm", "--zzzzzzzzz")
        self.expect("does not expect the word 'leg'", "info", "arm", "leg")
        code, answer = call_json("run", "pendulum", "--sover", "smooth")
        self.assertEqual((code, answer["errors"][0]["code"]), (2, "unknown_name"))

    def test_options_that_the_showcase_would_not_heed_are_refused_by_name(self):
        for words in (["--solver", "smooth"], ["--dt", "0.001"], ["--record", "a.rec"], ["--worlds", "2"], ["pendulum"],
                      ["--set", "a=b"], ["--no-watch"], ["--noise", "1"]):
            answer = call("run", "--showcase", *words)
            self.assertEqual(answer.returncode, 2, words)
            name = words[0] if words[0].startswith("--") else "scene"
            self.assertIn(name + ": has no effect on the showcase", answer.stderr)
        self.expect("--report: belongs to --showcase", "run", "pendulum", "--report", "x")

    def test_numbers_that_make_no_sense_are_refused(self):
        for words in (["--dt", "0"], ["--dt", "-1"], ["--dt", "nan"], ["--dt", "inf"], ["--dt", "soon"],
                      ["--seconds", "-1"], ["--seconds", "nan"], ["--seconds", "1e300"], ["--steps", "-5"],
                      ["--steps", "99999999999999999999"], ["--worlds", "0"], ["--threads", "-1"],
                      ["--steps", "1", "--seconds", "1"], ["--set", "integrator"], ["--set", "=1"]):
            answer = call("run", "pendulum", *words)
            self.assertEqual(answer.returncode, 2, (words, answer.stderr))
            self.assertTrue(answer.stderr.startswith("rattleback: "), answer.stderr)

    def test_a_refused_model_names_the_features_and_the_way_out(self):
        self.expect("contact", "run", "humanoid", "--solver", "smooth")
        self.expect('--set "ignore=contact, limits"', "run", "humanoid", "--solver", "smooth")
        self.expect("solver 'convex' runs it", "run", "humanoid", "--solver", "smooth")

    def test_with_json_the_errors_are_data(self):
        code, answer = call_json("run", "pendulm")
        self.assertEqual(code, 2)
        self.assertFalse(answer["ok"])
        self.assertEqual(answer["errors"][0]["code"], "unknown_name")

    def test_words_that_are_no_text_are_answered_too(self):
        answer = subprocess.run([PROGRAM, "run", b"\xff\xfe", "--json"], capture_output=True, timeout=600)
        self.assertEqual(answer.returncode, 2)
        self.assertFalse(json.loads(answer.stdout)["ok"])


class Run(unittest.TestCase):
    def test_a_run_says_how_far_it_came_and_what_was_conserved(self):
        code, answer = call_json("run", "t_handle", "--seconds", "2")
        self.assertEqual(code, 0)
        self.assertEqual(answer["status"], "ok")
        self.assertEqual(answer["steps"], 1000)
        self.assertAlmostEqual(answer["time"], 2)
        self.assertTrue(answer["energy"]["conserved"])
        self.assertLess(answer["energy"]["drift"], 1e-5)
        self.assertLess(answer["angular_momentum"]["drift"], 1e-4)

    def test_a_run_takes_the_solver_that_fits_and_says_why(self):
        for words, solver, reason in ((["pendulum"], "smooth", "no contact"),
                                      (["humanoid"], "convex", "contact, which solver 'smooth' does not support"),
                                      (["humanoid", "--set", "ignore=contact, limits"], "smooth", "nothing else"),
                                      (["pile", "--set", "substeps=2"], "avbd", "has no parameter 'substeps'"),
                                      (["pile", "--worlds", "2"], "convex", "contact")):
            code, answer = call_json("run", *words, "--steps", "3")
            self.assertEqual(code, 0, answer)
            self.assertEqual(answer["solver"], solver, words)
            self.assertIn(reason, answer["solver_reason"])
        self.assertIn("solver convex: ", call("run", "humanoid", "--steps", "3").stdout)
        code, info = call_json("info", "humanoid")
        self.assertEqual(info["solver"], "convex")
        self.assertEqual(call_json("run", "pile", "--solver", "avbd", "--steps", "3")[1]["solver_reason"], "")

    def test_bodies_that_start_inside_each_other_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "two.xml"), "w") as file:
                file.write('<mujoco><worldbody>'
                           '<body name="a"><freejoint/><geom name="left" size="0.5"/></body>'
                           '<body name="b" pos="0.8 0 0"><freejoint/><geom name="right" size="0.5"/></body>'
                           '</worldbody></mujoco>')
            for words in ([], ["--worlds", "2"]):
                answer = call("run", "two.xml", "--steps", "2", *words, folder=folder)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertIn("warning: shapes 'left' (body 'a') and 'right' (body 'b'): start 200 mm inside", answer.stderr)

    def test_settings_reach_the_solver(self):
        drifts = {}
        for integrator in ("euler", "lie_rk4"):
            code, answer = call_json("run", "tumble", "--seconds", "1", "--set", "integrator=" + integrator)
            self.assertEqual(code, 0)
            drifts[integrator] = answer["energy"]["drift"]
        self.assertLess(drifts["lie_rk4"], 1e-6 * drifts["euler"])

    def test_a_diverging_run_exits_with_1(self):
        code, answer = call_json("run", "double_pendulum", "--dt", "200", "--steps", "100000", "--set", "integrator=euler")
        self.assertEqual(code, 1)
        self.assertEqual(answer["status"], "diverged")

    def test_a_run_that_never_converges_says_so_and_exits_with_3(self):
        words = ("run", "box_stack", "--solver", "convex", "--set", "iterations=1", "--set", "tolerance=1e-30",
                 "--steps", "20")
        for worlds in ("1", "2"):
            code, answer = call_json(*words, "--worlds", worlds)
            self.assertEqual((code, answer["ok"], answer["status"]), (3, False, "not_converged"))
            self.assertEqual(answer["unconverged_steps"], answer["steps"])
            text = call(*words, "--worlds", worlds)
            self.assertEqual(text.returncode, 3)
            self.assertIn(f"none of the {20 * int(worlds)} steps converged", text.stdout)
        self.assertIn("3 a run whose steps never converged", call("help").stdout)

    def test_momentum_between_bodies_alone_is_conserved_and_its_error_said(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "free.xml")
        with open(path, "w") as file:
            file.write('<mujoco><option gravity="0 0 0"/><worldbody>'
                       '<body pos="0 0 1"><freejoint/><geom size="0.1"/></body>'
                       '<body><freejoint/><geom type="box" size="1 1 0.1"/></body></worldbody></mujoco>')
        code, answer = call_json("run", path, "--steps", "10")
        self.assertEqual(code, 0)
        self.assertTrue(answer["linear_momentum"]["conserved"] and answer["angular_momentum"]["conserved"])
        self.assertFalse(answer["energy"]["conserved"])
        self.assertNotIn("linear momentum -", call("run", path, "--steps", "10").stdout)

    def test_a_run_continued_from_a_snapshot_ends_in_the_same_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            _, whole = call_json("run", "astronaut", "--steps", "100")
            call_json("run", "astronaut", "--steps", "40", "--snapshot", "a.snap", folder=folder)
            code, rest = call_json("run", "astronaut", "--steps", "60", "--from", "a.snap", folder=folder)
            self.assertEqual(code, 0)
            self.assertEqual(rest["hash"], whole["hash"])

    def test_a_snapshot_of_another_scene_or_a_broken_one_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            call_json("run", "pendulum", "--steps", "1", "--snapshot", "p.snap", folder=folder)
            self.assertEqual(call_json("run", "chain5", "--from", "p.snap", folder=folder)[0], 2)
            with open(os.path.join(folder, "p.snap"), "r+b") as file:
                file.truncate(40)
            self.assertEqual(call_json("run", "pendulum", "--from", "p.snap", folder=folder)[0], 2)
            self.assertEqual(call_json("run", "pendulum", "--from", "missing.snap", folder=folder)[0], 2)

    def test_the_number_of_threads_does_not_change_a_bit_of_a_batch(self):
        hashes = set()
        for threads in ("1", "2", "5"):
            code, answer = call_json("run", "chain5", "--steps", "50", "--worlds", "9", "--threads", threads)
            self.assertEqual(code, 0)
            self.assertEqual(answer["steps"], 450)
            hashes.add(answer["hash"])
        self.assertEqual(len(hashes), 1)

    def test_a_run_says_what_its_solver_met(self):
        code, answer = call_json("run", "pile", "--solver", "convex", "--steps", "300")
        self.assertEqual(code, 0)
        self.assertEqual(answer["precision"], "double")
        self.assertGreater(answer["contacts"]["last"], 0)
        self.assertGreater(answer["contacts"]["mean"], 0)
        self.assertGreater(answer["deepest_penetration"], 0)
        self.assertGreater(answer["iterations"]["mean"], 0)
        self.assertEqual(len(answer["q"]) * 6, len(answer["v"]) * 7, "all bodies are free")
        text = call("run", "pile", "--solver", "convex", "--steps", "20").stdout
        self.assertRegex(text, r"contacts: \d+ at the end, .* deepest penetration .* mm; iterations: ")
        self.assertRegex(text, r"\d (k|M)?steps/s", "a blank between number and unit")
        code, many = call_json("run", "pile", "--solver", "convex", "--steps", "300", "--worlds", "2", "--threads", "1")
        self.assertEqual(many["contacts"]["mean"], answer["contacts"]["mean"], "both worlds do the same")

    def test_the_final_q_is_that_of_the_closed_form(self):
        code, answer = call_json("run", "tumble", "--steps", "0")
        self.assertEqual(code, 0)
        self.assertEqual(len(answer["q"]), 7)
        self.assertAlmostEqual(sum(x * x for x in answer["q"][3:]), 1)

    def test_the_precision_is_that_in_force(self):
        for precision in ("float", "double"):
            code, answer = call_json("run", "tumble", "--solver", "pbd", "--steps", "1",
                                     *([] if precision == "float" else ["--set", "precision=double"]))
            self.assertEqual(code, 0)
            self.assertEqual(answer["precision"], precision)

    def test_plain_output_has_no_escape_sequences(self):
        answer = call("run", "pendulum", "--seconds", "1")
        self.assertNotIn("\x1b", answer.stdout + answer.stderr)
        self.assertIn("energy", answer.stdout)

    def test_the_showcase_compares_every_solver_and_writes_a_page_and_recordings(self):
        solvers = [solver["name"] for solver in call_json("solvers")[1]]
        with tempfile.TemporaryDirectory() as folder:
            code, answer = call_json("run", "--showcase", "--report", "a/b", folder=folder)
            self.assertEqual(code, 0)
            scenes = ["quadruped", "pile", "rattleback", "t_handle", "chain", "arm", "astronaut"]
            self.assertEqual([(run["scene"], run["solver"]) for run in answer["runs"]],
                             [(scene, solver) for scene in scenes for solver in solvers])
            if answer["page"] is None:
                self.skipTest("this build has no viewer page")
            with open(os.path.join(folder, "a/b/index.html"), encoding="utf-8") as file:
                page = file.read()
            data = re.search(r'id="page-data">([^<]*)</script>', page)
            self.assertIsNotNone(data, "the description holds no '<'")
            described = json.loads(data[1])
            self.assertEqual([scene["name"] for scene in described["scenes"]], scenes)
            for scene in described["scenes"]:
                self.assertEqual([row["cells"][0] for row in scene["table"]["rows"]], solvers)
                shown = [run["solver"] for run in scene["runs"]] + [item["solver"] for item in scene["refusals"]]
                self.assertEqual(sorted(shown), sorted(solvers), "who does not run a scene is named as refusing it")
            for run in answer["runs"]:
                if run["runs"]:
                    code, _ = call_json("hash", f"a/b/{run['scene']}-{run['solver']}.rec", folder=folder)
                    self.assertEqual(code, 0)
            with open(os.path.join(folder, "blocked"), "w") as file:
                file.write("not a folder")
            self.assertEqual(call("run", "--showcase", "--json", "--report", "blocked", folder=folder).returncode, 2)


class Models(unittest.TestCase):
    BAD = ('<mujoco>\n  <worldbody>\n    <bdy/>\n    <geom size="big"/>\n'
           '    <geom size="1" colour="red"/>\n  </worldbody>\n</mujoco>\n')

    def setUp(self):
        self.folder_keeper = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder_keeper.cleanup)
        self.folder = self.folder_keeper.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def test_a_scene_converted_to_a_file_is_the_same_model_and_runs_to_the_same_bits(self):
        code, converted = call_json("convert", "t_handle", "t.xml", folder=self.folder)
        self.assertEqual((code, converted["ok"], converted["file"]), (0, True, "t.xml"))
        self.assertEqual(call_json("hash", "t.xml", folder=self.folder), call_json("hash", "t_handle"))
        self.assertEqual(call_json("info", "t.xml", folder=self.folder)[1]["fingerprint"], converted["fingerprint"])
        runs = [call_json("run", what, "--steps", "50", folder=self.folder)[1] for what in ("t.xml", "t_handle")]
        self.assertEqual(runs[0]["scene"], "t.xml")
        self.assertEqual(runs[0]["hash"], runs[1]["hash"])

    def test_a_file_converted_again_does_not_change(self):
        self.assertEqual(call("convert", "arm", "a.xml", folder=self.folder).returncode, 0)
        self.assertEqual(call("convert", "a.xml", "b.mjcf", folder=self.folder).returncode, 0)
        self.assertEqual(self.read("a.xml"), self.read("b.mjcf"))

    def test_convert_replaces_a_file_only_when_forced(self):
        self.write("old.xml", "precious")
        answer = call("convert", "pendulum", "old.xml", folder=self.folder)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("--force", answer.stderr)
        self.assertEqual(self.read("old.xml"), "precious")
        self.assertEqual(call("convert", "pendulum", "old.xml", "--force", folder=self.folder).returncode, 0)
        self.assertIn("<mujoco", self.read("old.xml"))

    def test_a_failed_convert_leaves_nothing_behind(self):
        self.write("bad.xml", self.BAD)
        for words in (["bad.xml", "out.xml"], ["nothere.xml", "out.xml"], ["pendulm", "out.xml"],
                      ["pendulum", "out.obj"], ["pendulum", "no/such/folder/out.xml"], ["pendulum", self.folder]):
            answer = call("convert", *words, folder=self.folder)
            self.assertEqual(answer.returncode, 2, words)
            self.assertTrue(answer.stderr.startswith("rattleback: "), words)
            self.assertEqual(os.listdir(self.folder), ["bad.xml"], words)

    def test_check_names_every_problem_with_line_and_column(self):
        self.write("bad.xml", self.BAD)
        self.write("good.xml", '<mujoco><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
        answer = call("check", "good.xml", "bad.xml", folder=self.folder)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("good.xml: fine, 1 bodies, 6 dof", answer.stdout)
        for place in ("bad.xml:3:5: error: ", "bad.xml:4:11: error: ", "bad.xml:5:20: error: "):
            self.assertIn(place, answer.stdout)
        self.assertIn("'body'", answer.stdout)  # the nearest match for bdy
        self.assertEqual(call("check", "good.xml", folder=self.folder).returncode, 0)

    def test_check_as_data(self):
        self.write("bad.xml", self.BAD)
        self.write("warn.xml", '<mujoco><asset><texture name="t" type="2d" file="gone.png"/></asset></mujoco>')
        code, answer = call_json("check", "bad.xml", "warn.xml", "gone.xml", folder=self.folder)
        self.assertEqual((code, answer["ok"]), (2, False))
        self.assertEqual([entry["ok"] for entry in answer["files"]], [False, True, False])
        self.assertEqual(len(answer["files"][0]["errors"]), 3)
        self.assertEqual(answer["files"][0]["errors"][0]["where"], "bad.xml:3:5")
        self.assertEqual(len(answer["files"][1]["warnings"]), 1)
        self.assertEqual(answer["files"][2]["errors"][0]["code"], "io")

    def test_terrain_carries_a_box_in_every_solver_with_contact(self):
        self.write("hill.xml", '''<mujoco><asset><hfield name="h" nrow="2" ncol="2" elevation="0 1 1 0" size="1 1 1 0.1"/></asset>
            <worldbody><geom name="hill" type="hfield" hfield="h"/>
            <body pos="0 0 1.2"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>''')
        answer = call("check", "hill.xml", folder=self.folder)
        self.assertEqual(answer.returncode, 0)
        code, answer = call_json("info", "hill.xml", folder=self.folder)
        runs = {entry["solver"]: entry["runs"] for entry in answer["solvers"]}
        for solver in ("convex", "avbd", "pbd", "refined"):
            self.assertTrue(runs[solver], solver)
            answer = call("run", "hill.xml", "--solver", solver, "--seconds", "0.5", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)

    def test_a_model_file_that_is_refused_names_the_way_out(self):
        self.assertEqual(call("convert", "humanoid", "h.xml", folder=self.folder).returncode, 0)
        self.assertEqual(call("run", "h.xml", "--steps", "3", folder=self.folder).returncode, 0)
        answer = call("run", "h.xml", "--solver", "smooth", folder=self.folder)
        self.assertEqual(answer.returncode, 2)
        self.assertIn('--set "ignore=contact, limits"', answer.stderr)

    def test_a_word_that_is_neither_scene_nor_file_is_answered_with_the_nearest(self):
        for command in ("run", "info", "hash"):
            answer = call(command, "pendulm", folder=self.folder)
            self.assertEqual(answer.returncode, 2)
            self.assertIn("'pendulum'", answer.stderr)


class Lists(unittest.TestCase):
    def test_one_solver_is_described_alone(self):
        code, answer = call_json("solvers", "convex")
        self.assertEqual(code, 0)
        self.assertEqual(answer["name"], "convex")
        self.assertIn("contact", answer["supports"])
        self.assertFalse(set(answer["supports"]) & set(answer["refuses"]))
        for parameter in answer["parameters"]:
            self.assertLessEqual({"name", "kind", "unit", "default", "summary"}, set(parameter))
        text = call("solvers", "convex").stdout
        self.assertIn("refuses: ", text)
        self.assertNotIn("smooth ·", text)
        answer = call("solvers", "convx")
        self.assertEqual(answer.returncode, 2)
        self.assertIn("'convex'", answer.stderr)

    def test_scenes_and_solvers_are_lists_of_data(self):
        code, scenes = call_json("scenes")
        self.assertEqual(code, 0)
        self.assertIn("humanoid", [scene["name"] for scene in scenes])
        code, solvers = call_json("solvers")
        smooth = next(solver for solver in solvers if solver["name"] == "smooth")
        self.assertIn("ignore", [parameter["name"] for parameter in smooth["parameters"]])

    def test_info_counts_what_a_scene_is_made_of(self):
        code, info = call_json("info", "humanoid")
        self.assertEqual(code, 0)
        self.assertEqual(info["counts"]["dof"], 27)
        smooth = next(solver for solver in info["solvers"] if solver["solver"] == "smooth")
        self.assertFalse(smooth["runs"])
        self.assertTrue(any("contact" in reason for reason in smooth["reasons"]))
        self.assertIn("left_foot", call("info", "humanoid").stdout)

    def test_the_bench_of_python_calls_sets_the_script_s_figures_against_their_bars(self):
        if not (Path(PROGRAM).parent / "bindings/python/rattleback/_core.abi3.so").exists():
            self.skipTest("this build has no Python extension")
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "python"  # stands for the interpreter: no time is measured in a test
            written = {"step_call": 0.5, "rollout_share": 2.0, "import": 40.0, "mujoco_step_call": 0.3, "notes": ["as said"]}
            python.write_text(f"#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" != --json ] || echo '{json.dumps(written)}' > \"$2\"; shift; done\n")
            python.chmod(0o755)
            report = json.loads(call("bench", "python", "--json", RATTLEBACK_BENCH_PYTHON=str(python)).stdout)
            passes = {figure["name"]: figure["passes"] for figure in report["figures"] if figure.get("bar") is not None}
            self.assertEqual(list(passes.values()), [True, False, True], passes)
            self.assertIn("as said", report["notes"])
            python.write_text("#!/bin/sh\nexit 3\n")
            answer = call("bench", "python", RATTLEBACK_BENCH_PYTHON=str(python))
            self.assertEqual(answer.returncode, 2)
            self.assertIn("the script ended with 3", answer.stderr)

    def test_every_figure_of_a_bench_has_unit_precision_and_verdict(self):
        code, report = call_json("bench", "tumble", "--quick")
        self.assertEqual(code, 0)
        self.assertTrue(report["passes"])
        for figure in report["figures"]:
            self.assertTrue(figure["unit"] and figure["precision"] == "double")
        self.assertEqual(set(report["peers"]), {"found", "skipped"})
        last = call("bench", "tumble", "--quick").stdout.rstrip().splitlines()[-1]
        self.assertEqual(last, report["verdict"])


if __name__ == "__main__":
    unittest.main()
