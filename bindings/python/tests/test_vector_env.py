"""Gymnasium's VectorEnv on a Batch; run where Gymnasium is installed (bindings/python/test_gymnasium)."""
import numpy as np
import pytest

import rattleback as rb

pytest.importorskip("gymnasium")
from gymnasium.vector import AutoresetMode  # noqa: E402

from rattleback.gymnasium import BatchVectorEnv  # noqa: E402


def make(model, mode, **options):
    return BatchVectorEnv(model, 4, reward=lambda env: -np.abs(env.batch.state.q).sum(axis=1), frame_skip=2, max_steps=10,
                          autoreset_mode=mode, **options)


def test_a_world_of_the_environment_is_a_simulation_of_it(arm):
    env = make(arm, AutoresetMode.NEXT_STEP, noise=0.0)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation) and observation.shape == (4, 4)
    actions = np.linspace(-1, 1, 8).reshape(4, 2)
    for _ in range(5):
        observation, reward, *_ = env.step(actions)
    sim = rb.Simulation(arm)
    sim.control.input = actions[2]
    sim.run_steps(10)
    assert np.array_equal(observation[2], [*sim.state.q, *sim.state.v]) and reward[2] == -np.abs(sim.state.q).sum()


def test_the_same_seed_starts_the_same_and_noise_spreads_the_worlds(arm):
    first, second = (make(arm, AutoresetMode.NEXT_STEP).reset(seed=5)[0] for _ in range(2))
    assert np.array_equal(first, second) and len(np.unique(first[:, 0])) == 4


def test_each_mode_starts_worlds_again_as_gymnasium_says(arm):
    still = np.zeros((4, 2))
    env = make(arm, AutoresetMode.NEXT_STEP)
    env.reset(seed=0)
    ends = [env.step(still)[3].all() for _ in range(22)]
    assert [i for i, end in enumerate(ends) if end] == [9, 20]  # ten steps, one that starts again, ten steps
    env = make(arm, AutoresetMode.SAME_STEP)
    env.reset(seed=0)
    for _ in range(10):
        observation, _, _, truncated, info = env.step(still)
    assert truncated.all() and info["_final_obs"].all() and not np.array_equal(info["final_obs"], observation)
    assert (env.batch.state.step == 0).all()
    env = make(arm, AutoresetMode.DISABLED)
    env.reset(seed=0)
    for _ in range(10):
        env.step(still)
    with pytest.raises(ValueError, match="must be reset first"):
        env.step(still)
    env.reset(options={"reset_mask": np.ones(4, dtype=bool)})
    env.step(still)


def test_a_world_that_diverges_is_terminated_alone(arm):
    env = make(arm, AutoresetMode.NEXT_STEP)
    env.reset(seed=0)
    env.batch.control.joint_force[1, 0] = np.nan
    *_, terminated, truncated, _ = env.step(np.zeros((4, 2)))
    assert terminated.tolist() == [False, True, False, False] and not truncated.any()


def test_stable_baselines_sees_the_same_worlds_and_how_they_ended(arm):
    pytest.importorskip("stable_baselines3")
    from rattleback.stable_baselines import BatchVecEnv

    worlds, same = (make(arm, AutoresetMode.SAME_STEP) for _ in range(2))
    env = BatchVecEnv(worlds)
    env.seed(3)
    first = env.reset()
    expected, _ = same.reset(seed=3)
    assert np.array_equal(first, expected) and env.num_envs == 4 and env.observation_space.shape == (4,)
    total = np.zeros(4)
    for step in range(10):
        actions = np.full((4, 2), 0.1 * step)
        seen, reward, done, infos = env.step(actions)
        expected, reward_there, _, truncated, info = same.step(actions)
        assert np.array_equal(seen, expected) and np.array_equal(reward, reward_there)
        total += reward
        assert done.tolist() == truncated.tolist() == [step == 9] * 4
    for world in range(4):
        assert np.array_equal(infos[world]["terminal_observation"], info["final_obs"][world]) and infos[world]["TimeLimit.truncated"]
        assert infos[world]["episode"] == {"r": pytest.approx(total[world]), "l": 10}
    with pytest.raises(ValueError, match="SAME_STEP"):
        BatchVecEnv(make(arm, AutoresetMode.NEXT_STEP))
    with pytest.raises(NotImplementedError, match="share"):
        env.set_attr("noise", 1.0)
