# What Python adds: a step call, a rollout, an import; MuJoCo's Python beside it where it is installed. `rattleback bench python` runs this.
# usage: python bindings/python/tools/bench.py [--quick] [--json FILE] [--extension FILE]
#        --extension: the package of this clone with that _core.abi3.so, instead of an installed one
import argparse
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[3]
PENDULUM = """<mujoco><option timestep="0.002"/><worldbody><body><joint name="j" axis="0 1 0"/>
<geom type="capsule" size="0.05 0.2" pos="0 0 -0.2"/></body></worldbody>
<actuator><motor joint="j"/></actuator></mujoco>"""
WORLDS, STEPS = 4096, 100


def take_package(extension):
    """Puts the clone's package with a built extension first on the path, here and in processes to come; MuJoCo of tools/peers last."""
    place = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, place)
    shutil.copytree(ROOT / "bindings/python/rattleback", place / "rattleback", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "rattleback/_core.abi3.so").symlink_to(Path(extension).absolute())
    peers = ROOT / "build/peers/mujoco/lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages" / "mujoco"
    if peers.exists():
        (place / "mujoco").symlink_to(peers)  # the package alone: its neighbour NumPy is not ours
    os.environ["PYTHONPATH"] = str(place)
    sys.path.insert(0, str(place))


def measure(function):
    """CPU seconds of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def find_median(values):
    """The middle of the values."""
    ordered = sorted(values)
    return 0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2])


def find_call_cost(step, run, count, rounds):
    """Microseconds that a call from Python costs more than the same step inside one call: both in turns, the median of the differences."""
    def loop():
        for _ in range(count):
            step()

    loop()
    return find_median([measure(loop) - measure(lambda: run(count)) for _ in range(rounds)]) / count * 1e6


def find_import_time(module, rounds):
    """CPU milliseconds of an import beyond NumPy's own, in fresh processes in turns."""
    def start(name):
        code = f"import time; t = time.process_time(); import {name}; print(time.process_time() - t)"
        return float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)

    start(module)  # compiles the sources to byte code, once
    return find_median([start(module) - start("numpy") for _ in range(rounds)]) * 1e3


def measure_ours(rounds):
    """Figures of this package."""
    import numpy as np

    import rattleback as rb

    model = rb.parse_mjcf(PENDULUM)
    sim = rb.Simulation(model, solver="smooth")
    figures = {"step_call": find_call_cost(sim.step, sim.run_steps, 20000, rounds), "import": find_import_time("rattleback", rounds)}
    # A rollout is one call of C++ on the caller's own arrays: what Python adds does not grow with it. That is a rollout of one step of one
    # world, less that step.
    single, one = rb.Batch(model, 1, thread_count=1), np.zeros((1, 1, 1))
    kept = single.rollout(1, one)
    figures["rollout_call"] = find_call_cost(lambda: single.rollout(1, one, out=kept), single.run_steps, 5000, rounds)
    batch, controls = rb.Batch(model, WORLDS, thread_count=1), np.random.default_rng(0).normal(size=(WORLDS, STEPS, 1))
    kept = batch.rollout(STEPS, controls)
    figures["rollout"] = find_median([measure(lambda: batch.rollout(STEPS, controls, out=kept)) for _ in range(3)])
    figures["rollout_share"] = figures["rollout_call"] * 1e-6 / figures["rollout"] * 100
    return figures


def measure_mujoco(rounds):
    """The same of MuJoCo's Python."""
    import mujoco
    import numpy as np
    from mujoco.rollout import rollout

    m = mujoco.MjModel.from_xml_string(PENDULUM)
    d = mujoco.MjData(m)
    figures = {"mujoco_step_call": find_call_cost(lambda: mujoco.mj_step(m, d), lambda n: mujoco.mj_step(m, d, nstep=n), 20000, rounds),
               "mujoco_import": find_import_time("mujoco", rounds)}
    start = np.zeros((WORLDS, mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    controls = np.random.default_rng(0).normal(size=(WORLDS, STEPS, 1))
    call = find_call_cost(lambda: rollout(m, d, start[:1], controls[:1, :1]), lambda n: mujoco.mj_step(m, d, nstep=n), 2000, rounds)
    whole = find_median([measure(lambda: rollout(m, d, start, controls)) for _ in range(3)])
    figures["mujoco_rollout_share"] = call * 1e-6 / whole * 100
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="3 rounds instead of 9")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--extension", metavar="FILE")
    options = parser.parse_args()
    if options.extension:
        take_package(options.extension)
    rounds = 3 if options.quick else 9
    figures, notes = measure_ours(rounds), [f"CPython {sys.version.split()[0]}; CPU times, medians of {rounds} rounds in turns"]
    try:
        figures |= measure_mujoco(rounds)
    except ImportError as error:
        notes.append(f"MuJoCo's Python is not beside it: {error}")
    if options.json:
        Path(options.json).write_text(json.dumps({**figures, "notes": notes}), encoding="utf-8")
    else:
        for name, value in figures.items():
            print(f"{name:24} {value:10.4f}")
        print("\n".join(notes))


if __name__ == "__main__":
    main()
