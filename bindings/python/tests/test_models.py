"""Models: what is built and read is what C++ has; recordings and the interface's own completeness."""
import inspect
import shutil
import subprocess
import sys

import numpy as np
import pytest

import rattleback as rb


def test_a_built_model_has_what_was_said():
    builder = rb.ModelBuilder("pendulum")
    builder.settings.dt = 1e-3
    builder.settings.gravity = (0, 0, -1.62)
    builder.settings.integrator = "rk4"
    arm = builder.add_body(name="arm", inertia=rb.Inertia(mass=2, position=(0, 0, -0.5), diagonal=(0.1, 0.1, 0.01)))
    hinge = builder.add_joint(arm, name="pivot", axis=(0, 1, 0), range=(-1, 1), damping=0.1, limit_softness=rb.Spring(1e4, 10))
    motor = builder.add_motor(hinge, name="motor", input_range=(-3, 3))
    sensor = builder.add_sensor("joint_position", hinge, name="angle")
    builder.add_keyframe(name="up", q=[0.5])
    model = builder.build()
    assert (int(arm), int(hinge), int(motor), int(sensor)) == (1, 0, 0, 0) and repr(hinge) == "JointId(0)"
    assert model.bodies.mass[1] == 2 and model.joints.range == [(-1.0, 1.0)] and model.joints.type == ["hinge"]
    assert model.joints.limit_softness == [rb.Spring(1e4, 10)] and model.dofs.damping.tolist() == [0.1]
    assert model.dt == 1e-3 and model.gravity == (0, 0, -1.62) and model.integrator == "rk4"
    assert model.actuators.input_range == [(-3.0, 3.0)] and model.keyframes[0].q.tolist() == [0.5]
    assert model.find_joint("pivot") == 0 and model.find_joint("pivto") is None
    assert not model.bodies.mass.flags.writeable
    # A physical pendulum: omega^2 = m g l / I about the pivot.
    sim = rb.Simulation(model, solver="smooth") if not rb.find_refusal("smooth", model) else rb.Simulation(model)
    sim.state.q[0] = 1e-4
    sim.refresh()
    sim.forward()
    assert sim.acceleration[0] == pytest.approx(-2 * 1.62 * 0.5 / (0.1 + 2 * 0.25) * 1e-4, rel=1e-6)


def test_a_model_survives_its_text_and_a_builder_takes_it_up(arm):
    again = rb.parse_mjcf(rb.write_mjcf(arm))
    assert again == arm and hash(again) == hash(arm)
    builder = rb.ModelBuilder.from_model(arm)
    assert builder.build() == arm
    builder.add_shape(builder.add_body(name="ball", position=(1, 0, 0)), rb.Sphere(0.1))
    assert builder.build().body_count == arm.body_count + 1


def test_friction_of_all_contacts_may_differ_by_direction():
    def slide(pairs):
        builder = rb.ModelBuilder()
        stone = builder.add_material(friction=0.5)
        ground = builder.add_ground(material=stone)
        box = builder.add_body(name="box", position=(0, 0, 0.1), linear_velocity=(1, 1, 0))
        shape = builder.add_shape(box, rb.Box((0.1, 0.1, 0.1)), material=stone)
        builder.settings.second_friction = (-1, -1) if pairs else (0.1, -1)
        assert tuple(builder.settings.second_friction) == ((-1, -1) if pairs else (0.1, -1))
        if pairs:
            builder.add_pair(ground, shape, material=stone, second_friction=(0.1, -1))
        sim = rb.Simulation(builder.build(), solver="convex")
        sim.run_for(0.1)
        return sim.body["box"].linear_velocity.copy()

    v = slide(pairs=False)
    assert v == pytest.approx(slide(pairs=True), abs=1e-12) and abs(v[0] - v[1]) > 0.1


def test_meshes_are_made_from_arrays():
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float32) * 0.1
    faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
             [1, 5, 7], [1, 7, 3]]
    builder = rb.ModelBuilder()
    mesh = builder.add_mesh(name="cube", vertices=corners, triangles=np.array(faces, dtype=np.uint8))
    body = builder.add_body(name="cube")
    builder.add_shape(body, rb.Mesh(mesh), density=1000)
    model = builder.build()
    assert model.bodies.mass[1] == pytest.approx(8, rel=1e-6)
    name, vertices, triangles = model.meshes[0]
    assert name == "cube" and vertices.shape == (8, 3) and triangles.tolist() == faces


def test_a_recording_gives_back_the_run(arm, tmp_path):
    sim = rb.Simulation(arm, dt=1e-3)
    angles = []
    with rb.Recorder(tmp_path / "run.rec", sim) as recorder:
        for step in range(20):
            sim.actuator["elbow_motor"].input = np.sin(step)
            recorder.append(sim.step())
            angles.append(sim.state.q.copy())
    run = rb.load_recording(tmp_path / "run.rec")
    assert len(run) == 20 and run.solver == sim.solver and np.array_equal(run.q, angles)
    assert run.body_pose.shape == (20, 3, 7) and np.array_equal(run.body_pose[-1], sim.state.body_pose)
    columns = run.columns()
    assert np.array_equal(columns["q:elbow"], run.q[:, 1]) and np.array_equal(columns["input:elbow_motor"], np.sin(np.arange(20)))
    assert columns["sensor:tip[2]"][-1] == sim.sensor["tip"].value[2]
    run.export(tmp_path / "run.npz")
    assert np.array_equal(np.load(tmp_path / "run.npz")["q"], run.q)


def test_a_recording_is_a_table_of_pandas(arm, tmp_path):
    pandas = pytest.importorskip("pandas")
    sim = rb.Simulation(arm, dt=1e-3)
    with rb.Recorder(tmp_path / "run.rec", sim) as recorder:
        for _ in range(5):
            recorder.append(sim.step())
    run = rb.load_recording(tmp_path / "run.rec")
    table = run.to_dataframe()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "time" and np.array_equal(table.index, run.time)
    assert {*table.columns, "time"} == {*run.columns()} and np.array_equal(table["q:elbow"], run.q[:, 1])
    assert table.loc[table.index[-1], "sensor:tip[2]"] == sim.sensor["tip"].value[2]


def test_every_function_has_a_docstring_and_a_signature_with_types():
    missing = []
    for name, thing in vars(rb._core).items():
        if name.startswith("_"):
            continue
        if not inspect.getdoc(thing):
            missing.append(name)
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(value) and "->" not in (value.__doc__ or ""):
                    missing.append(f"{name}.{member}")
    assert not missing
    assert "[m]" in rb.ModelBuilder.add_body.__doc__


def test_python_m_rattleback_is_the_command_line():
    run = subprocess.run([sys.executable, "-m", "rattleback", "--help"], capture_output=True, text=True, check=False)
    assert run.returncode == 0 and "run" in run.stdout and "check" in run.stdout


def test_the_package_says_what_it_exports():
    assert "Simulation" in rb.__all__ and "np" not in rb.__all__ and rb.__version__.count(".") == 2
    assert all(hasattr(rb, name) for name in rb.__all__)


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="qemu-user is not installed")
def test_an_old_processor_gets_a_message():
    for kind in ("Nehalem", "SandyBridge"):  # without wide registers, and with those of AVX alone
        run = subprocess.run(["qemu-x86_64", "-cpu", kind, sys.executable, "-c", "import rattleback"], capture_output=True, text=True, check=False)
        if run.returncode == 0:
            pytest.skip("this build runs on any processor")
        assert run.returncode == 2 and "needs a processor with x86-64-v3" in run.stderr, (kind, run.stderr)
