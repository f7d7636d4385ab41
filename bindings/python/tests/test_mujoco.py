"""rattleback.mujoco: MuJoCo's names on the same numbers; the laws they stand for, without MuJoCo itself."""
import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import rattleback.mujoco as mujoco
from conftest import ARM


@pytest.fixture
def pair():
    model = mujoco.MjModel.from_xml_string(ARM)
    return model, mujoco.MjData(model)


def test_names_sizes_and_named_access(pair):
    m, d = pair
    assert (m.nq, m.nv, m.nu, m.nbody, m.njnt, m.nkey) == (2, 2, 2, 3, 2, 1)
    assert mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "lower") == 2
    assert mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "nobody") == -1
    assert mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, 1) == "elbow"
    mujoco.mj_resetDataKeyframe(m, d, 0)
    assert d.joint("elbow").qpos.tolist() == [1.0] and d.ctrl.tolist() == [0.1, 0.2]
    assert d.body("lower").xpos == pytest.approx([-0.6 * np.sin(0.5), 0, -0.6 * np.cos(0.5)])
    assert d.site("hand").xpos == pytest.approx(d.sensor("tip").data) and m.body("lower").mass[0] > 0
    with pytest.raises(KeyError, match="Valid names"):
        d.body("nobody")
    with pytest.raises(AttributeError, match="no 'no_such_field'"):
        m.no_such_field
    with pytest.raises(AttributeError, match="MuJoCo's function 'mj_loadAllPluginLibraries'"):
        mujoco.mj_loadAllPluginLibraries
    with pytest.raises(ValueError, match="MjModel.body_subtreemass is read-only"):
        m.body_subtreemass[1] = 3
    with pytest.raises(ValueError, match="MjData.xpos follows from the state"):
        d.xpos[1] = 0


def test_every_field_of_the_interface_is_there_with_its_size(pair):
    m, d = pair
    from rattleback.mujoco._tables import DATA_ARRAYS, MODEL_ARRAYS, MODEL_NUMBERS

    assert len(MODEL_ARRAYS) > 480 and len(DATA_ARRAYS) > 120
    for tables, owner in ((MODEL_ARRAYS, m), (DATA_ARRAYS, d)):
        for name, shape in tables.items():
            value = getattr(owner, name)
            assert isinstance(value, bytes) if shape.is_text else value.shape == shape.find(m) and value.dtype in (shape.dtype, np.int32), name
    assert all(isinstance(getattr(m, name), int) for name in MODEL_NUMBERS)
    assert set(MODEL_ARRAYS) < set(dir(mujoco.MjModel)) and m.names.startswith(b"arm\0world\0")
    assert m.names[m.name_jntadr[1] :].startswith(b"elbow\0") and not m.flex_vert.size
    assert mujoco.mjtGeom.mjGEOM_BOX == 6 and mujoco.mjMAXVAL == 1e10


def test_what_is_written_to_the_model_acts_in_the_next_step(pair):
    m, d = pair
    m.body_mass[2] = 2 * m.body_mass[2]
    m.opt.gravity[:] = (0, 0, -1.0)
    m.dof_damping[:] += 0.5
    m.geom("bone").rgba[:] = (1, 0, 0, 1)
    d.qpos[:], d.qvel[:] = (np.pi / 2, 0), (0, 1)
    mujoco.mj_forward(m, d)
    d.qvel[:] = 0
    # Damping is read with the elbow turning, gravity's torque at the shoulder (sum of m g x) with everything at rest.
    assert d.qfrc_passive == pytest.approx([0, -0.5], abs=1e-12)
    mujoco.mj_forward(m, d)
    assert abs(d.qfrc_bias[0]) == pytest.approx(abs(m.body_mass @ d.xipos[:, 0]), rel=1e-12)
    assert m.body_subtreemass[1] == pytest.approx(m.body_mass[1] + m.body_mass[2])
    with pytest.raises(mujoco.FatalError, match="mass"):
        m.body_mass[2] = -1
        mujoco.mj_step(m, d)


