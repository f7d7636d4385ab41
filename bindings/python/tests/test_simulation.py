"""One world: steps, views, names, contacts, errors."""
import copy
import gc
import pickle

import numpy as np
import pytest

import rattleback as rb

G = 9.81


def test_a_box_falls_as_galileo_says_and_comes_to_rest_on_the_ground(box):
    sim = rb.Simulation(box, solver="convex", dt=1e-3)
    sim.run_for(0.2)
    # The midpoint rule is exact for constant acceleration.
    assert sim.body["box"].position[2] == pytest.approx(0.6 - G * 0.2**2 / 2, abs=1e-12)
    report = sim.run_for(2.0)
    assert report.ok and report.committed
    assert sim.body["box"].position[2] == pytest.approx(0.1, abs=1e-3)
    assert sim.contacts.force.sum(axis=0) == pytest.approx([0, 0, 8 * G], abs=1e-3)


def test_every_solver_of_the_list_runs_the_same_lines(box):
    names = [info.name for info in rb.solvers()]
    assert {"smooth", "convex", "comfree", "avbd", "pbd", "pbdr", "refined"} <= set(names)
    ran = []
    for name in names:
        if rb.find_refusal(name, box):
            continue
        sim = rb.Simulation(box, solver=name, dt=1e-3)
        sim.run_for(1.0)
        assert sim.body["box"].position[2] == pytest.approx(0.1, abs=5e-3), name
        ran.append(name)
    assert len(ran) >= 5


def test_arrays_are_views_of_the_engines_memory(arm):
    sim = rb.Simulation(arm)
    q, address = sim.state.q, sim.state.q.ctypes.data
    assert q is sim.state.q and q.flags.writeable and not q.flags.owndata
    sim.run_steps(10)
    assert sim.state.q.ctypes.data == address
    q[:] = [0.3, -0.2]
    sim.refresh()
    tip = sim.sensor["tip"].value
    assert tip == pytest.approx([-0.6 * np.sin(0.3) - 0.5 * np.sin(0.1), 0, -0.6 * np.cos(0.3) - 0.5 * np.cos(0.1)], abs=1e-12)
    assert sim.site["hand"].position == pytest.approx(tip, abs=1e-12)
    assert not sim.sensors.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        sim.sensors[0] = 1


def test_a_view_keeps_its_owner_alive(arm):
    sim = rb.Simulation(arm)
    sim.reset("bent")
    q, mass, tip = sim.state.q, sim.model.bodies.mass, sim.body["lower"]
    before = q.copy()
    del sim
    gc.collect()
    churn = [rb.Simulation(arm) for _ in range(20)]  # somebody else would get the memory
    assert np.array_equal(q, before) and mass[1] > 0 and np.isfinite(tip.position).all()
    assert len(churn) == 20


def test_a_simulation_is_freed_when_nobody_looks_at_it(arm):
    import weakref

    sim = rb.Simulation(arm)
    assert sim.body["lower"].position.shape == (3,) and sim.contacts is not None
    gone = weakref.ref(sim)
    gc.disable()  # by counting alone: nothing refers to it in a circle
    try:
        del sim
        assert gone() is None
    finally:
        gc.enable()


def test_names_are_keys_and_a_wrong_one_says_what_is_near(arm):
    sim = rb.Simulation(arm)
    assert list(sim.body) == ["world", "upper", "lower"] and len(sim.joint) == 2 and "elbow" in sim.joint
    sim.actuator["elbow_motor"].input = 2.5
    assert sim.control.input.tolist() == [0, 2.5]
    sim.joint["elbow"].q[:] = 0.7
    assert sim.state.q[1] == 0.7
    sim.body["lower"].force[:] = (1, 2, 3)
    assert sim.control.body_wrench[2].tolist() == [1, 2, 3, 0, 0, 0]
    with pytest.raises(KeyError, match="did you mean 'elbow'"):
        sim.joint["elbw"]
    with pytest.raises(IndexError):
        sim.body[3]


def test_a_motor_accelerates_as_the_dynamics_say(arm):
    sim = rb.Simulation(arm)
    sim.reset("bent")
    assert sim.control.input.tolist() == [0.1, 0.2]
    dynamics = rb.Dynamics(arm)
    dynamics.update(sim.state, sim.control)
    force = dynamics.passive() + dynamics.actuation() + dynamics.applied()
    acceleration = dynamics.forward(force)
    mass = dynamics.mass_matrix()
    assert mass @ acceleration + dynamics.bias() == pytest.approx(force, abs=1e-10)
    assert dynamics.inverse(acceleration) == pytest.approx(force, abs=1e-10)
    sim.forward()
    assert sim.acceleration == pytest.approx(acceleration, abs=1e-9)
    # A column of the Jacobian is the velocity of the point when one joint moves alone.
    jacobian = dynamics.point_jacobian(sim.body["lower"], sim.site["hand"].position)
    sim.state.v[:] = (0, 1)
    sim.refresh()
    start, h = sim.site["hand"].position, 1e-6
    sim.state.q[1] += h
    sim.refresh()
    assert (sim.site["hand"].position - start) / h == pytest.approx(jacobian[:, 1], abs=1e-5)


def test_contacts_know_when_they_are_stale(box):
    sim = rb.Simulation(box, solver="convex")
    sim.run_for(1.0)
    contacts = sim.contacts
    assert len(contacts) == 4 and not contacts.stale
    force = contacts.force
    sim.step()
    assert contacts.stale and "stale" in repr(contacts)
    with pytest.raises(rb.StaleError, match="ask the simulation"):
        contacts.force
    assert force.shape == (4, 3)  # a column is an array of its own
    assert sim.contacts.normal[:, 2] == pytest.approx(1) and sim.contacts.second_body.tolist() == [1] * 4


