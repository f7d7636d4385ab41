"""rattleback.mujoco: MuJoCo's names on the same numbers; the laws they stand for, without MuJoCo itself."""
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
    with pytest.raises(AttributeError, match="no 'flex_vert'"):
        m.flex_vert
    with pytest.raises(AttributeError, match="no 'mj_loadPlugin'"):
        mujoco.mj_loadPlugin
    with pytest.raises(ValueError, match="read-only"):
        m.body_mass[1] = 3


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
