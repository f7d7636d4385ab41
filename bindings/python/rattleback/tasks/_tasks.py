"""What the tasks reward and when they end. Every function sees all worlds: arrays have a leading world dimension."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from ..gymnasium import BatchVectorEnv

Array = npt.NDArray[Any]
Function = Callable[["BatchVectorEnv"], Array]


class Task(NamedTuple):
    """A task on a model of make_model(name)."""

    name: str
    reward: Function
    terminated: Function | None
    observation: Function
    frame_skip: int
    max_steps: int
    noise: float  # standard deviation of q and v at the start
    start: str | None = None  # keyframe
    spread: dict[str, float] = {}  # joints that start anywhere within so much of zero, evenly
    solver: str = "comfree"  # takes several worlds at once; "convex" gives contacts as MuJoCo's, a quarter as fast


def _effort(env: BatchVectorEnv) -> Array:
    effort: Array = np.square(env.action).sum(axis=1)
    return effort


def _velocity(env: BatchVectorEnv) -> Array:
    """Of the torso along x [m/s]."""
    velocity: Array = env.batch.body["torso"].linear_velocity[:, 0]
    return velocity


def _height(env: BatchVectorEnv, body: str = "torso") -> Array:
    height: Array = env.batch.body[body].position[:, 2]
    return height


def _run(alive: float, effort: float) -> Function:
    """Forward speed, a bonus for every step, less the effort."""
    return lambda env: _velocity(env) + alive - effort * _effort(env)


def _observe(skip: int) -> Function:
    """q without its first `skip` numbers, which say where in the world, and v (bounded, as after hard impacts)."""
    def observe(env: BatchVectorEnv) -> Array:
        return np.concatenate([env.batch.state.q[:, skip:], np.clip(env.batch.state.v, -10, 10)], axis=1)

    return observe


def _falls(low: float, high: float, tilt: float) -> Function:
    """The torso is too low, too high or leans too far (machines in the plane)."""
    def falls(env: BatchVectorEnv) -> Array:
        height, turn = _height(env), env.batch.state.q[:, 2]
        fallen: Array = (height < low) | (height > high) | (np.abs(turn) > tilt)
        return fallen

    return falls


def _balance_two(env: BatchVectorEnv) -> Array:
    """The tip as high as it gets, above the middle, slowly."""
    tip, speed = env.batch.site["tip"].position, env.batch.state.v
    high: Array = 10 - 0.01 * tip[:, 0] ** 2 - (tip[:, 2] - 1.2) ** 2 * 4 - 1e-3 * speed[:, 1] ** 2 - 5e-3 * speed[:, 2] ** 2
    return high


def _reach(env: BatchVectorEnv) -> Array:
    away: Array = env.batch.site["hand"].position[:, :2] - env.batch.body["target"].position[:, :2]
    return away


def _see_target(env: BatchVectorEnv) -> Array:
    q, v = env.batch.state.q, env.batch.state.v
    return np.concatenate([np.cos(q[:, :2]), np.sin(q[:, :2]), q[:, 2:4], v[:, :2], _reach(env)], axis=1)


TASKS: dict[str, Task] = {task.name: task for task in (
    Task("InvertedPendulum", lambda env: np.where(np.abs(env.batch.state.q[:, 1]) < 0.2, 1.0, 0.0),
         lambda env: np.abs(env.batch.state.q[:, 1]) > 0.2, _observe(0), 2, 1000, 0.01),
    Task("InvertedDoublePendulum", _balance_two, lambda env: env.batch.site["tip"].position[:, 2] < 0.8, _observe(0), 2, 1000, 0.02),
    Task("Reacher", lambda env: -np.linalg.norm(_reach(env), axis=1) - 0.1 * _effort(env), None, _see_target, 2, 50, 0.05,
         spread={"shoulder": 3.0, "elbow": 1.5, "target_x": 0.18, "target_y": 0.18}),
    Task("Swimmer", lambda env: _velocity(env) - 1e-3 * _effort(env), None, _observe(2), 4, 1000, 0.05),
    Task("Hopper", _run(1.0, 1e-3), _falls(0.6, 2.0, 0.6), _observe(1), 3, 1000, 0.01),
    Task("Walker2d", _run(1.0, 1e-3), _falls(0.6, 2.0, 1.0), _observe(1), 3, 1000, 0.01),
    Task("HalfCheetah", _run(0.0, 0.05), None, _observe(1), 5, 1000, 0.05),
    Task("Ant", _run(1.0, 0.1), lambda env: (_height(env) < 0.25) | (_height(env) > 1.2), _observe(2), 5, 1000, 0.05, start="start"),
    Task("Humanoid", lambda env: 1.25 * _velocity(env) + 5.0 - 0.1 * _effort(env), lambda env: (_height(env) < 0.95) | (_height(env) > 2.1),
         _observe(2), 3, 1000, 0.01),
    Task("HumanoidStandup", lambda env: 10 * _height(env, "torso") + 1 - 0.1 * _effort(env), None, _observe(2), 3, 1000, 0.01),
)}
