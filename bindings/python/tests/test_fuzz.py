"""Odd arguments, damaged files and owners that are gone: an exception or an answer, never a crash. RATTLEBACK_FUZZ_ROUNDS times as many
under the address sanitizer (bindings/python/test_sanitized, in ./test --long)."""
import copy
import gc
import inspect
import os
import pickle
import random
import warnings

import numpy as np
import pytest

import rattleback as rb

ROUNDS = int(os.environ.get("RATTLEBACK_FUZZ_ROUNDS", "1"))
REFUSALS = (TypeError, ValueError, LookupError, RuntimeError, OverflowError, OSError, MemoryError, AttributeError, EOFError, pickle.UnpicklingError)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def make_odd_arrays(source, shape):
    """Arrays of about this shape that are odd in one way each."""
    plain = np.zeros(shape)
    wide = np.zeros([2 * n for n in shape])
    frozen = np.zeros(shape)
    frozen.flags.writeable = False
    odd = [plain, wide[tuple(slice(None, None, 2) for _ in shape)], np.asfortranarray(plain), frozen, plain[::-1], plain.astype(">f8"), plain.astype("f4"),
           plain.astype("i8"), plain.astype(bool), plain.astype(complex), plain.astype(object), plain.astype(str), np.full(shape, np.nan),
           np.full(shape, np.inf), np.full(shape, 1e300), plain[..., None], plain.reshape(-1), np.zeros((0, *shape[1:])), np.zeros((*shape, 0)),
           np.broadcast_to(0.0, shape), plain.tolist(), memoryview(plain), np.ma.masked_array(plain, True), np.datetime64("now"), [[]], None]
    source.shuffle(odd)
    return odd


def call(function, *arguments, **keywords):
    """1 where it raised what one expects of bad input."""
    try:
        function(*arguments, **keywords)
    except REFUSALS:
        return 1
    return 0


def test_every_writable_property_takes_or_refuses_odd_arrays(arm, box):
    source, refused, tried = random.Random(1), 0, 0
    for _ in range(ROUNDS):
        for model in (arm, box):
            for owner in (rb.Simulation(model), rb.Batch(model, 3)):
                for part in (owner.state, owner.control):
                    for name in [name for name in dir(type(part)) if isinstance(inspect.getattr_static(type(part), name), property)
                                 or inspect.isdatadescriptor(inspect.getattr_static(type(part), name))]:
                        if name.startswith("_"):
                            continue
                        held = getattr(part, name)
                        for value in make_odd_arrays(source, getattr(held, "shape", (2,)) or (1,)):
                            tried += 1
                            refused += call(setattr, part, name, value)
                for act in (owner.refresh, owner.step, owner.forward):  # on NaN and infinities: a report
                    call(act)
                owner.reset()
                owner.control.input[...] = 0
                owner.control.joint_force[...] = 0
                owner.control.body_wrench[...] = 0
    assert tried > 300 * ROUNDS and 0.2 * tried < refused < tried


def test_rollouts_runs_and_parameters_with_odd_arrays_leave_the_batch_alive(arm):
    source, batch = random.Random(2), rb.Batch(arm, 3)
    varied = {name: batch.vary(name) for name in ("gravity", "friction", "mass", "gain")}
    plain = {name: values.copy() for name, values in varied.items()}
    for _ in range(ROUNDS):
        for controls in make_odd_arrays(source, (3, 4, 2)):
            call(batch.rollout, 4, controls, every=source.choice([1, 2, 3, 5]), states=source.random() < 0.5, sensors=source.random() < 0.5)
        for steps in (0, 1, 3, -1, 1.5, "2", None, np.int64(2), 2**70, True):
            call(batch.run_steps, steps)
            call(batch.rollout, steps if not isinstance(steps, int) or steps < 100 else -1)
        for name in ("gravity", "friction", "mass", "gain", "colour", 3, None):
            call(lambda name=name: batch.vary(name).__setitem__(..., source.choice([np.nan, -1.0, 0.0, 1e300, 1.0])))
            call(batch.apply_parameters)
        for name, values in plain.items():
            varied[name][...] = values
        batch.apply_parameters()
        batch.reset()
    kept = batch.rollout(2, np.zeros((3, 2, 2)))
    assert np.isfinite(kept.q).all() and batch.committed.all()


