"""Gymnasium's environments on a Batch: any model with a reward of one's own, and the ten tasks of rattleback.tasks.

    env = gymnasium.make("rattleback/Humanoid-v0")                       # one world
    envs = gymnasium.make_vec("rattleback/Humanoid-v0", num_envs=256)    # all worlds in one call

    def reward(env):                                        # arrays with a leading world dimension
        return env.batch.body["torso"].linear_velocity[:, 0]

    env = BatchVectorEnv(rb.load_model("robot.xml"), 64, reward=reward)
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv

from ._core import Model
from ._register import register_tasks
from ._simulation import Batch
from .tasks import TASKS, make_model

Array = npt.NDArray[Any]
Function = Callable[["BatchVectorEnv"], Array]


class BatchVectorEnv(VectorEnv):  # type: ignore[misc, unused-ignore]
    """Worlds of one Model as environments. Observations are q and v unless a function says otherwise."""

    def __init__(self, model: Model, num_envs: int, *, reward: Function, terminated: Function | None = None,
                 observation: Function | None = None, frame_skip: int = 5, max_steps: int = 1000, noise: float = 0.01,
                 start: str | None = None, spread: dict[str, float] | None = None,
                 autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP, solver: str = "auto", thread_count: int = 0,
                 parameters: dict[str, Any] | None = None, render_mode: str | None = None) -> None:
        """noise: standard deviation of q and v about the start (a keyframe; None: the initial state) at a reset; of rotations and free
        joints v alone. spread: hinges and slides that start evenly within so much of zero instead."""
        self.batch = Batch(model, num_envs, solver=solver, thread_count=thread_count, parameters=parameters)
        self.render_mode = render_mode
        self.num_envs = num_envs
        self._reward, self._terminated, self._observation = reward, terminated, observation
        self._frame_skip, self._max_steps, self._noise = frame_skip, max_steps, noise
        self.metadata = {"autoreset_mode": autoreset_mode, "render_modes": ["rgb_array"], "render_fps": round(1 / (frame_skip * self.batch.dt))}
        self.action = np.zeros((num_envs, model.actuator_count))
        self._steps = np.zeros(num_envs, dtype=np.int64)
        self._done = np.zeros(num_envs, dtype=bool)
        low, high = np.full(model.actuator_count, -1.0), np.full(model.actuator_count, 1.0)
        for i, limits in enumerate(model.actuators.input_range):
            low[i], high[i] = limits if limits is not None else (-1.0, 1.0)
        self._q, self._v, self._input = self.batch.state.q, self.batch.state.v, self.batch.control.input
        # Quaternions are left as they are: noise would make them no rotations.
        self._noisy = np.array([begin for kind, begin in zip(model.joints.type, model.joints.q_begin) if kind in ("hinge", "slide")], dtype=np.int64)
        key = None if start is None else model.keyframes[int(model.find_keyframe(start) or 0)]
        self._start = (model.initial_q, model.initial_v) if key is None else (key.q, key.v if len(key.v) else model.initial_v)
        places = {name: int(begin) for name, begin in zip(model.joints.name, model.joints.q_begin)}
        self._spread = [(places[name], reach) for name, reach in (spread or {}).items()]
        self._limits = low, high
        self.single_action_space = gymnasium.spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        size = self._observe().shape[1]
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), dtype=np.float64)
        batch_space = gymnasium.vector.utils.batch_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def _observe(self) -> Array:
        if self._observation is not None:
            return np.asarray(self._observation(self), dtype=np.float64)
        return np.concatenate([self._q, self._v], axis=1)

    def _restart(self, worlds: Array) -> None:
        chosen, random = np.flatnonzero(worlds), self.np_random
        for world in chosen.tolist():
            self.batch.reset(world)
        (start_q, start_v), count = self._start, len(chosen)
        q, v = np.tile(start_q, (count, 1)), np.tile(start_v, (count, 1))
        q[:, self._noisy] += self._noise * random.normal(size=(count, len(self._noisy)))
        v += self._noise * random.normal(size=v.shape)
        for place, reach in self._spread:
            q[:, place] = random.uniform(-reach, reach, size=count)
        self._q[chosen], self._v[chosen] = q, v
        self._steps[chosen] = 0
        self.batch.refresh()

    def render(self) -> Any:
        """Pictures of all worlds, a tuple of (height, width, 3), where render_mode is "rgb_array"."""
        return tuple(self.batch.render(480, 480)) if self.render_mode == "rgb_array" else None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """All worlds, or those of options["reset_mask"], to the initial state with noise."""
        if seed is not None:
            self._np_random, self._np_random_seed = seeding.np_random(seed)
        mask = (options or {}).get("reset_mask")
        worlds = np.ones(self.num_envs, dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
        if worlds.shape != (self.num_envs,):
            raise ValueError(f"reset_mask: expected shape ({self.num_envs},), got {worlds.shape}")
        self._restart(worlds)
        self._done[worlds] = False
        return self._observe(), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """frame_skip steps of every world; a world whose step is not committed is terminated."""
        mode = self.metadata["autoreset_mode"]
        if mode == AutoresetMode.DISABLED and self._done.any():
            raise ValueError("step: worlds that are done must be reset first (options={'reset_mask': done})")
        resting = self._done if mode == AutoresetMode.NEXT_STEP else np.zeros(self.num_envs, dtype=bool)
        self.action = np.asarray(actions, dtype=np.float64).reshape(self.num_envs, -1)
        np.clip(self.action, *self._limits, out=self._input)
        self.batch.run_steps(self._frame_skip)
        self._steps += 1
        if resting.any():
            self._restart(resting)
        reward = np.asarray(self._reward(self), dtype=np.float64) * ~resting
        terminated = ~self.batch.committed
        if self._terminated is not None:
            terminated = terminated | np.asarray(self._terminated(self), dtype=bool)
        terminated &= ~resting
        truncated = (self._steps >= self._max_steps) & ~resting
        self._done = terminated | truncated
        info: dict[str, Any] = {}
        observation = self._observe()
        if mode == AutoresetMode.SAME_STEP and self._done.any():
            info = {"final_obs": observation.copy(), "_final_obs": self._done.copy()}
            self._restart(self._done)
            observation = self._observe()
        return observation, reward, terminated, truncated, info


class TaskVectorEnv(BatchVectorEnv):
    """Many worlds of a task of rattleback.tasks."""

    def __init__(self, task: str, num_envs: int = 1, max_episode_steps: int | None = None, **options: Any) -> None:
        """Options as of BatchVectorEnv; the solver is the task's unless said."""
        known = TASKS[task]
        options.setdefault("solver", known.solver)
        options.setdefault("max_steps", max_episode_steps or known.max_steps)
        super().__init__(make_model(task), num_envs, reward=known.reward, terminated=known.terminated, observation=known.observation,
                         frame_skip=known.frame_skip, noise=known.noise, start=known.start, spread=known.spread, **options)


