"""Many worlds: leading world dimension, rollouts, parameters of their own, forked workers, threads."""
import multiprocessing
import os
import sys
import threading

import numpy as np
import pytest

import rattleback as rb


def test_every_world_is_what_a_simulation_of_it_would_be(arm):
    batch = rb.Batch(arm, 5, solver="convex")
    assert batch.state.q.shape == (5, 2) and batch.state.body_position.shape == (5, 3, 3)
    assert batch.control.input.shape == (5, 2) and batch.sensors.shape == (5, 4) and batch.state.time.shape == (5,)
    batch.state.q[:, 0] = np.linspace(-1, 1, 5)
    batch.refresh()
    batch.run_steps(30)
    assert batch.committed.all() and len(batch.reports) == 5
    for world in range(5):
        sim = rb.Simulation(arm, solver="convex")
        sim.state.q[0] = np.linspace(-1, 1, 5)[world]
        sim.refresh()
        sim.run_steps(30)
        assert np.array_equal(batch.state.q[world], sim.state.q)
        assert np.array_equal(batch.body["lower"].position[world], sim.body["lower"].position)
        assert np.array_equal(batch.sensor["tip"].value[world], sim.sensor["tip"].value)


def test_a_rollout_is_what_step_by_step_gives(arm):
    controls = np.random.default_rng(1).normal(size=(3, 20, 2))
    batch, other = rb.Batch(arm, 3), rb.Batch(arm, 3)
    kept = batch.rollout(20, controls, every=5, sensors=True)
    assert kept.q.shape == (3, 4, 2) and kept.sensors.shape == (3, 4, 4) and kept.moment_count == 4
    for step in range(20):
        other.control.input[:] = controls[:, step]
        other.step()
        if step % 5 == 4:
            assert np.array_equal(kept.q[:, step // 5], other.state.q)
            assert np.array_equal(kept.sensors[:, step // 5], other.sensors)
    # Other layouts and types of numbers are converted.
    third = rb.Batch(arm, 3)
    again = third.rollout(20, np.asfortranarray(controls), every=5, states=True)
    assert np.array_equal(again.q, kept.q) and again.sensors.shape == (3, 4, 0)


def test_storage_of_a_rollout_is_used_again_only_when_no_array_looks_at_it(arm):
    batch = rb.Batch(arm, 2)
    kept = batch.rollout(3)
    q = kept.q
    before = q.copy()
    again = batch.rollout(200, out=kept)
    assert again is kept and np.array_equal(q, before)  # the old array has its numbers still
    assert kept.q.shape == (2, 200, 2)


def test_worlds_have_parameters_of_their_own(box):
    batch = rb.Batch(box, 3, solver="convex")
    gravity = batch.vary("gravity")
    assert gravity.shape == (3, 3) and gravity[1].tolist() == [0, 0, -9.81]
    gravity[:, 2] = (-1, -2, -4)
    batch.apply_parameters()
    batch.run_for(0.2)
    fallen = 0.6 - batch.body["box"].position[:, 2]
    assert fallen == pytest.approx(np.array([1, 2, 4]) * 0.2**2 / 2, rel=1e-9)
    batch.vary("mass")[1, 1] = -1
    with pytest.raises(rb.Error, match="world 1"):
        batch.apply_parameters()


def test_worlds_are_reset_saved_and_restored_one_by_one(arm):
    batch = rb.Batch(arm, 3)
    batch.run_steps(10)
    moment = batch.snapshot(1)
    batch.run_steps(10)
    batch.reset(0)
    batch.reset(2, "bent")
    assert batch.state.q[0].tolist() == [0, 0] and batch.state.q[2].tolist() == [0.5, 1]
    batch.restore(1, moment)
    assert batch.state.step.tolist() == [0, 10, 0]
    with pytest.raises(IndexError, match="world 3 of 3"):
        batch.reset(3)


def test_callbacks_run_on_the_threads_of_the_batch(arm):
    batch = rb.Batch(arm, 4, thread_count=2)
    seen = set()

    def control(world):
        batch.control.input[world, 0] = world
        seen.add((world, batch.energy(world).kinetic >= 0))

    batch.run_steps(3, control)
    assert seen == {(world, True) for world in range(4)} and batch.control.input[:, 0].tolist() == [0, 1, 2, 3]
    with pytest.raises(ZeroDivisionError):
        batch.run_steps(1, lambda world: 1 / 0)


def run_in_child(batch, steps, queue):
    batch.run_steps(steps)
    queue.put((os.getpid(), batch.state.hash()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_batch_goes_on_in_a_forked_child_with_threads_of_its_own(arm):
    batch = rb.Batch(arm, 8, thread_count=3)
    batch.state.q[:, 0] = np.linspace(-1, 1, 8)
    batch.refresh()
    batch.run_steps(5)  # the threads are there and wait
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=run_in_child, args=(batch, 20, queue)) for _ in range(2)]
    for child in children:
        child.start()
    answers = [queue.get(timeout=60) for _ in children]
    for child in children:
        child.join(timeout=60)
        assert child.exitcode == 0
    batch.run_steps(20)
    assert {answer for _, answer in answers} == {batch.state.hash()}
    assert os.getpid() not in {pid for pid, _ in answers}


def test_threads_take_turns_on_one_simulation_and_run_at_once_on_two(box):
    sims = [rb.Simulation(box, solver="convex") for _ in range(2)]

    def work(sim):
        for _ in range(50):
            sim.run_steps(10)

    threads = [threading.Thread(target=work, args=(sim,)) for sim in (*sims, sims[0])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sims[0].state.step == 1000 and sims[1].state.step == 500
    alone = rb.Simulation(box, solver="convex")
    alone.run_steps(1000)
    assert sims[0].state.hash() == alone.state.hash()


def test_the_interpreter_s_lock_is_released_in_long_calls(arm, tmp_path):
    """Nobody switches threads here but who gives up the lock: the main thread goes on during the call, or after it."""
    body = "".join(f'<body pos="{i} 0 1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>' for i in range(1500))
    file = tmp_path / "crowd.xml"
    file.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    builder = rb.ModelBuilder()
    for i in range(3000):
        builder.add_shape(builder.add_body(position=(i, 0, 0)), rb.Sphere(0.1))
    sim, batch = rb.Simulation(arm), rb.Batch(arm, 64, thread_count=1)
    calls = {"run_steps": lambda: sim.run_steps(20000), "run_for": lambda: sim.run_for(40.0), "batch.run_steps": lambda: batch.run_steps(500),
             "rollout": lambda: batch.rollout(500), "load_model": lambda: rb.load_model(file), "build": builder.build,
             "render": lambda: sim.render(160, 120, draft=True)}
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        for name, function in calls.items():
            begun, ended, during = threading.Event(), [], []

            def work(function=function, begun=begun, ended=ended):
                begun.set()
                function()
                ended.append(True)

            thread = threading.Thread(target=work)
            thread.start()
            begun.wait()
            during.append(not ended)
            thread.join()
            assert during == [True] and ended == [True], name
    finally:
        sys.setswitchinterval(interval)
