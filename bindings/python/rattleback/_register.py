"""Makes Gymnasium know the tasks as rattleback/NAME-v0. Gymnasium calls this by itself when it is imported (pyproject.toml)."""
from __future__ import annotations

# Names and time limits stand here again, so that importing Gymnasium does not build anything; a test compares them with TASKS.
LIMITS = {"InvertedPendulum": 1000, "InvertedDoublePendulum": 1000, "Reacher": 50, "Swimmer": 1000, "Hopper": 1000, "Walker2d": 1000,
          "HalfCheetah": 1000, "Ant": 1000, "Humanoid": 1000, "HumanoidStandup": 1000}


def register_tasks() -> None:
    """All tasks, once."""
    from gymnasium.envs.registration import register, registry  # type: ignore[import-not-found, unused-ignore]

    for name, limit in LIMITS.items():
        if f"rattleback/{name}-v0" not in registry:
            register(id=f"rattleback/{name}-v0", entry_point="rattleback.gymnasium:TaskEnv",
                     vector_entry_point="rattleback.gymnasium:TaskVectorEnv", max_episode_steps=limit, kwargs={"task": name})