class TaskEnv(gymnasium.Env):  # type: ignore[misc, unused-ignore]
    """One world of a task of rattleback.tasks. Time limits are Gymnasium's wrapper's."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 50}

    def __init__(self, task: str, render_mode: str | None = None, width: int = 480, height: int = 480, **options: Any) -> None:
        """Options as of BatchVectorEnv."""
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode: expected None or 'rgb_array', got {render_mode!r}")
        self.worlds = TaskVectorEnv(task, 1, autoreset_mode=AutoresetMode.DISABLED, max_steps=2**31, thread_count=1, **options)
        self.render_mode = render_mode
        self._size = width, height
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": self.worlds.metadata["render_fps"]}
        self.action_space, self.observation_space = self.worlds.single_action_space, self.worlds.single_observation_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """To the start, with noise."""
        super().reset(seed=seed)
        self.worlds._np_random = self.np_random  # one source of randomness
        observation, _ = self.worlds.reset()
        return observation[0].copy(), {}

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """frame_skip steps."""
        self.worlds._done[:] = False  # whoever goes on after the end may
        observation, reward, terminated, _, _ = self.worlds.step(np.asarray(action)[None])
        return observation[0].copy(), float(reward[0]), bool(terminated[0]), False, {}

    def render(self) -> Any:
        """A picture (height, width, 3), where render_mode is "rgb_array"."""
        return self.worlds.batch.render(*self._size)[0] if self.render_mode == "rgb_array" else None


register_tasks()
