"""The ten tasks: their models here, their environments where Gymnasium is installed (bindings/python/test_gymnasium)."""
import warnings

import numpy as np
import pytest

import rattleback as rb
from rattleback._register import LIMITS
from rattleback.tasks import TASKS, make_model


@pytest.mark.parametrize("name", TASKS)
def test_a_model_starts_at_rest_and_its_motors_move_it(name):
    model, task = make_model(name), TASKS[name]
    assert model.actuator_count >= 1 and LIMITS[name] == task.max_steps and task.name == name
    sim = rb.Simulation(model)
    if task.start:
        sim.reset(task.start)
    # Nothing is stuck in the floor or in a limit at the start: the first step throws nothing about.
    assert sim.step().ok and np.abs(sim.state.v).max() < 1.5
    still = sim.state.v.copy()
    sim.reset(task.start) if task.start else sim.reset()
    sim.control.input[:] = 1
    sim.step()
    assert np.abs(sim.state.v - still).max() > 1e-3
    with pytest.raises(KeyError, match="no task 'Hoper'"):
        make_model("Hoper")


def test_worlds_of_a_batch_are_drawn_as_simulations_are():
    model = make_model("InvertedPendulum")
    batch, sim = rb.Batch(model, 3), rb.Simulation(model)
    batch.state.q[:, 1] = (-0.8, 0.0, 0.8)
    batch.refresh()
    camera = "-90,10,3,0,0,0.3"
    pictures = batch.render(64, 48, camera=camera, draft=True)
    assert pictures.shape == (3, 48, 64, 3) and not np.array_equal(pictures[0], pictures[2])
    sim.state.q[1] = 0.8
    sim.refresh()
    assert np.array_equal(pictures[2], sim.render(64, 48, camera=camera, draft=True))
    assert np.array_equal(batch.render(64, 48, worlds=[2], camera=camera, draft=True)[0], pictures[2])
    with pytest.raises(IndexError, match="world 3 of 3"):
        batch.render(worlds=[3])


@pytest.mark.parametrize("name", TASKS)
def test_gymnasium_s_own_checker_passes(name):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import rattleback.gymnasium  # noqa: F401  where the package is not installed nobody has registered them

    env = gymnasium.make(f"rattleback/{name}-v0")
    with warnings.catch_warnings():
        # Observations are unbounded, as those of Gymnasium's own machines; nothing else may be remarked.
        warnings.filterwarnings("error")
        warnings.filterwarnings("ignore", message=".*Box observation space (minimum|maximum) value is.*")
        check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=0)
    for _ in range(LIMITS[name]):
        *_, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    assert terminated or truncated


def test_one_world_and_many_are_the_same():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode

    import rattleback.gymnasium  # noqa: F401

    one = gymnasium.make("rattleback/Hopper-v0")
    many = rattleback.gymnasium.TaskVectorEnv("Hopper", 1, autoreset_mode=AutoresetMode.DISABLED)
    first, second = one.reset(seed=7)[0], many.reset(seed=7)[0][0]
    assert np.array_equal(first, second)
    for _ in range(5):
        action = one.action_space.sample()
        seen, reward, *_ = one.step(action)
        rows, rewards, *_ = many.step(action[None])
        assert np.array_equal(seen, rows[0]) and reward == rewards[0]
    picture = gymnasium.make("rattleback/Hopper-v0", render_mode="rgb_array", width=64, height=48)
    picture.reset(seed=0)
    assert picture.render().shape == (48, 64, 3)
