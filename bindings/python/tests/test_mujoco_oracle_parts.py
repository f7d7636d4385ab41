"""More of rattleback.mujoco beside MuJoCo's own: derivatives, parts of a step, scenes, files and defaults."""
import copy
import pickle

import numpy as np
import pytest

from test_mujoco_oracle import XML, make_arguments, make_pair, numbers, ours, theirs


# In the air, and with five contacts 5 mm deep.
@pytest.mark.parametrize(("floor", "contacts"), [(-3.0, 0), (0.905, 5)])
@pytest.mark.parametrize("flag", [0, 1])
def test_derivatives_of_inverse_dynamics_are_mujoco_s(floor, contacts, flag):
    xml = XML.replace('pos="0 0 -3"', f'pos="0 0 {floor}"').replace("<gyro", """<accelerometer site="end"/><framepos objtype="site" objname="end"/><gyro""")
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, source = module.MjData(m), numbers(1)
        qpos = np.array(d.qpos)
        module.mj_integratePos(m, qpos, source.normal(size=m.nv), 0.0 if contacts else 0.3)
        d.qpos[:], d.qvel[:], d.ctrl[:] = qpos, 0.1 * source.normal(size=m.nv), (0.4, -0.3)
        module.mj_forward(m, d)
        assert d.ncon == contacts
        d.qacc[:] += source.normal(size=m.nv)
        module.mj_inverse(m, d)
        force = np.abs(d.qfrc_inverse).max()
        slopes = [np.zeros((m.nv, size)) for size in (m.nv, m.nv, m.nv, m.nsensordata, m.nsensordata, m.nsensordata, len(d.M))]
        module.mjd_inverseFD(m, d, 1e-6, flag, *slopes)
        answers.append(slopes)
    for first, second, name in zip(*answers, ("DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq")):
        # Forces with contacts are found to 1e-11 of themselves (mj_inverse), which both ends of a difference over 1e-6 may be off by.
        assert first == pytest.approx(second, abs=2e-5 * force if contacts else 1e-6, rel=1e-9), name
        assert np.abs(second).max() > (1e5 if contacts and name == "DfDq" else 0.5), name


