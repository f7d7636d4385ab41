# What Python adds: a step call, an import, a rollout; MuJoCo's Python beside it where it is installed.
# usage: python bindings/python/tools/bench.py [--json]
import json
import subprocess
import sys
import time

import numpy as np

import rattleback as rb

PENDULUM = """<mujoco><option timestep="0.002"/><worldbody><body><joint name="j" axis="0 1 0"/>
<geom type="capsule" size="0.05 0.2" pos="0 0 -0.2"/></body></worldbody>
<actuator><motor joint="j"/></actuator></mujoco>"""


def cpu(function, repeats=7):
    """Median of CPU seconds of a call."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return float(np.median(times))


def per_call(step, run, count):
    """Microseconds that a call from Python costs more than the same step inside one call."""
    def loop():
        for _ in range(count):
            step()

    return (cpu(loop) - cpu(lambda: run(count))) / count * 1e6


def import_time(module):
    """CPU milliseconds of a fresh process that imports it."""
    code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
    runs = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(7)]
    return float(np.median(runs)) * 1e3


def main():
    model = rb.parse_mjcf(PENDULUM)
    sim = rb.Simulation(model, solver="smooth")
    figures = {"step call [us]": per_call(sim.step, sim.run_steps, 20000)}
    figures["import beyond NumPy [ms]"] = import_time("rattleback") - import_time("numpy")
    batch = rb.Batch(model, 4096, thread_count=1)
    controls = np.random.default_rng(0).normal(size=(4096, 100, 1))
    kept = batch.rollout(100, controls, states=False)
    whole = cpu(lambda: batch.rollout(100, controls, every=100, out=kept), 3)
    # What does not grow with the work: a rollout of one step of one world, less that step. Arrays are taken as they are.
    single = rb.Batch(model, 1, thread_count=1)
    kept, one = single.rollout(1, controls[:1, :1]), np.ascontiguousarray(controls[:1, :1])
    fixed = per_call(lambda: single.rollout(1, one, out=kept), single.run_steps, 5000)
    figures["rollout of 4096 x 100 [s]"] = whole
    figures["a rollout call [us]"] = fixed
    figures["the call's share of the rollout [%]"] = fixed * 1e-6 / whole * 100
    try:
        import mujoco
    except ImportError:
        mujoco = None
    if mujoco:
        m = mujoco.MjModel.from_xml_string(PENDULUM)
        d = mujoco.MjData(m)
        figures["step call, MuJoCo [us]"] = per_call(lambda: mujoco.mj_step(m, d), lambda n: mujoco.mj_step(m, d, nstep=n), 20000)
        figures["import beyond NumPy, MuJoCo [ms]"] = import_time("mujoco") - import_time("numpy")
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:40} {value:10.3f}")


if __name__ == "__main__":
    main()