def test_callbacks_push_and_read_but_may_not_step(box):
    sim = rb.Simulation(box, solver="convex", dt=1e-3)
    seen = []

    def hold():
        sim.body["box"].force[2] = 8 * G
        seen.append(sim.energy().kinetic)

    sim.run_steps(100, hold)
    assert sim.body["box"].position[2] == pytest.approx(0.6, abs=1e-12) and len(seen) == 100
    with pytest.raises(rb.UsageError, match="not step"):
        sim.run_steps(1, sim.step)
    with pytest.raises(ZeroDivisionError):
        sim.run_steps(5, lambda: 1 / 0)
    assert sim.step().ok  # and goes on


def test_a_contact_filter_lets_things_through(box):
    sim = rb.Simulation(box, solver="convex")
    asked = set()
    sim.set_contact_filter(lambda first, second: asked.add((type(first), int(first), int(second))) or False)
    sim.run_for(0.5)
    assert asked == {(rb.ShapeId, 0, 1)} and sim.body["box"].position[2] < -0.4
    sim.reset()
    sim.set_contact_filter(None)
    sim.run_for(1.0)
    assert sim.body["box"].position[2] == pytest.approx(0.1, abs=1e-3)


def test_snapshots_models_and_simulations_continue_bit_for_bit_after_pickling(arm):
    sim = rb.Simulation(arm, solver="convex", dt=1e-3)
    sim.actuator["elbow_motor"].input = 1
    sim.run_steps(50)
    snapshot = pickle.loads(pickle.dumps(sim.snapshot()))
    others = [pickle.loads(pickle.dumps(sim)), copy.deepcopy(sim)]
    model = pickle.loads(pickle.dumps(arm))
    assert model == arm and model.fingerprint == arm.fingerprint
    fresh = rb.Simulation(model, solver="convex", dt=1e-3)
    fresh.restore(snapshot)
    for one in (sim, fresh, *others):
        one.run_steps(50)
    assert len({one.state.hash() for one in (sim, fresh, *others)}) == 1
    assert rb.Snapshot.from_bytes(snapshot.to_bytes()) == snapshot


def test_what_diverges_is_reported_and_explained_not_raised(arm):
    sim = rb.Simulation(arm)
    before = sim.state.hash()
    sim.control.joint_force[1] = np.nan
    report = sim.step()
    assert report.status == "diverged" and not report.committed and sim.state.hash() == before
    assert sim.explain(report)
    sim.control.joint_force[:] = 0
    assert sim.step().ok


def test_rays_and_distances_find_the_nearest_surface(box):
    state = rb.State(box)
    hit = rb.cast_ray(state, (0, 0, 3), (0, 0, -2))
    assert hit.shape == 1 and hit.distance == pytest.approx(2.3) and hit.normal == pytest.approx([0, 0, 1])
    assert rb.cast_ray(state, (5, 0, 3), (0, 0, 1)) is None
    gap = rb.find_distance(state, 0, 1)
    assert gap.distance == pytest.approx(0.5) and gap.normal == pytest.approx([0, 0, 1])
    assert rb.find_distance(state, 1, (0, 0, 1.7)).distance == pytest.approx(1.0)


def test_energy_and_momentum_of_free_fall(box):
    sim = rb.Simulation(box, solver="smooth" if not rb.find_refusal("smooth", box) else "convex")
    start = sim.energy()
    sim.run_steps(50)
    assert sim.energy().total == pytest.approx(start.total, rel=1e-9)
    assert sim.momentum().linear == pytest.approx([0, 0, -8 * G * sim.time], rel=1e-9)


def test_a_run_with_a_bar_is_the_run_without_it(arm, capsys):
    with_bar, without = rb.Simulation(arm), rb.Simulation(arm)
    assert with_bar.run_for(0.5, progress=True).ok and without.run_for(0.5).ok
    assert with_bar.state.hash() == without.state.hash()
    lines = capsys.readouterr().err.splitlines()
    assert 5 < len(lines) < 15 and "0.5/0.5 s" in lines[-1] and "#" * 24 in lines[-1]


def test_the_derivatives_of_a_step_are_those_of_steps_nearby(arm):
    sim, batch = rb.Simulation(arm, solver="comfree"), rb.Batch(arm, 2, solver="comfree")
    sim.reset("bent")
    found = sim.step_derivatives()
    assert found.by_state.shape == (4, 4) and found.by_control.shape == (4, 2) and found.report.ok
    start = sim.snapshot()
    batch.restore(1, start)
    assert np.array_equal(batch.step_derivatives(1).by_state, found.by_state)
    h = 1e-6
    for column in range(6):
        ends = []
        for sign in (1, -1):
            sim.restore(start)
            part, place = [(sim.state.q, column), (sim.state.v, column - 2), (sim.control.input, column - 4)][column // 2]
            part[place] += sign * h
            sim.refresh()
            assert sim.step().substeps == 1
            ends.append(np.concatenate([sim.state.q, sim.state.v]))
        whole = np.hstack([found.by_state, found.by_control])
        assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(whole[:, column], abs=1e-7)  # differences: h^2 and rounding over h
    with pytest.raises(IndexError):
        batch.step_derivatives(2)
