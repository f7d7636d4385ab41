# Programs written for MuJoCo, on MuJoCo and on rattleback.mujoco: same starts and actions side by side, as a table.
# usage: compare_clients.py gymnasium|dm_control [--steps N] [--check] [TASK...]   in an environment of tools/python with rattleback
#        --check: fails where a task that should agree differs by more than 1e-6 in the first 50 steps, or does not run
import argparse
import pickle
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

import numpy as np

GYMNASIUM = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "HumanoidStandup", "InvertedDoublePendulum", "InvertedPendulum", "Pusher", "Reacher",
             "Swimmer", "Walker2d"]
# Tasks that cannot agree, and why.
APART = {"dog": "MuJoCo puts geoms whose frame is nearly that of the body's inertia into the latter (`geom_sameframe`), here up to 2.4e-6 off; ours are where the file says",
         "quadruped/escape": "MuJoCo needs OpenGL for its terrain"}


def find_reason(task):
    """Why a task may differ; empty where it may not."""
    return next((reason for start, reason in APART.items() if task.startswith(start)), "")


def run_gymnasium(name, steps):
    """Observations and rewards of an environment, and CPU seconds per step."""
    import gymnasium

    env = gymnasium.make(name + "-v5").unwrapped
    if name.startswith("Humanoid"):
        # Their files ask for 50 sweeps of PGS, which are not at their end: Newton on both sides.
        env.model.opt.solver, env.model.opt.iterations = 2, 100
    env.reset(seed=3)
    random = np.random.default_rng(0)
    seen, start = [], time.process_time()
    for _ in range(steps):
        observation, reward, *_ = env.step(random.uniform(env.action_space.low, env.action_space.high))
        seen.append([*np.asarray(observation, dtype=float), reward])
    return np.array(seen), (time.process_time() - start) / steps


def look(name):
    """A picture of an environment by `rgb_array`: it must show more than one colour."""
    import gymnasium

    env = gymnasium.make(name + "-v5", render_mode="rgb_array")
    env.reset(seed=3)
    picture = env.render()
    env.close()
    assert picture.shape[2] == 3 and picture.dtype == np.uint8, (picture.shape, picture.dtype)
    colours = len(np.unique(picture.reshape(-1, 3), axis=0))
    assert colours > 20, f"a picture of {colours} colours"
    return "{1} x {0} pixels, {2} colours".format(*picture.shape[:2], colours)


def run_dm_control(name, steps):
    """The same for a task of the suite."""
    from dm_control import suite

    env = suite.load(*name.split("/"), task_kwargs={"random": 1})
    moment, spec = env.reset(), env.action_spec()
    random = np.random.default_rng(0)
    seen, start = [], time.process_time()
    for _ in range(steps):
        moment = env.step(random.uniform(np.maximum(spec.minimum, -1), np.minimum(spec.maximum, 1)))
        seen.append([*np.concatenate([np.ravel(part) for part in moment.observation.values()]), moment.reward or 0.0])
        if moment.last():
            break
    return np.array(seen), (time.process_time() - start) / len(seen)


def find_tasks(client):
    """All tasks of a client."""
    if client == "gymnasium":
        return GYMNASIUM
    from dm_control import suite

    return ["/".join(pair) for pair in suite.BENCHMARKING + suite.EXTRA]


def run(engine, client, tasks, steps, output):
    """All tasks under one engine."""
    warnings.simplefilter("ignore")
    if engine == "rattleback":
        import rattleback.mujoco

        rattleback.mujoco.install()
    results = {}
    for task in tasks or find_tasks(client):
        try:
            results[task] = (run_gymnasium if client == "gymnasium" else run_dm_control)(task, steps)
            if engine == "rattleback" and client == "gymnasium":
                print(f"{task}: {look(task)}", flush=True)
        except Exception:  # noqa: BLE001  whatever a client raises belongs into the table
            results[task] = traceback.format_exc(limit=-1).strip().splitlines()[-1], 0.0
    Path(output).write_bytes(pickle.dumps(results))


def compare(task, theirs, ours):
    """A row of the table, and whether it is as it should be."""
    (seen, their_time), (found, our_time), reason = theirs, ours, find_reason(task)
    if isinstance(found, str):
        return f"| {task} | no: {found} | | | | |", False
    if isinstance(seen, str):
        return f"| {task} | {len(found)} steps | | | {1e3 * our_time:.2f} | {reason or 'MuJoCo: ' + seen} |", bool(reason)
    # Relative where numbers are large: contact forces and moments reach thousands.
    per_step = (np.abs(found - seen) / np.maximum(1, np.abs(seen))).max(axis=1)
    beyond = np.flatnonzero(~(per_step <= 1e-6))
    first = str(beyond[0]) if len(beyond) else "none"
    largest = per_step[:50].max()
    return (f"| {task} | {len(found)} steps | {largest:.0e} | {first} | {1e3 * their_time:.2f} / {1e3 * our_time:.2f} | {reason} |",
            bool(largest <= 1e-6 or reason))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("client", choices=("gymnasium", "dm_control"))
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--run", nargs=2, metavar=("ENGINE", "OUTPUT"))
    options = parser.parse_args()
    if options.run:
        run(options.run[0], options.client, options.tasks, options.steps, options.run[1])
        return 0
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        for engine in ("mujoco", "rattleback"):
            output = Path(folder) / engine
            subprocess.run([sys.executable, __file__, options.client, *options.tasks, "--steps", str(options.steps), "--run", engine, output], check=True)
            answers[engine] = pickle.loads(output.read_bytes())
    print("| task | runs | largest deviation in 50 steps | first step beyond 1e-6 | CPU per step, MuJoCo / Rattleback [ms] | why not |")
    print("|---|---|---|---|---|---|")
    bad = 0
    for task, ours in answers["rattleback"].items():
        row, good = compare(task, answers["mujoco"][task], ours)
        bad += not good
        print(row)
    print(f"{len(answers['rattleback']) - bad} of {len(answers['rattleback'])} tasks run and agree to 1e-6 for 50 steps, or are known to differ")
    return int(bool(bad)) if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
