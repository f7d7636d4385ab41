"""Wrong shapes, types, layouts and files: exceptions that say what to do, never a crash."""
import pickle
import random
import warnings

import numpy as np
import pytest

import rattleback as rb


def test_the_builder_names_the_argument_and_what_it_expects():
    builder = rb.ModelBuilder()
    body = builder.add_body(name="a")
    cases = [
        (lambda: builder.add_body(positon=(0, 0, 0)), "add_body: unknown argument 'positon' .did you mean 'position'"),
        (lambda: builder.add_body(position=(0, 0)), "add_body: position: expected 3 numbers, got tuple"),
        (lambda: builder.add_body(position="abc"), "position: expected 3 numbers, got str 'abc'"),
        (lambda: builder.add_body(rotation=(1, 0, 0)), "rotation: expected a quaternion"),
        (lambda: builder.add_body(kind="dynamical"), "kind: expected one of 'dynamic', 'fixed', 'kinematic'"),
        (lambda: builder.add_body("a"), "add_body: expected keyword arguments only"),
        (lambda: builder.add_joint(), "add_joint: expected the arguments body"),
        (lambda: builder.add_joint(body, range=3), "range: expected .lower, upper."),
        (lambda: builder.add_joint(rb.ShapeId(0)), "expected a BodyId, got ShapeId"),
        (lambda: builder.add_shape(body, "box"), "expected a shape, for example"),
        (lambda: builder.add_shape(body, rb.Sphere("x")), "Sphere.radius: expected a number"),
        (lambda: builder.add_shape(body, rb.Sphere(), density=None), "density: expected a number"),
        (lambda: builder.add_sensor("gyro", 0), "expected None, a typed id"),
        (lambda: builder.add_sensor("giro", None), "expected one of"),
        (lambda: builder.add_motor(1), "expected a JointId, TendonId, SiteId or BodyId"),
        (lambda: builder.add_mesh(vertices=np.zeros((3, 2))), "expected an array of shape .n, 3."),
        (lambda: builder.add_mesh(vertices=np.zeros((3, 3), dtype=complex)), "array of real numbers"),
        (lambda: builder.add_mesh(triangles=[[0.5, 1, 2]]), "whole numbers"),
    ]
    for call, text in cases:
        with pytest.raises(TypeError, match=text):
            call()


def test_build_says_all_mistakes_at_once():
    builder = rb.ModelBuilder()
    builder.add_body(name="ball", position=(np.nan, 0, 0))
    builder.add_shape(builder.add_body(name="ball"), rb.Sphere(-1.0))
    with pytest.raises(rb.Error) as caught:
        builder.build()
    assert len(caught.value.errors) >= 3 and str(caught.value).count("\n") == len(caught.value.errors) - 1
    assert {item.code for item in caught.value.errors} >= {"invalid_value", "duplicate_name"}
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_wrong_file_is_said_with_line_and_column(tmp_path):
    file = tmp_path / "wrong.xml"
    file.write_text("<mujoco>\n <worldbody>\n  <geom type='sphere' size='-1'/>\n  <bod/>\n </worldbody>\n</mujoco>")
    with pytest.raises(rb.Error, match=r"wrong.xml:3:\d+: .*\n.*wrong.xml:4:\d+: .*did you mean 'body'"):
        rb.load_model(file)
    with pytest.raises(rb.Error, match="no_such_file"):
        rb.load_model(tmp_path / "no_such_file.xml")


def test_strict_reading_stays_in_the_models_folder(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "ball.xml").write_text("<mujoco><worldbody><geom name='ball' size='1'/></worldbody></mujoco>")
    model = tmp_path / "own" / "m.xml"
    for name in ("../ball.xml", str(tmp_path / "ball.xml")):
        model.write_text(f"<mujoco><include file='{name}'/></mujoco>")
        assert rb.load_model(model).shape_count == 1
        with pytest.raises(rb.Error, match="outside the model's folder"):
            rb.load_model(model, strict=True)
        with pytest.raises(rb.Error, match="outside the model's folder"):
            rb.parse_mjcf(model.read_text(), directory=tmp_path / "own", strict=True)


