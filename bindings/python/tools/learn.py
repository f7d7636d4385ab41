# PPO of Stable-Baselines3 on our tasks, on the CPU: reaches the stated returns, or fails; curves as a picture.
# usage: learn.py [--check] [--picture FILE.svg] [--json FILE] [TASK...]   in the environment of tools/python --learning (5.4 GB: torch)
import argparse
import json
import os
import sys
import time

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecNormalize

from rattleback.stable_baselines import BatchVecEnv

# Task: steps, the return to reach (mean over 32 worlds from fresh starts, the policy without noise), options of PPO.
RUNS = {
    "InvertedPendulum": (150_000, 950.0, {"n_steps": 32, "gamma": 0.98, "learning_rate": 1e-3}),
    "Hopper": (800_000, 2500.0, {"n_steps": 64, "gamma": 0.99, "learning_rate": 5e-4}),
    "HalfCheetah": (800_000, 3000.0, {"n_steps": 64, "gamma": 0.98, "learning_rate": 5e-4}),
}
WORLDS, JUDGES, SEED = 64, 32, 7


def evaluate(policy, task, normal, **options):
    """Returns of whole episodes of JUDGES worlds, the policy without noise."""
    env = BatchVecEnv(task, JUDGES, thread_count=1, **options)
    env.seed(SEED + 1)
    observation = env.reset()
    finished = {}
    while len(finished) < JUDGES:
        action, _ = policy.predict(normal.normalize_obs(observation), deterministic=True)
        observation, _, done, infos = env.step(action)
        for world in np.flatnonzero(done):
            finished.setdefault(int(world), infos[world]["episode"]["r"])
    return np.array([finished[world] for world in range(JUDGES)])


class Curve(BaseCallback):
    """Mean return of the episodes that ended lately, every few updates."""

    def __init__(self):
        super().__init__()
        self.points, self.ended = [], []

    def _on_step(self):
        self.ended += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        return True

    def _on_rollout_end(self):
        if len(self.ended) >= 16:
            self.points.append((self.num_timesteps, float(np.mean(self.ended))))
            self.ended = []


def learn(task):
    """A learning run: its figures."""
    steps, target, options = RUNS[task]
    env = BatchVecEnv(task, WORLDS, thread_count=1)
    env.seed(SEED)
    normal = VecNormalize(env, gamma=options["gamma"])
    policy = PPO("MlpPolicy", normal, seed=SEED, device="cpu", batch_size=512, n_epochs=8, gae_lambda=0.95, ent_coef=0.0,
                 policy_kwargs={"net_arch": [64, 64]}, **options)
    curve, start, cpu = Curve(), time.perf_counter(), time.process_time()
    policy.learn(steps, callback=curve)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    normal.training = False
    returns, elsewhere = evaluate(policy, task, normal), evaluate(policy, task, normal, solver="convex")
    return {"task": task, "steps": steps, "target": target, "reached": float(returns.mean()), "least": float(returns.min()), "convex": float(elsewhere.mean()), "seconds": seconds,
            "cpu_seconds": cpu, "curve": curve.points}


def draw(results):
    """The curves side by side as an SVG: mean returns while learning, with noise; the stated return; a dot for what the policy reaches without noise."""
    wide, high, left, top = 280, 170, 56, 34
    parts = []
    for number, run in enumerate(results):
        x0, y0 = number * (wide + left + 14) + left, top
        steps, values = zip(*run["curve"])
        low, most = min(*values, 0.0), max(*values, run["target"], run["reached"])
        low, most = low - 0.05 * (most - low), most + 0.08 * (most - low)

        def place(step, value, x0=x0, y0=y0, low=low, most=most, last=run["steps"]):
            return f"{x0 + wide * step / last:.1f},{y0 + high * (most - value) / (most - low):.1f}"

        line = " ".join(place(step, value) for step, value in zip(steps, values))
        (_, bar), end = place(0, run["target"]).split(","), x0 + wide
        parts.append(f'<text x="{x0}" y="{y0 - 12}" font-weight="bold">{run["task"]}</text>'
                     f'<rect x="{x0}" y="{y0}" width="{wide}" height="{high}" fill="none" stroke="#999"/>'
                     f'<path d="M{x0} {bar}H{end}" stroke="#c33" stroke-dasharray="5 4"/>'
                     f'<text x="{x0 - 5}" y="{float(bar) + 4:.1f}" text-anchor="end" fill="#c33">{run["target"]:g}</text>'
                     f'<polyline points="{line}" fill="none" stroke="#06c" stroke-width="1.6"/>')
        x, y = place(run["steps"], run["reached"]).split(",")
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#06c"/><text x="{float(x) - 8:.1f}" y="{float(y) - 5:.1f}" text-anchor="end">{run["reached"]:.0f}</text>')
        parts.append(f'<text x="{x0 - 5}" y="{float(place(0, 0.0).split(",")[1]) + 4:.1f}" text-anchor="end">0</text>')
        parts.append(f'<text x="{x0}" y="{y0 + high + 16}">0</text>'
                     f'<text x="{end}" y="{y0 + high + 16}" text-anchor="end">{run["steps"]:,} steps, {run["seconds"] / 60:.1f} min</text>')
    width = len(results) * (wide + left + 14)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + high + 30}" font-family="sans-serif" font-size="12">'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", nargs="*")
    parser.add_argument("--check", action="store_true", help="fail where a stated return is not reached")
    parser.add_argument("--picture")
    parser.add_argument("--json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    results, missed = [], []
    print(f"load {os.getloadavg()[0]:.1f}\n| task | steps | return reached (least of {JUDGES}) | stated | the same policy in `convex` | "
          "minutes | CPU minutes |\n|---|---|---|---|---|---|---|")
    for task in options.tasks or RUNS:
        run = learn(task)
        results.append(run)
        print(f"| {task} | {run['steps']:,} | {run['reached']:.1f} ({run['least']:.1f}) | {run['target']:g} | {run['convex']:.1f} | "
              f"{run['seconds'] / 60:.1f} | {run['cpu_seconds'] / 60:.1f} |", flush=True)
        if run["reached"] < run["target"]:
            missed.append(task)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file)
    if options.picture:
        with open(options.picture, "w", encoding="utf-8") as file:
            file.write(draw(results))
    if options.check and missed:
        sys.exit("not reached: " + ", ".join(missed))


if __name__ == "__main__":
    main()
