"""Stable-Baselines3 on a Batch: one VecEnv for all worlds.

    from stable_baselines3 import PPO
    model = PPO("MlpPolicy", BatchVecEnv("Hopper", 64)).learn(500_000)
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from .gymnasium import BatchVectorEnv, TaskVectorEnv

Array = npt.NDArray[Any]


class BatchVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """A task of rattleback.tasks by its name, or any BatchVectorEnv that starts worlds again in the same step."""

    def __init__(self, task: str | BatchVectorEnv, num_envs: int = 64, **options: Any) -> None:
        """Options as of BatchVectorEnv."""
        if isinstance(task, str):
            task = TaskVectorEnv(task, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        if task.metadata["autoreset_mode"] != AutoresetMode.SAME_STEP:
            raise ValueError("BatchVecEnv: Stable-Baselines3 expects autoreset_mode=AutoresetMode.SAME_STEP")
        self.worlds = task
        self.render_mode = task.render_mode
        self._actions: Array = np.zeros(0)
        self._returns, self._lengths = np.zeros(task.num_envs), np.zeros(task.num_envs, dtype=np.int64)
        super().__init__(task.num_envs, task.single_observation_space, task.single_action_space)

    def reset(self) -> Array:
        """All worlds to the start."""
        seed = next((seed for seed in self._seeds if seed is not None), None)
        self._reset_seeds()
        self._returns[:], self._lengths[:] = 0, 0
        observation: Array = self.worlds.reset(seed=seed)[0]
        return observation

    def step_async(self, actions: Array) -> None:
        """Keeps the actions for step_wait."""
        self._actions = actions

    def step_wait(self) -> tuple[Array, Array, Array, list[dict[str, Any]]]:
        """One step of every world; a world that ends has its last observation, return and length in its info."""
        observation, reward, terminated, truncated, info = self.worlds.step(self._actions)
        done = terminated | truncated
        self._returns += reward
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for world in np.flatnonzero(done):
            infos[world] = {"terminal_observation": info["final_obs"][world], "TimeLimit.truncated": bool(truncated[world] and not terminated[world]),
                            "episode": {"r": float(self._returns[world]), "l": int(self._lengths[world])}}
        self._returns[done], self._lengths[done] = 0, 0
        return observation, reward, done, infos

    def close(self) -> None:
        """Nothing to give back."""

    def _chosen(self, indices: None | int | Iterable[int]) -> Sequence[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: None | int | Iterable[int] = None) -> list[Any]:
        """The attribute of the worlds' environment, for each."""
        return [getattr(self.worlds, attr_name) for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: None | int | Iterable[int] = None) -> None:
        """Worlds have no attributes of their own."""
        raise NotImplementedError(f"set_attr: the worlds of a batch share '{attr_name}'; set it on .worlds")

    def env_method(self, method_name: str, *arguments: Any, indices: None | int | Iterable[int] = None, **keywords: Any) -> list[Any]:
        """Worlds have no methods of their own."""
        raise NotImplementedError(f"env_method: call .worlds.{method_name}, which acts on all worlds")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: None | int | Iterable[int] = None) -> list[bool]:
        """Never."""
        return [False for _ in self._chosen(indices)]