def test_everything_outlives_its_owner(arm, box):
    """Views, contacts, elements, states and rollouts of objects that nobody holds any more."""
    for _ in range(3 * ROUNDS):
        sim, batch = rb.Simulation(box, solver="convex"), rb.Batch(arm, 4)
        sim.run_for(0.5)
        held = [sim.state, sim.control, sim.state.q, sim.control.body_wrench, sim.sensors, sim.acceleration, sim.contacts, sim.contacts.force,
                sim.body["box"], sim.joint[0], sim.shape["side"], sim.model, sim.model.bodies, sim.model.bodies.mass, sim.snapshot(),
                batch.state.q, batch.state, batch.sensors, batch.contacts(2), batch.rollout(3), batch.rollout(3).q, batch.vary("mass"), batch.body["lower"],
                batch.actuator["elbow_motor"], rb.State(arm).q, rb.Control(arm, 2).input, rb.Dynamics(arm).mass_matrix(), rb.ModelBuilder().add_body()]
        del sim, batch
        gc.collect()
        churn = [rb.Batch(arm, 4) for _ in range(4)]  # who else gets the memory writes into it
        for other in churn:
            other.state.q[...] = 7.0
        for thing in held:
            repr(thing)
            for name in dir(thing):
                if name.startswith("_") or name in ("append", "build", "tofile", "dump", "data"):
                    continue
                call(lambda thing=thing, name=name: repr(getattr(thing, name)))
            if isinstance(thing, np.ndarray) and thing.flags.writeable and thing.dtype.kind == "f":
                thing[...] = 1.0
                assert (thing == 1.0).all()
        assert len(churn) == 4


def damage(source, raw):
    """The bytes with a few of them changed, cut, doubled or exchanged."""
    data = bytearray(raw)
    for _ in range(source.randrange(1, 4)):
        kind, place = source.randrange(4), source.randrange(max(len(data), 1))
        if kind == 0 and data:
            data[place] ^= 1 << source.randrange(8)
        elif kind == 1:
            del data[place:place + source.randrange(1, 40)]
        elif kind == 2:
            data[place:place] = data[place:place + source.randrange(1, 40)]
        else:
            data[place:place] = source.choice([b"\x00", b"\xff" * 8, b"-1", b"1e999", b"<body>", b"nan"])
    return bytes(data)


def test_damaged_files_snapshots_and_pickles_are_refused_or_read(arm, tmp_path):
    from conftest import ARM

    source, refused, tried = random.Random(3), 0, 0
    sim = rb.Simulation(arm)
    recording = tmp_path / "run.rec"
    with rb.Recorder(recording, sim, contacts=True) as recorder:
        for _ in range(5):
            recorder.append(sim.step())
    snapshot, record = sim.snapshot().to_bytes(), recording.read_bytes()
    pickles = [pickle.dumps(thing) for thing in (arm, sim.snapshot(), sim, rb.Box(), rb.Error([]))]

    def read_recording(path):
        held = rb.load_recording(path)
        for name in ("time", "q", "v", "kinetic_energy"):
            np.isfinite(getattr(held, name))
        held.columns()

    def unpickle(raw):
        # Damage must not reach foreign functions: only what our own classes read of their states is at stake.
        state = arm.__getstate__()
        broken = (state[0], damage(source, state[1].encode()).decode("utf-8", "replace"), state[2])
        rb.Model.__new__(rb.Model).__setstate__(broken)
        return raw

    for _ in range(15 * ROUNDS):
        for suffix, raw, read in ((".xml", ARM.encode(), rb.load_model), (".urdf", URDF.encode(), rb.load_model), (".rec", record, read_recording)):
            file = tmp_path / f"damaged{suffix}"
            file.write_bytes(damage(source, raw))
            tried, refused = tried + 1, refused + call(read, file)
        tried, refused = tried + 2, refused + call(rb.Snapshot.from_bytes, damage(source, snapshot)) + call(unpickle, pickles[0])
    assert refused > 0.5 * tried
    for version in (0, 99, -1, 2**70, "1", None):
        with pytest.raises((ValueError, TypeError)):
            rb.Model.__new__(rb.Model).__setstate__((version, *arm.__getstate__()[1:]))
    for raw in pickles:  # and whole ones are what they were
        copy.deepcopy(pickle.loads(raw))


URDF = """<robot name="two"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def test_functions_of_one_thread_while_another_steps(arm):
    """Reading, writing and resetting while a run of another thread goes on: turns are taken, nothing tears."""
    import threading

    batch, stop, faults = rb.Batch(arm, 8), threading.Event(), []

    def look():
        source = random.Random(4)
        while not stop.is_set():
            try:
                source.choice([lambda: batch.contacts(1).force, lambda: batch.snapshot(2), lambda: batch.energy(3), lambda: batch.reset(4),
                               lambda: repr(batch), lambda: batch.committed, batch.refresh, lambda: batch.state.q.sum()])()
            except rb.StaleError:
                pass
            except BaseException as fault:  # noqa: BLE001  to be seen in the main thread
                faults.append(fault)
                return

    threads = [threading.Thread(target=look) for _ in range(2)]
    for thread in threads:
        thread.start()
    for _ in range(50 * min(ROUNDS, 10)):
        batch.run_steps(5)
    stop.set()
    for thread in threads:
        thread.join()
    assert not faults and batch.committed.all()
