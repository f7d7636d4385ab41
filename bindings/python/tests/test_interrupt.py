"""Ctrl-C ends long calls soon, and what they worked on stays whole."""
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import rattleback as rb

PILE = """
<mujoco><worldbody><geom type="plane" size="9 9 1"/><replicate count="30" offset="0 0 .25">
<body pos="0 0 .12"><freejoint/><geom type="box" size=".1 .1 .1"/></body></replicate></worldbody></mujoco>
"""

RUN = """
import json, sys, time
import numpy as np
import rattleback as rb
{before}
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print(json.dumps({after}), flush=True)
    sys.exit(0)
sys.exit(3)
"""


def interrupt(before, call, after):
    """What a child says that got SIGINT half a second into its call, and how long it took to say so [s]."""
    text = RUN.format(before=textwrap.dedent(before), call=call, after=after)
    child = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ)
    try:
        assert child.stdout.readline() == "ready\n", child.stderr.read()
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        start = time.monotonic()
        line = child.stdout.readline()
        seconds = time.monotonic() - start
        assert child.wait(20) == 0, child.stderr.read()
        return json.loads(line), seconds
    finally:
        child.kill()


BATCH = f'batch = rb.Batch(rb.parse_mjcf("""{PILE}"""), 8, solver="convex", thread_count=2)'
STEPS = '{"steps": batch.state.step.tolist(), "finite": bool(np.isfinite(batch.state.q).all())}'


@pytest.mark.parametrize("call", ["batch.run_for(1e6)", "batch.run_steps(10**12)", "batch.rollout(10**6, every=10**5)"])
def test_ctrl_c_ends_a_run_of_many_worlds_within_a_second_after_whole_steps(call):
    said, seconds = interrupt(BATCH, call, STEPS)
    assert seconds < 1
    assert said["finite"] and len(set(said["steps"])) == 1 and said["steps"][0] > 0


def test_ctrl_c_that_python_hears_in_a_callback_ends_the_run_as_any_exception_of_it():
    said, seconds = interrupt(BATCH, "batch.run_for(1e6, lambda world: None)", STEPS)
    assert seconds < 1
    assert said["finite"] and min(said["steps"]) > 0  # whole steps, yet not equally many: see run_steps


def test_ctrl_c_ends_a_simulation_within_a_second():
    said, seconds = interrupt(f'sim = rb.Simulation(rb.parse_mjcf("""{PILE}"""), solver="convex")', "sim.run_for(1e6)", "int(sim.state.step)")
    assert seconds < 1 and said > 0


def test_ctrl_c_ends_the_reading_of_a_large_model_within_a_second(tmp_path):
    file = tmp_path / "large.xml"
    file.write_text('<mujoco><asset><mesh name="m" builtin="supersphere" params="1000 1 1"/></asset><worldbody>'
                    + "".join(f'<body><freejoint/><geom type="mesh" mesh="m" name="g{i}"/></body>' for i in range(3))
                    + "</worldbody></mujoco>")
    _, seconds = interrupt("", f"[rb.load_model({str(file)!r}) for _ in range(1000)]", "0")
    assert seconds < 1


def test_a_run_that_is_listened_to_has_the_same_bits_and_reports(arm):
    batch, other = rb.Batch(arm, 3), rb.Batch(arm, 3)
    for worlds in (batch, other):
        worlds.state.q[:, 0] = [0.1, 0.2, 0.3]
        worlds.refresh()
    batch.run_steps(500)
    for _ in range(500):
        other.run_steps(1)
    assert (batch.state.q == other.state.q).all() and (batch.state.step == 500).all()