def test_arrays_of_a_wrong_shape_or_type_are_refused(arm):
    sim, batch = rb.Simulation(arm), rb.Batch(arm, 3)
    with pytest.raises(ValueError):
        sim.state.q = [1, 2, 3]
    with pytest.raises(ValueError, match=r"rollout: controls .* expected shape \(3, 4, 2\), got \(3, 2, 4\)"):
        batch.rollout(4, np.zeros((3, 2, 4)))
    with pytest.raises(TypeError, match="real numbers"):
        batch.rollout(4, np.zeros((3, 4, 2), dtype=complex))
    with pytest.raises(TypeError, match="real numbers"):
        batch.rollout(4, [["a"]])
    frozen = np.zeros((3, 4, 2))
    frozen.flags.writeable = False
    assert batch.rollout(4, frozen).q.shape == (3, 4, 2)  # what is only read may be read-only
    assert batch.rollout(4, np.zeros((6, 4, 4), dtype=np.float32)[::2, :, ::2]).q.shape == (3, 4, 2)
    dynamics = rb.Dynamics(arm)
    with pytest.raises(ValueError, match=r"forward: expected shape \(2,\), got \(3,\)"):
        dynamics.forward([1, 2, 3])
    with pytest.raises(rb.UsageError):
        dynamics.point_jacobian(17, (0, 0, 0))


def test_foreign_states_snapshots_and_ids_are_refused(arm, box):
    sim = rb.Simulation(arm)
    with pytest.raises(rb.Error):
        sim.restore(rb.Simulation(box).snapshot())
    with pytest.raises(rb.Error):
        sim.reset(rb.State(box))
    with pytest.raises(KeyError, match="no keyframe 'bnet'"):
        sim.reset("bnet")
    with pytest.raises(IndexError, match="keyframe 7 of 1"):
        sim.reset(7)
    with pytest.raises(rb.UsageError):
        rb.Dynamics(arm).update(rb.State(box))
    with pytest.raises(IndexError):
        rb.find_distance(sim.state, 0, 99)


def test_numbers_that_make_no_sense_are_refused(arm):
    for wrong in ({"dt": -1}, {"dt": float("nan")}, {"dt": float("inf")}):
        with pytest.raises(ValueError, match="dt must be positive"):
            rb.Simulation(arm, **wrong)
    with pytest.raises(ValueError, match="world_count"):
        rb.Batch(arm, 0)
    with pytest.raises(ValueError, match="thread_count"):
        rb.Batch(arm, 1, thread_count=-1)
    with pytest.raises(rb.Error, match="no solver 'convexx' .did you mean 'convex'"):
        rb.Simulation(arm, solver="convexx")
    with pytest.raises(rb.Error):
        rb.Simulation(arm, solver="convex", parameters={"no_such": 1})
    with pytest.raises(TypeError, match="dict"):
        rb.Simulation(arm, parameters=[1])
    sim = rb.Simulation(arm)
    for seconds in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="run_for"):
            sim.run_for(seconds)
    with pytest.raises(ValueError, match="negative"):
        sim.run_steps(-1)


def test_pickles_and_snapshots_of_others_are_refused(arm):
    state = arm.__getstate__()
    with pytest.raises(ValueError, match="another version"):
        rb.Model.__new__(rb.Model).__setstate__((99, *state[1:]))
    with pytest.raises(ValueError, match="reads differently"):
        rb.Model.__new__(rb.Model).__setstate__((state[0], state[1], 1))
    with pytest.raises(rb.Error):
        rb.Model.__new__(rb.Model).__setstate__((state[0], "<mujoco><bod/></mujoco>", 1))
    raw = rb.Simulation(arm).snapshot().to_bytes()
    for broken in (b"", raw[:-1], raw[:40] + bytes([raw[40] ^ 1]) + raw[41:]):
        with pytest.raises(rb.Error):
            rb.Snapshot.from_bytes(broken)


def test_recordings_that_are_damaged_are_refused(arm, tmp_path):
    sim = rb.Simulation(arm)
    with rb.Recorder(tmp_path / "run.rec", sim) as recorder:
        recorder.append(sim.step())
    with pytest.raises(rb.UsageError, match="the recorder is closed"):
        recorder.append()
    raw = (tmp_path / "run.rec").read_bytes()
    (tmp_path / "bad.rec").write_bytes(raw[:50] + bytes([raw[50] ^ 255]) + raw[51:])
    with pytest.raises(rb.Error):
        rb.load_recording(tmp_path / "bad.rec")
    with pytest.raises(rb.Error):
        rb.Recorder(tmp_path / "no_such_folder" / "run.rec", sim)


ODD = [None, True, -1, 0, 3, 2**70, 1.5, float("nan"), float("inf"), "", "box", b"x", (), (1, 2, 3), [None], {}, {"a": 1},
       np.zeros(3), np.zeros((2, 0)), np.array("x"), np.array([1j]), np.zeros((2, 3, 4))[:, ::2], object(), range(3), int,
       rb.BodyId(0), rb.JointId(5), rb.ShapeId(-1), rb.Sphere(float("nan")), rb.Spring("a"), rb.ModelBuilder()]


