# Steps per second of the tasks: Gymnasium's AsyncVectorEnv with MuJoCo (one process per world), and a Batch; same models, observations and
# rewards. Wall time and CPU time of all processes, because a loaded machine spoils the first.
# usage: bench_vector.py [--json] [--worlds N] [--solver NAME] [TASK...]   in the environment of tools/python --gymnasium
import argparse
import json
import os
import resource
import time

import gymnasium
import mujoco
import numpy as np

import rattleback as rb
import rattleback.gymnasium  # noqa: F401  registers the tasks
from rattleback.tasks import TASKS, make_model


class MujocoTask(gymnasium.Env):
    """A task's model on MuJoCo, as one writes it with Gymnasium: q, v, forward speed less effort."""

    def __init__(self, name):
        self.model = mujoco.MjModel.from_xml_string(rb.write_mjcf(make_model(name)))
        self.data = mujoco.MjData(self.model)
        self.skip = TASKS[name].frame_skip
        size = self.model.nq + self.model.nv
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), dtype=np.float64)
        self.action_space = gymnasium.spaces.Box(-1, 1, (self.model.nu,), dtype=np.float32)

    def observe(self):
        """q and v."""
        return np.concatenate([self.data.qpos, np.clip(self.data.qvel, -10, 10)])

    def reset(self, *, seed=None, options=None):
        """To the start, with noise."""
        super().reset(seed=seed)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qvel[:] = 0.01 * self.np_random.normal(size=self.model.nv)
        mujoco.mj_forward(self.model, self.data)
        return self.observe(), {}

    def step(self, action):
        """frame_skip steps."""
        self.data.ctrl[:] = action
        mujoco.mj_step(self.model, self.data, nstep=self.skip)
        return self.observe(), float(self.data.qvel[0] - 0.1 * np.square(action).sum()), False, False, {}


def used():
    """CPU seconds of this process and of its children that have ended."""
    return sum(part.ru_utime + part.ru_stime for part in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def measure(make, steps):
    """(wall, CPU) seconds per step of a world; the start of processes is not counted."""
    before = used()
    env = make()
    env.reset(seed=0)
    actions = [env.action_space.sample() for _ in range(8)]
    for action in actions[:2]:
        env.step(action)
    idle, start = used(), time.perf_counter()
    for step in range(steps):
        env.step(actions[step % 8])
    wall = time.perf_counter() - start
    own = used()
    env.close()
    # Children are counted when they end: their start is measured by a run without steps.
    return wall / (steps * env.num_envs), (own - idle, used() - before), env.num_envs


def compare(task, worlds, solver):
    """Steps per second of both."""
    def with_mujoco():
        return gymnasium.vector.AsyncVectorEnv([lambda: MujocoTask(task)] * worlds)

    def with_batch():
        return gymnasium.make_vec(f"rattleback/{task}-v0", num_envs=max(worlds, 256), thread_count=len(os.sched_getaffinity(0)),
                                  **({"solver": solver} if solver else {}))

    theirs, ours = [], []
    for _ in range(3):  # in turns: a neighbour's load meets both
        _, (_, still), _ = measure(with_mujoco, 1)
        wall, (_, whole), _ = measure(with_mujoco, 150)
        theirs.append((wall, max(whole - still, 1e-9) / (149 * worlds)))
        wall, (own, _), count = measure(with_batch, 40)
        ours.append((wall, own / (40 * count)))
    figures = {}
    for name, rows in (("AsyncVectorEnv with MuJoCo", theirs), ("Batch", ours)):
        figures[name] = 1 / float(np.median([wall for wall, _ in rows]))
        figures[name + ", per CPU second"] = 1 / float(np.median([cpu for _, cpu in rows]))
    figures["ratio"] = figures["Batch"] / figures["AsyncVectorEnv with MuJoCo"]
    figures["ratio of CPU"] = figures["Batch, per CPU second"] / figures["AsyncVectorEnv with MuJoCo, per CPU second"]
    return figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--worlds", type=int, default=16)
    parser.add_argument("--solver", help="instead of the tasks' own")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = {task: compare(task, options.worlds, options.solver) for task in options.tasks or TASKS}
    if options.json:
        print(json.dumps(results))
        return
    print(f"load {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} cores; steps/s")
    print("| task | AsyncVectorEnv with MuJoCo | Batch | ratio | ratio of CPU |\n|---|---|---|---|---|")
    for task, row in results.items():
        print(f"| {task} | {row['AsyncVectorEnv with MuJoCo']:.0f} | {row['Batch']:.0f} | {row['ratio']:.1f} | {row['ratio of CPU']:.1f} |")


if __name__ == "__main__":
    main()