def test_arrays_that_a_program_holds_keep_up(pair):
    m, d = pair
    held, part = d.xpos, d.body("lower").xpos
    plain = np.asarray(held)
    d.qpos[:] = (0.5, 0.2)
    mujoco.mj_forward(m, d)
    expected = [-0.6 * np.sin(0.5), 0, -0.6 * np.cos(0.5)]
    assert held[2] == pytest.approx(expected) and part == pytest.approx(expected) and plain[2] == pytest.approx(expected)
    assert type(held + 0) is np.ndarray and held.copy().flags.owndata
    import weakref

    proxy = weakref.proxy(d.qacc)  # as dm_control holds them
    before = float(proxy[0])
    d.qpos[:] = (1.5, 0.2)
    mujoco.mj_forward(m, d)
    assert proxy[0] != before and proxy[0] == d.qacc[0]


def test_step1_leaves_accelerations_alone_and_flags_switch(pair):
    m, d = pair
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_step(m, d)
    acceleration = d.qacc.copy()
    mujoco.mj_step1(m, d)
    assert np.array_equal(d.qacc, acceleration)
    mujoco.mj_forward(m, d)
    assert not np.array_equal(d.qacc, acceleration) and np.any(d.qfrc_actuator)
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    mujoco.mj_forward(m, d)
    assert not np.any(d.qfrc_actuator) and d.ctrl.tolist() == [0.1, 0.2]