def test_no_function_crashes_whatever_it_is_given(arm, box):
    """Every method of every class with odd arguments: an exception, or an answer, and the object works on."""
    random_source = random.Random(7)
    kinds = ["Simulation", "Batch", "Dynamics", "State", "Control", "ModelBuilder", "Model", "Contacts", "Snapshot", "Rollout"]
    left_out = {"run_for", "run_steps", "rollout", "save", "step", "add_rod", "view", "render"}  # long runs, files and billions of bodies are allowed

    def make(kind):
        if kind == "Simulation":
            return rb.Simulation(arm)
        if kind == "Batch":
            return rb.Batch(arm, 2)
        if kind in ("Dynamics", "State", "Control"):
            return getattr(rb, kind)(arm)
        if kind == "Contacts":
            return rb.Simulation(box, solver="convex").contacts
        if kind == "Snapshot":
            return rb.Simulation(arm).snapshot()
        return {"ModelBuilder": rb.ModelBuilder, "Model": lambda: arm, "Rollout": lambda: rb.Batch(arm, 2).rollout(2)}[kind]()

    calls = raised = 0
    warnings.simplefilter("ignore")
    for kind in kinds:
        names = [name for name in dir(make(kind)) if not name.startswith("_") and name not in left_out]
        for name in names:
            if not callable(getattr(type(make(kind)), name, None)):
                continue
            target = make(kind)
            for _ in range(25):
                arguments = [random_source.choice([*ODD, arm, target]) for _ in range(random_source.randrange(4))]
                calls += 1
                try:
                    getattr(target, name)(*arguments)
                except (TypeError, ValueError, LookupError, RuntimeError, OverflowError, OSError):
                    raised += 1
    for function in (rb.cast_ray, rb.find_distance, rb.parse_mjcf, rb.load_model, rb.choose_solver, rb.compute_center_of_mass,
                     rb.may_collide, rb.write_mjcf, rb.find_refusal, rb.from_axis_angle, rb.to_matrix):
        for _ in range(60):
            arguments = [random_source.choice([*ODD, arm, rb.State(arm)]) for _ in range(random_source.randrange(5))]
            calls += 1
            try:
                function(*arguments)
            except (TypeError, ValueError, LookupError, RuntimeError, OverflowError, OSError):
                raised += 1
    assert calls > 1500 and raised > 1000
    sim = rb.Simulation(arm)
    assert sim.step().ok


def test_every_bound_function_and_constructor_survives_odd_arguments(arm, box, tmp_path):
    """What the compiled module offers, with odd positional and keyword arguments."""
    random_source, calls = random.Random(11), 0
    sim = rb.Simulation(box, solver="convex")
    odd = [*ODD, arm, sim, rb.State(arm), sim.contacts, tmp_path, "run.rec", "<mujoco/>", -(2**63), 1e300, np.zeros(2, dtype=">f8"), np.float32(1), memoryview(b"xyz")]
    names = ["model", "world_count", "solver", "dt", "parameters", "name", "text", "path", "origin", "direction", "bytes", "no_such"]
    warnings.simplefilter("ignore")
    offered = [getattr(rb._core, name) for name in dir(rb._core) if not name.startswith("_")]
    functions = [thing for thing in offered if callable(thing) and thing is not rb.Recorder]  # a recorder may write anywhere
    assert len(functions) > 30
    for function in functions:
        for _ in range(30):
            arguments = [random_source.choice(odd) for _ in range(random_source.randrange(4))]
            keywords = {random_source.choice(names): random_source.choice(odd) for _ in range(random_source.randrange(3))}
            if function in (rb._core.Batch, rb.State, rb.Control, rb.Batch) and any(isinstance(x, (int, float)) and x > 1000 for x in [*arguments, *keywords.values()]):
                continue  # worlds by the billion are allowed, and take their memory
            calls += 1
            try:
                function(*arguments, **keywords)
            except (TypeError, ValueError, LookupError, RuntimeError, OverflowError, OSError, MemoryError):
                pass
    assert calls > 800 and rb.Simulation(arm).step().ok


def test_mujoco_s_functions_raise_and_the_data_works_on(arm):
    import rattleback.mujoco as mujoco
    from conftest import ARM

    random_source = random.Random(5)
    m = mujoco.MjModel.from_xml_string(ARM)
    d = mujoco.MjData(m)
    functions = [getattr(mujoco, name) for name in sorted(vars(mujoco)) if name.startswith(("mj_", "mju_", "mjv_", "mjr_")) and name != "mj_saveLastXML"]
    assert len(functions) > 90
    for function in functions:
        for _ in range(10):
            arguments = [m, d, *(random_source.choice(ODD) for _ in range(random_source.randrange(4)))] if random_source.random() < 0.7 else ODD[:3]
            try:
                function(*arguments)
            except Exception:  # noqa: BLE001, S110  any exception is an answer; a crash is none
                pass
    mujoco.mj_resetData(m, d)
    mujoco.mj_step(m, d)
    assert np.isfinite(d.qpos).all()