def test_the_rest_of_a_step_moves_a_written_state_by_the_forces_of_the_pass():
    xml = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .095"><freejoint/><geom type="box" size=".2 .15 .1"/>
      <body pos=".3 0 0"><joint axis="0 1 0.2" damping=".3" stiffness="2"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint type="ball"/><geom size=".1" pos=".2 0 0"/></body></body></body></worldbody></mujoco>"""
    answers, moved = [], []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, source, found = module.MjData(m), numbers(4), []
        for begin in (module.mj_forward, module.mj_step1, module.mj_step):
            begin(m, d)
            qpos = np.array(d.qpos)
            module.mj_integratePos(m, qpos, source.normal(size=m.nv), 0.05)
            d.qpos[:], d.qvel[:] = qpos, np.array(d.qvel) + source.normal(size=m.nv)
            module.mj_step2(m, d)
            moved.append(np.abs(d.qvel).max())
            found += [*d.qpos, *d.qvel, d.time]
        module.mj_step(m, d, 3)
        answers.append([*found, *d.qpos, *d.qvel])
    assert answers[0] == pytest.approx(answers[1], abs=1e-7) and min(moved) > 0.5


def test_fast_bodies_pass_through_thin_ones_as_in_mujoco():
    xml = """<mujoco><worldbody><geom type="box" size="1 1 .001"/><body pos="0 0 .5"><freejoint/><geom size=".01"/></body></worldbody></mujoco>"""
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        d.qvel[2] = -100  # 0.2 m a step, ten times the ball and the plate together
        module.mj_step(m, d, 5)
        answers.append([*d.qpos, *d.qvel])
    assert answers[0] == pytest.approx(answers[1], abs=1e-12) and answers[1][2] < -0.4


def test_rooms_connectors_and_skins_are_mujoco_s():
    answers = []
    for module in (ours, theirs):
        source, found = numbers(6), []
        scene = module.MjvScene(module.MjModel.from_xml_string(XML), 10)
        scene.translate[:], scene.rotate[:] = source.normal(size=3), make_arguments(["quat"], source)[0]
        scene.scale = 1.7
        for enabled in (0, 1):
            scene.enabletransform = enabled
            for call in (module.mjv_model2room, module.mjv_room2model):
                place, turn = np.zeros(3), np.zeros(4)
                call(place, turn, *make_arguments([(3,), "quat"], source), scene)
                found += [*place, *turn]
        for forward in source.normal(size=(4, 3)):
            turned = np.zeros(3)
            module.mjv_alignToCamera(turned, source.normal(size=3), forward)
            found += [*turned]
        for kind in ("CAPSULE", "CYLINDER", "ARROW", "ARROW1", "ARROW2", "LINE"):
            geom = module.MjvGeom()
            module.mjv_connector(geom, getattr(module.mjtGeom, "mjGEOM_" + kind), 0.1, source.normal(size=3), source.normal(size=3))
            found += [geom.type, *geom.size, *geom.pos, *np.ravel(geom.mat)]
        points, faces = source.normal(size=(12, 3)).astype(np.float32), source.integers(0, 12, size=(10, 3)).astype(np.int32)
        for start, way in zip(source.normal(size=(60, 3)), source.normal(size=(60, 3))):
            corner = np.array([-1], dtype=np.int32)
            found += [module.mju_raySkin(10, 12, faces, points, 2 * start, way - 2 * start, corner), corner[0]]
        answers.append(np.array(found, dtype=float))
    assert answers[0] == pytest.approx(answers[1], abs=2e-6) and (answers[1][-120::2] > 0).sum() > 20  # scenes are floats


@pytest.mark.parametrize("kind", ["PLANE", "HFIELD", "SPHERE", "ELLIPSOID", "BOX", "MESH", "LINEBOX", "FLEX", "SKIN", "LABEL", "TRIANGLE", "NONE"])
def test_what_is_no_connector_is_refused(kind):
    said = []
    for module in (ours, theirs):
        with pytest.raises(module.FatalError) as error:
            module.mjv_connector(module.MjvGeom(), getattr(module.mjtGeom, "mjGEOM_" + kind), 0.1, np.zeros(3), np.ones(3))
        said.append(str(error.value))
    assert said[0] == said[1]


@pytest.mark.parametrize("name", ["MjvCamera", "MjvOption", "MjvPerturb", "MjvGeom", "MjvGLCamera", "MjvLight", "MjLROpt", "MjLogConfig", "MjWarningStat",
                                  "MjTimerStat", "MjSolverStat", "MjStatistic", "MjrRendererInfo"])
def test_structures_have_mujoco_s_fields_and_take_no_others(name):
    first, second = getattr(ours, name)(), getattr(theirs, name)()
    fields = [field for field in dir(second) if not field.startswith("_") and not callable(getattr(second, field))]
    assert set(fields) <= set(vars(first))
    for made in (first, second, copy.copy(first), pickle.loads(pickle.dumps(first))):
        with pytest.raises(AttributeError, match="nonsense"):
            made.nonsense = 3


def test_files_that_a_model_needs_are_mujoco_s():
    from pathlib import Path

    files = sorted(str(path) for path in (Path(theirs.__file__).parent / "testdata").rglob("*.xml"))
    assert files
    for file in files:
        assert sorted(ours.mju_getXMLDependencies(file)) == sorted(theirs.mju_getXMLDependencies(file)), file


def test_inputs_sensors_and_defaults_are_mujoco_s():
    answers = []
    for module in (ours, theirs):
        m, d = make_pair(module)
        one, three, vis, opt, lengths = np.zeros(1), np.zeros(3), module.MjModel.from_xml_string(XML).vis, module.MjOption(), module.MjLROpt()
        module.mj_readCtrl(m, d, 1, d.time, one, -1)
        module.mj_readSensor(m, d, 1, d.time, three, -1)
        vis.map.stiffness, opt.timestep, lengths.accel, vis.rgba.fog = 7.0, 0.1, 3.0, (1, 2, 3, 4)
        kept = [vis.map.stiffness, opt.timestep, lengths.accel, *vis.rgba.fog]
        module.mj_defaultVisual(vis)
        module.mj_defaultOption(opt)
        module.mj_defaultLROpt(lengths)
        parts = [getattr(getattr(vis, part), name) for part in ("global_", "quality", "headlight", "map", "scale", "rgba")
                 for name in sorted(vars(getattr(ours.MjVisual(), part)))]
        answers.append(np.concatenate([one, three, kept, [opt.timestep, lengths.accel], *map(np.ravel, parts)]))
    # MuJoCo hands back its own memory for what is not delayed, and leaves the array alone.
    assert answers[0][4:] == pytest.approx(answers[1][4:], rel=1e-6)
    m, d = make_pair(theirs)
    assert answers[0][:4] == pytest.approx(np.concatenate([d.ctrl[1:2], d.sensordata[1:4]]), abs=1e-12)