def test_rollouts_are_steps_and_pictures_show_the_scene(pair):
    m, d = pair
    from rattleback.mujoco import rollout

    mujoco.mj_resetDataKeyframe(m, d, 0)
    start = np.zeros(mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(m, d, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    controls = np.random.default_rng(0).normal(size=(2, 5, 2))
    states, sensors = rollout.rollout(m, d, start, controls)
    for control in controls[1]:
        d.ctrl[:] = control
        mujoco.mj_step(m, d)
    assert states.shape == (2, 5, 5) and sensors.shape == (2, 5, 4) and np.array_equal(states[1, -1, 1:3], d.qpos)
    with mujoco.Renderer(m, 60, 80) as renderer:
        renderer.update_scene(d)
        picture = renderer.render()
    assert picture.shape == (60, 80, 3) and picture.std() > 5


def test_forward_and_inverse_dynamics_are_each_others_inverse(pair):
    m, d = pair
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mass = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, mass)
    total = d.qfrc_passive + d.qfrc_actuator + d.qfrc_constraint - d.qfrc_bias
    assert mass @ d.qacc == pytest.approx(total, abs=1e-9)
    mujoco.mj_inverse(m, d)
    assert d.qfrc_inverse == pytest.approx(d.qfrc_actuator, abs=1e-9)
    # Kinetic energy from the centre-of-mass frames: sum of v I v / 2 is v M v / 2 (less the armature, of which there is none).
    d.qvel[:] = (0.3, -0.7)
    mujoco.mj_forward(m, d)
    angular, linear = d.cvel[:, :3], d.cvel[:, 3:]
    energy = 0.0
    for i in range(1, m.nbody):
        xx, yy, zz, xy, xz, yz, mx, my, mz, mass_i = d.cinert[i]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        first = np.array([mx, my, mz])
        energy += 0.5 * angular[i] @ inertia @ angular[i] + linear[i] @ np.cross(angular[i], first) + 0.5 * mass_i * linear[i] @ linear[i]
    assert energy == pytest.approx(0.5 * d.qvel @ mass @ d.qvel, rel=1e-12)


def test_results_after_a_step_are_those_of_the_state_before_it(pair):
    m, d = pair
    mujoco.mj_resetDataKeyframe(m, d, 0)
    before = d.xpos.copy()
    mujoco.mj_step(m, d)
    assert np.array_equal(d.xpos, before)
    mujoco.mj_forward(m, d)
    assert not np.array_equal(d.xpos, before)


def test_a_written_state_is_taken_over_and_state_vectors_bring_it_back(pair):
    m, d = pair
    d.qpos[:] = (0.2, 0.1)
    mujoco.mj_step(m, d, nstep=5)
    size = mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    kept = np.zeros(size)
    mujoco.mj_getState(m, d, kept, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    mujoco.mj_step(m, d, nstep=7)
    end = d.qpos.copy()
    mujoco.mj_setState(m, d, kept, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    assert d.time == pytest.approx(5 * m.opt.timestep)
    mujoco.mj_step(m, d, nstep=7)
    assert d.qpos == pytest.approx(end, abs=1e-9)


def test_contact_forces_carry_the_weight_in_both_forms():
    m = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>""")
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, nstep=1000)
    assert d.ncon == 4 and mujoco.mj_getTotalmass(m) == 2
    total = 0.0
    for i in range(d.ncon):
        force = np.zeros(6)
        mujoco.mj_contactForce(m, d, i, force)
        total += force[0]
    assert total == pytest.approx(2 * 9.81, rel=1e-3)
    mujoco.mj_rnePostConstraint(m, d)
    assert d.cfrc_ext[1, 3:] == pytest.approx([0, 0, 2 * 9.81], abs=0.02)


def test_files_that_are_wrong_and_programs_that_import_mujoco():
    with pytest.raises(mujoco.FatalError, match="XML:1:"):
        mujoco.MjModel.from_xml_string("<mujoco><worldbody><bod/></worldbody></mujoco>")
    code = "import rattleback.mujoco as m; m.install(); import mujoco; print(mujoco.MjModel is m.MjModel)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


def test_a_callback_gives_the_inputs_of_every_step(pair):
    m, d = pair
    seen = []

    def control(model, data):
        assert model is m
        seen.append((data.time, *data.qpos, *data.body("lower").xpos))
        data.ctrl[:] = (-2 * data.qpos[0], -data.qvel[1])

    other = mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_resetDataKeyframe(m, other, 0)
    mujoco.set_mjcb_control(control)
    try:
        assert mujoco.get_mjcb_control() is control
        mujoco.mj_step(m, d, nstep=5)
    finally:
        mujoco.set_mjcb_control(None)
    for _ in range(5):  # the same by hand
        mujoco.mj_step1(m, other)
        assert tuple(seen.pop(0)) == (other.time, *other.qpos, *other.body("lower").xpos)
        other.ctrl[:] = (-2 * other.qpos[0], -other.qvel[1])
        mujoco.mj_step2(m, other)
    assert not seen and np.array_equal(d.qpos, other.qpos)
    with pytest.raises(TypeError, match="Optional\\[Callable\\]"):
        mujoco.set_mjcb_control(3)
    with pytest.raises(NotImplementedError, match="does not call mjcb_sensor"):
        mujoco.set_mjcb_sensor(control)


def test_the_solver_is_chosen_by_the_environment_the_file_or_the_options(monkeypatch):
    box = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody>%s</mujoco>"""
    named = """<custom><text name="rattleback" data='{"settings":{"solver":"avbd"}}'/></custom>"""
    model = mujoco.MjModel.from_xml_string(box % "")
    data = mujoco.MjData(model)
    assert data.simulation.solver == "convex"
    model.opt.solver = "avbd"
    mujoco.mj_step(model, data, 300)
    assert data.simulation.solver == "avbd" and abs(data.qpos[2] - 0.1) < 2e-3
    model.opt.solver = mujoco.mjtSolver.mjSOL_CG
    mujoco.mj_step(model, data)
    assert data.simulation.solver == "convex" and data.simulation.parameters["solver"] == "CG"
    with pytest.raises(mujoco.FatalError, match="there is no solver 'avdb': one of .*avbd"):
        model.opt.solver = "avdb"
    assert mujoco.MjData(mujoco.MjModel.from_xml_string(box % named)).simulation.solver == "avbd"
    monkeypatch.setenv("RATTLEBACK_SOLVER", "comfree")
    assert mujoco.MjData(mujoco.MjModel.from_xml_string(box % named)).simulation.solver == "comfree"


def test_copies_and_pickles_keep_the_solver_and_the_scales_of_terrains():
    xml = """<mujoco><asset><hfield name="h" nrow="4" ncol="3" size="1 1 .5 .1"/></asset><worldbody><geom type="hfield" hfield="h"/>
      <body pos="0 0 2"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    heights = np.linspace(-0.2, 0.6, 12)
    model.hfield_data[:] = heights
    model.opt.solver = "avbd"
    data = mujoco.MjData(model)
    copies = [copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model)), copy.deepcopy(data).model, pickle.loads(pickle.dumps(data)).model]
    for other in copies:
        assert mujoco.MjData(other).simulation.solver == "avbd"
        assert other.hfield_data == pytest.approx(heights, abs=1e-6) and other.hfield_size == pytest.approx(model.hfield_size)
        other.hfield_data[:] = -heights  # lowered anew from where it was
        mujoco.mj_forward(other, mujoco.MjData(other))
        assert other.hfield_data == pytest.approx(-heights, abs=1e-6)
    assert model.hfield_data == pytest.approx(heights, abs=1e-6)
    poses = [np.array(other.rattleback.shapes.pose) for other in copies]
    model.hfield_data[:] = -heights
    mujoco.mj_forward(model, data)
    assert all(pose == pytest.approx(np.array(model.rattleback.shapes.pose), abs=1e-6) for pose in poses)


def test_terrain_that_fills_several_texts_is_written_and_read():
    xml = """<mujoco><asset><hfield name="h" nrow="80" ncol="80" size="1 1 .5 .1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    for seed in (1, 2):
        heights = np.random.default_rng(seed).uniform(size=6400)
        model.hfield_data[:] = heights
        mujoco.mj_forward(model, mujoco.MjData(model))
        assert model.text.to_text().count('name="rattleback') > 1
        assert all(np.array(other.hfield_data) == pytest.approx(heights, abs=1e-6) for other in (model, pickle.loads(pickle.dumps(model))))


def test_a_name_of_the_file_is_one_though_it_looks_like_ours():
    xml = """<mujoco><worldbody><body><joint name="joint 0"/><geom name="shape 0" size=".1"/><body><joint/><geom size=".1"/></body></body></worldbody>
      <tendon><fixed name="t"><joint joint="joint 0" coef="2"/></fixed></tendon></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    for m in (model, copy.copy(model), pickle.loads(pickle.dumps(model))):
        data = mujoco.MjData(m)
        assert [m.joint(i).name for i in range(2)] == ["joint 0", ""] and [m.geom(i).name for i in range(2)] == ["shape 0", ""]
        data.qvel[:] = 3, 5
        mujoco.mj_forward(m, data)
        assert data.ten_velocity.tolist() == [6.0] and data.joint("joint 0").id == 0


def test_the_mass_matrix_is_added_to_the_lower_triangle_alone(pair):
    m, d = pair
    matrix, full = np.arange(4.0).reshape(2, 2), np.zeros((2, 2))
    mujoco.mj_fullM(m, d, full)
    mujoco.mj_addM(m, d, matrix)
    assert full[0, 1] != 0 and np.array_equal(matrix, np.arange(4.0).reshape(2, 2) + np.tril(full))


@pytest.mark.parametrize(("actuator", "sensor", "named"), [
    ('delay="0.02" nsample="4"', "", "actuator 0 'm'"), ('nsample="2"', "", "actuator 0 'm'"), ("", 'delay="0.02" nsample="4"', "sensor 1 's'"),
    ("", 'interval="0.05" nsample="3"', "sensor 1 's'"), ("", 'nsample="3"', "sensor 1 's'"),
])
def test_what_is_delayed_is_not_read_as_if_it_were_not(actuator, sensor, named):
    xml = f"""<mujoco><worldbody><body><joint name="j" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody><actuator><motor name="m" joint="j" {actuator}/>
      </actuator><sensor><jointpos name="r" joint="j"/><jointpos name="s" joint="j" {sensor}/></sensor></mujoco>"""
    m = mujoco.MjModel.from_xml_string(xml)
    d, found = mujoco.MjData(m), np.zeros(1)
    for read in (mujoco.mj_readCtrl, mujoco.mj_readSensor):
        with pytest.raises(mujoco.FatalError, match=f"{read.__name__}: {named}"):
            read(m, d, 0, d.time, found, -1)
