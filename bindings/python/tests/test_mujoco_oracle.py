"""Functions of rattleback.mujoco beside MuJoCo's own, with random arguments; run where MuJoCo is installed (bindings/python/test_clients)."""
import numpy as np
import pytest

import rattleback.mujoco as ours

theirs = pytest.importorskip("mujoco")
if theirs is ours:
    pytest.skip("MuJoCo itself is not there", allow_module_level=True)

XML = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -3"/>
  <body name="base" pos="0 0 1"><freejoint/><geom name="block" type="box" size="0.2 0.15 0.1"/><site name="mark" pos="0.1 0 0" size="0.3 0.2 0.1" type="box"/>
    <body name="upper" pos="0.3 0 0"><joint name="a" type="hinge" axis="0 1 0.2" armature="0.1"/><geom type="capsule" size="0.05" fromto="0 0 0 0.4 0 0"/>
      <body name="lower" pos="0.4 0 0"><joint name="b" type="ball"/><geom name="tip" type="sphere" size="0.1" pos="0.2 0 0"/><site name="end" pos="0.2 0 0.05"/></body></body></body></worldbody>
  <actuator><motor joint="a" ctrlrange="-1 1" ctrllimited="true"/><position joint="a" kp="3"/></actuator>
  <sensor><jointpos joint="a"/><gyro site="end"/></sensor></mujoco>"""


def numbers(seed=0):
    return np.random.default_rng(seed)


# Name: shapes of the arguments; "r" begins one that is written to, a tuple is random, others are given as they are.
CASES = {
    "mju_copy": [("r", 5), (5,)], "mju_fill": [("r", 5), 1.5], "mju_zero": [("r", 5)], "mju_scl": [("r", 5), (5,), 0.7], "mju_add": [("r", 5), (5,), (5,)],
    "mju_sub": [("r", 5), (5,), (5,)], "mju_addTo": [("r", 5), (5,)], "mju_subFrom": [("r", 5), (5,)], "mju_addScl": [("r", 5), (5,), (5,), 0.3],
    "mju_addToScl": [("r", 5), (5,), 0.3], "mju_copy3": [("r", 3), (3,)], "mju_zero3": [("r", 3)], "mju_scl3": [("r", 3), (3,), 2.0], "mju_add3": [("r", 3), (3,), (3,)],
    "mju_sub3": [("r", 3), (3,), (3,)], "mju_addTo3": [("r", 3), (3,)], "mju_subFrom3": [("r", 3), (3,)], "mju_addScl3": [("r", 3), (3,), (3,), 0.3],
    "mju_addToScl3": [("r", 3), (3,), 0.3], "mju_copy4": [("r", 4), (4,)], "mju_zero4": [("r", 4)], "mju_unit4": [("r", 4)], "mju_sum": [(5,)], "mju_L1": [(5,)],
    "mju_max": [1.0, 2.0], "mju_min": [1.0, 2.0], "mju_isZero": [("r", 3)], "mju_isBad": [float("nan")], "mju_round": [2.5], "mju_sigmoid": [0.3],
    "mju_Halton": [11, 3], "mju_insertionSort": [("r", 6)], "mju_normalize": [("r", 5)], "mju_eye": [("r", 3, 3)], "mju_symmetrize": [("r", 3, 3), (3, 3)],
    "mju_mulMatMatT": [("r", 2, 4), (2, 3), (4, 3)], "mju_mulMatTMat": [("r", 2, 4), (3, 2), (3, 4)], "mju_sqrMatTD": [("r", 3, 3), (4, 3), ("r", 4)],
    "mju_mulVecMatVec": [(4,), (4, 4), (4,)], "mju_trnVecPose": [("r", 3), (3,), "quat", (3,)], "mju_negPose": [("r", 3), ("r", 4), (3,), "quat"],
    "mju_mulPose": [("r", 3), ("r", 4), (3,), "quat", (3,), "quat"], "mju_transformSpatial": [("r", 6), (6,), 1, (3,), (3,), "turn"], "mju_quatZ2Vec": [("r", 4), (3,)],
    "mju_springDamper": [0.3, 0.2, 4.0, 0.5, 0.1],
    "mju_cholFactor": [("spd", 4), 1e-10], "mju_muscleDynamics": [0.4, 0.2, "muscle3"],
    "mju_bandDiag": [4, 6, 2, 2], "mju_band2Dense": [("r", 6, 6), (20,), 6, 2, 2, 1], "mju_dense2Band": [("r", 20), (6, 6), 6, 2, 2],
    "mju_bandMulMatVec": [("r", 6), (20,), (6,), 6, 2, 2, 1, 1], "mju_encodePyramid": [("r", 4), "force", "mu"], "mju_decodePyramid": [("r", 3), (4,), "mu"],
    "mjd_subQuat": ["quat", "quat", ("r", 9), ("r", 9)],
    "mju_muscleGain": [0.9, -0.2, "range", 1.0, "muscle"], "mju_muscleBias": [1.35, "range", 1.0, "muscle"], "mjd_quatIntegrate": [(3,), 0.7, ("r", 9), ("r", 9), ("r", 3)],
}


def make_arguments(kinds, source):
    def make(kind):
        if isinstance(kind, tuple) and kind[0] == "r":
            return source.normal(size=kind[1:])
        if isinstance(kind, tuple) and kind[0] == "spd":
            root = source.normal(size=(kind[1], kind[1]))
            return root @ root.T + np.eye(kind[1])
        if isinstance(kind, tuple):
            return source.normal(size=kind)
        if kind == "quat":
            values = source.normal(size=4)
            return values / np.linalg.norm(values)
        if kind == "turn":
            return np.linalg.qr(source.normal(size=(3, 3)))[0].ravel()
        named = {"range": np.array([0.6, 1.4]), "muscle3": np.array([0.01, 0.04, 0.1]), "mu": np.array([0.7, 0.4]),
                 "force": np.array([2.0, 0.3, -0.2]),
                 "muscle": np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])}
        return named[kind] if isinstance(kind, str) else kind

    return [make(kind) for kind in kinds]


@pytest.mark.parametrize("name", CASES)
def test_a_function_of_numbers_is_mujoco_s(name):
    source = numbers(len(name))
    for _ in range(5):
        arguments = make_arguments(CASES[name], source)
        copies = [np.array(a) if isinstance(a, np.ndarray) else a for a in arguments]
        first, second = getattr(ours, name)(*arguments), getattr(theirs, name)(*copies)
        assert first == pytest.approx(second, abs=1e-12) if second is not None else first is None
        for a, b in zip(arguments, copies):
            if isinstance(a, np.ndarray):
                lower = np.tril if name.startswith("mju_chol") else np.asarray  # the upper half is nobody's
                assert lower(a) == pytest.approx(lower(b), abs=1e-11)


def test_factors_are_solved_with_and_updated_as_mujoco_does():
    source = numbers(3)
    matrix, x = make_arguments([("spd", 5)], source)[0], source.normal(size=5)
    results = []
    for module in (ours, theirs):
        factor, step, answer = matrix.copy(), x.copy(), np.zeros(5)
        module.mju_cholFactor(factor, 1e-10)
        module.mju_cholUpdate(factor, step, 1)
        module.mju_cholSolve(answer, factor, x)
        results.append(answer)
    assert results[0] == pytest.approx(results[1], abs=1e-11)
    assert (matrix + np.outer(x, x)) @ results[0] == pytest.approx(x, abs=1e-10)


def make_pair(module, seed=1):
    model = module.MjModel.from_xml_string(XML)
    data, source = module.MjData(model), numbers(seed)
    data.qpos[:] += 0.3 * source.normal(size=model.nq)
    module.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = source.normal(size=model.nv)
    data.ctrl[:] = (0.4, -0.3)
    module.mj_forward(model, data)
    return model, data


def ask(module):
    """What the functions say about one state."""
    m, d = make_pair(module)
    answers, nv = {}, m.nv
    for flag in (0, 1):
        answers[f"rne {flag}"] = np.zeros(nv)
        module.mj_rne(m, d, flag, answers[f"rne {flag}"])
    answers["distance"], answers["fromto"] = [], np.zeros(6)
    answers["distance"] = [module.mj_geomDistance(m, d, 0, 3, 10.0, answers["fromto"]), module.mj_geomDistance(m, d, 1, 3, 0.01, None)]
    for name, call in (("jacDot", module.mj_jacDot), ("jac", module.mj_jac)):
        answers[name] = np.zeros((2, 3, nv))
        call(m, d, answers[name][0], answers[name][1], np.array([0.2, 0.1, 1.0]), 3)
    answers["axis"] = np.zeros((2, 3, nv))
    module.mj_jacPointAxis(m, d, answers["axis"][0], answers["axis"][1], np.array([0.2, 0.1, 1.0]), np.array([0.0, 0.6, 0.8]), 2)
    answers["angular momentum"] = np.zeros((3, nv))
    module.mj_angmomMat(m, d, answers["angular momentum"], 1)
    for kind, index in ((module.mjtObj.mjOBJ_BODY, 2), (module.mjtObj.mjOBJ_SITE, 1)):
        answers[f"acceleration {int(kind)}"] = np.zeros(6)
        module.mj_rnePostConstraint(m, d)
        module.mj_objectAcceleration(m, d, kind, index, answers[f"acceleration {int(kind)}"], 1)
    place, axes = np.zeros(3), np.zeros(9)
    module.mj_local2Global(d, place, axes, np.array([0.1, 0.2, 0.3]), np.array([0.5, 0.5, 0.5, 0.5]), 2, 0)
    answers["global"] = np.concatenate([place, axes])
    answers["inside"] = [module.mj_insideSite(m, d, 0, d.site_xpos[0] + 0.01 * np.arange(3)), module.mj_insideSite(m, d, 0, np.array([9.0, 9, 9]))]
    answers["kinds"] = [module.mj_isPyramidal(m), module.mj_isDual(m), module.mj_isSparse(m)]
    whole, part = int(module.mjtState.mjSTATE_FULLPHYSICS), int(module.mjtState.mjSTATE_QVEL)
    state, taken = np.zeros(module.mj_stateSize(m, whole)), np.zeros(nv)
    module.mj_getState(m, d, state, whole)
    module.mj_extractState(m, state, whole, taken, part)
    answers["extracted"] = taken
    matrices = [np.zeros((2 * nv, 2 * nv)), np.zeros((2 * nv, m.nu)), np.zeros((m.nsensordata, 2 * nv)), np.zeros((m.nsensordata, m.nu))]
    module.mjd_transitionFD(m, d, 1e-6, True, *matrices)
    answers.update({f"transition {i}": matrix for i, matrix in enumerate(matrices)})
    other = module.MjData(m)
    module.mj_copyState(m, d, other, whole)
    answers["copied"] = [*other.qpos, *other.qvel]
    module.mj_setTotalmass(m, 10.0)
    answers["masses"] = [module.mj_getTotalmass(m), *m.body_inertia[1]]
    return answers


def test_functions_of_a_model_are_mujoco_s():
    first, second = ask(ours), ask(theirs)
    for name, values in second.items():
        tolerance = 2e-5 if name.startswith("transition") else 1e-6 if name in ("jacDot",) or name.startswith("acc") else 1e-9
        assert np.asarray(first[name]) == pytest.approx(np.asarray(values), abs=tolerance, rel=1e-6 if tolerance > 1e-9 else 1e-9), name


def test_depth_and_segmentation_keep_mujoco_s_conventions():
    m, d = make_pair(ours)
    with ours.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d)
        renderer.enable_segmentation_rendering()
        numbers_seen = renderer.render()
        renderer.enable_depth_rendering()
        depth = renderer.render()
    assert numbers_seen.shape == (48, 64, 2) and depth.shape == (48, 64) and depth.dtype == np.float32
    assert set(np.unique(numbers_seen[..., 1])) <= {-1, int(ours.mjtObj.mjOBJ_GEOM)}
    nothing = numbers_seen[..., 0] < 0
    far = m.vis.map.zfar * m.stat.extent
    assert (depth[nothing] == np.float32(far)).all() and (depth[~nothing] <= np.float32(far)).all()


def test_mocap_bodies_are_where_they_are_told_to_be():
    xml = """<mujoco><worldbody><body name="hand" mocap="true" pos="0 0 1"><geom size="0.1"/></body>
      <body name="load" pos="0 0 1"><freejoint/><geom size="0.1" contype="0"/></body></worldbody>
      <equality><weld body1="hand" body2="load"/></equality><sensor><framepos objtype="body" objname="hand"/></sensor></mujoco>"""
    seen = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, rows = module.MjData(m), []
        for step in range(20):
            d.mocap_pos[0] = (0.01 * step, 0, 1)
            d.mocap_quat[0] = (2, 0, 0, 0.1 * step)
            module.mj_forward(m, d)
            rows.append([*d.xpos[1], *d.xquat[1], *d.sensordata])
            module.mj_step(m, d)
            rows.append([*d.xpos[1], *d.qpos])
        seen.append([number for row in rows for number in row])
    assert seen[0] == pytest.approx(seen[1], abs=1e-6)


def test_rays_meet_what_mujoco_s_meet():
    source, answers = numbers(5), []
    kinds = {"PLANE": (4, 4, 1), "SPHERE": (0.5, 0, 0), "CAPSULE": (0.3, 0.4, 0), "ELLIPSOID": (0.3, 0.5, 0.7), "CYLINDER": (0.4, 0.5, 0), "BOX": (0.3, 0.4, 0.5)}
    rays = [(source.normal(size=3), source.normal(size=3), np.linalg.qr(source.normal(size=(3, 3)))[0]) for _ in range(200)]
    for module in (ours, theirs):
        found = []
        for kind, size in kinds.items():
            for start, way, axes in rays:
                normal = np.zeros(3)
                found += [module.mju_rayGeom(np.array([0.1, 0.0, 0.2]), axes.ravel() * np.linalg.det(axes), np.array(size, dtype=float), 1.5 * start, way,
                                             getattr(module.mjtGeom, "mjGEOM_" + kind), normal), *normal]
        m, d = make_pair(module)
        for start, way, _ in rays[:60]:
            for groups, fixed, excluded in ((None, 1, -1), (None, 0, -1), ([1, 1, 1, 1, 1, 1], 1, 1), ([0, 1, 1, 1, 1, 1], 1, -1)):
                one, normal = np.zeros(1, dtype=np.int32), np.zeros(3)
                found += [module.mj_ray(m, d, start + [0, 0, 1], way, groups, fixed, excluded, one, normal), *normal, one[0]]
        answers.append(found)
    assert np.array(answers[0]) == pytest.approx(np.array(answers[1]), abs=1e-7) and sum(x > 0 for x in answers[1][::4]) > 50


def test_inverse_dynamics_knows_the_constraint_forces_of_any_acceleration():
    xml = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .095"><freejoint/><geom type="box" size=".2 .15 .1"/>
      <body pos=".3 0 0"><joint axis="0 1 0.2" range="-10 10" damping=".3" stiffness="2"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint type="ball"/><geom size=".1" pos=".2 0 0"/><site name="s" pos=".2 0 0"/></body></body></body></worldbody>
      <sensor><accelerometer site="s"/></sensor></mujoco>"""
    answers, pushed = [], 0
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, source, found = module.MjData(m), numbers(7), []
        for turn in range(4):
            d.qvel[:] = source.normal(size=m.nv)
            module.mj_forward(m, d)
            d.qacc[:] += 3 * source.normal(size=m.nv) * (turn > 0)
            module.mj_inverse(m, d)
            pushed += float(np.abs(d.qfrc_constraint).max()) > 1
            found += [*d.qfrc_inverse, *d.qfrc_constraint, *d.sensordata]
            for _ in range(20):
                module.mj_step(m, d)
            d.qvel[:] *= 0.1
        answers.append(np.array(found))
    assert pushed >= 4 and answers[0] == pytest.approx(answers[1], abs=1e-5, rel=1e-6)


def test_factors_boxes_and_nearest_rotations_are_mujoco_s():
    answers = []
    for module in (ours, theirs):
        source = numbers(9)
        m, d = make_pair(module)
        res, x, y, d2 = np.zeros(m.nv), np.zeros((1, m.nv)), source.normal(size=(1, m.nv)), np.zeros(m.nv)
        module.mj_mulM2(m, d, res, y[0])
        d2[:] = source.uniform(0.5, 2, size=m.nv)
        module.mj_solveM2(m, d, x, y, d2)
        root = source.normal(size=(5, 5))
        best, free = np.zeros(5), module.mju_boxQP
        count = free(best, np.zeros(60), np.zeros(5, dtype=np.int32), root @ root.T + np.eye(5), 3 * source.normal(size=5), -0.3 * np.ones(5), 0.5 * np.ones(5))
        quat = np.array([1.0, 0, 0, 0])
        module.mju_mat2Rot(quat, (np.linalg.qr(source.normal(size=(3, 3)))[0] + 0.1 * source.normal(size=(3, 3))).ravel())
        band, solved = np.zeros(20), np.zeros(6)
        dense = np.diag(source.uniform(2, 3, size=6)) + 0.1
        module.mju_dense2Band(band, dense, 6, 2, 2)
        least = module.mju_cholFactorBand(band, 6, 2, 2, 0.1, 0.2)
        module.mju_cholSolveBand(solved, band, np.arange(6.0), 6, 2, 2)
        answers.append([*res, *x[0], *best, count, *(quat * np.sign(quat[0])), least, *solved])
    assert answers[0] == pytest.approx(answers[1], abs=1e-6)


def test_terrain_that_is_written_is_where_mujoco_has_it():
    xml = """<mujoco><asset><hfield name="h" nrow="4" ncol="3" size="1 1 .5 .1"/></asset><worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>"""
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, one = module.MjData(m), np.zeros(1, dtype=np.int32)
        found = []
        for seed, least in ((1, 0.1), (2, -0.1), (3, -0.05), (4, 0.0)):  # several times: scales stay what they were, and depths come back
            m.hfield_data[:] = numbers(seed).uniform(least, 0.6, size=12)
            module.mj_forward(m, d)
            found += [module.mj_ray(m, d, np.array([x, y, 1.0]), np.array([0.0, 0, -1]), None, 1, -1, one) for x in (-0.9, -0.2, 0.8) for y in (-0.7, 0.1, 0.6)]
            found += [*m.hfield_data]
        answers.append(found)
    first, second = np.array(answers)
    above = second != 1.0  # MuJoCo's rays end at the box below, whose top is at 0
    assert first[above] == pytest.approx(second[above], abs=1e-6) and above.sum() > 75


def test_copies_and_pickles_have_the_last_pass_and_bad_numbers_are_counted():
    import copy
    import pickle

    m, d = make_pair(ours)
    for _ in range(3):
        ours.mj_step(m, d)
    for other in (copy.copy(d), pickle.loads(pickle.dumps(d))):
        for name in ("time", "qpos", "qvel", "qacc", "xpos", "sensordata", "contact", "warning"):
            assert np.array_equal(getattr(other, name), getattr(d, name)) if isinstance(getattr(d, name), np.ndarray) else getattr(other, name) == getattr(d, name), name
        ours.mj_step(other.model, other)
    said = []
    ours.set_mju_user_warning(said.append)
    d.qpos[0] = np.nan
    ours.mj_checkPos(m, d)
    ours.set_mju_user_warning(None)
    assert d.warning[ours.mjtWarning.mjWARN_BADQPOS].number == 1 and "QPOS" in said[0] and np.isfinite(d.qpos).all()


def test_a_callback_adds_passive_forces_as_mujoco_s():
    answers = []
    for module in (ours, theirs):
        m, d = make_pair(module)
        module.set_mjcb_passive(lambda model, data: data.qfrc_passive.__iadd__(-0.5 * np.asarray(data.qvel)))
        try:
            module.mj_forward(m, d)
            found = [*d.qacc, *d.qfrc_passive]
            module.mj_step(m, d, 20)
            found += [*d.qpos, *d.qvel]
        finally:
            module.set_mjcb_passive(None)
        module.mj_step(m, d, 5)
        answers.append([*found, *d.qpos, *d.qfrc_passive])
    assert answers[0] == pytest.approx(answers[1], abs=1e-8)
    with pytest.raises(ValueError, match="read-only"):
        ours_data = make_pair(ours)[1]
        ours_data.qfrc_passive[0] = 1


def test_moments_of_every_transmission_are_mujoco_s():
    xml = """<mujoco><worldbody><site name="w" pos="0 .1 0" euler="10 20 30"/><body pos="0 0 1"><freejoint name="f"/><geom size=".1" mass="1"/>
      <site name="s0" pos=".1 0 .05" euler="20 0 40"/><body pos=".3 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/>
      <site name="s1" pos=".1 .02 0" euler="0 30 10"/><body pos=".3 0 0"><joint name="h" axis="0 1 .3"/><joint name="l" type="slide" axis="1 0 0"/>
      <geom size=".1"/><site name="s2" pos="0 .02 .1" euler="50 0 0"/></body></body><body pos="-.3 0 0"><joint name="k" axis="0 0 1"/>
      <geom size=".1" pos="-.1 0 0"/><site name="s3" pos="-.1 .02 0" euler="0 30 70"/></body></body></worldbody>
      <actuator><motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear="1 2 3 4 5 6"/><motor joint="b" gear="1 2 3"/>
      <motor jointinparent="b" gear="1 2 3"/><motor jointinparent="h" gear="2"/><motor jointinparent="l" gear="3"/><motor site="s2" gear="1 2 3 .3 .2 .1"/>
      <motor site="s2" refsite="s0" gear="1 2 3"/><motor site="s2" refsite="s3" gear="0 0 0 1 2 3"/><motor site="s2" refsite="w" gear="1 2 3 .1 .3 .2"/>
      <motor site="s1" refsite="s2" gear="1 0 2"/><general cranksite="s2" slidersite="s0" cranklength=".6" gear="2"/>
      <general cranksite="s3" slidersite="s1" cranklength=".01" gear="2"/></actuator></mujoco>"""
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, source = module.MjData(m), numbers(3)
        qpos, moments = np.array(d.qpos), np.zeros((m.nu, m.nv))
        module.mj_integratePos(m, qpos, source.normal(size=m.nv), 0.5)
        d.qpos[:], d.qvel[:] = qpos, source.normal(size=m.nv)
        module.mj_forward(m, d)
        for row, begin, count in zip(moments, d.moment_rowadr, d.moment_rownnz):
            row[d.moment_colind[begin : begin + count]] = d.actuator_moment[begin : begin + count]
        answers.append(np.concatenate([d.actuator_length, d.actuator_velocity, moments.ravel(), m.actuator_trntype, m.actuator_trnid.ravel(), [m.nJmom]]))
    assert answers[0] == pytest.approx(answers[1], abs=1e-12)


def test_numbers_of_bytes_have_a_suffix_where_it_divides_them():
    sizes = [0, 1, 1000, 1023, 1024, 1025, 3000, 10240, 2**20, 2**20 + 1024, 3 * 2**20, 2**30 + 2**20, 5 * 2**50, 2**60, 2**63]
    assert [ours.mju_writeNumBytes(size) for size in sizes] == [theirs.mju_writeNumBytes(size) for size in sizes]


def test_inverse_dynamics_takes_the_state_as_it_stands_and_forces_of_a_callback():
    answers = []
    for module in (ours, theirs):
        m, d = make_pair(module)
        source, qpos, found = numbers(11), np.array(d.qpos), []
        module.set_mjcb_passive(lambda model, data: data.qfrc_passive.__iadd__(-0.5 * np.asarray(data.qvel) + 0.3))
        try:
            for call in (lambda m, d: None, module.mj_invPosition, module.mj_invVelocity):
                module.mj_integratePos(m, qpos, source.normal(size=m.nv), 0.2)
                d.qpos[:], d.qvel[:], d.qacc[:] = qpos, source.normal(size=m.nv), source.normal(size=m.nv)
                call(m, d)  # a written acceleration stays
                module.mj_inverse(m, d)
                found += [*d.qfrc_inverse, *d.qacc, *d.qfrc_passive, *d.xpos.ravel()]
        finally:
            module.set_mjcb_passive(None)
        module.mj_inverse(m, d)
        answers.append([*found, *d.qfrc_inverse])
    assert answers[0] == pytest.approx(answers[1], abs=1e-8)


def test_forward_and_inverse_dynamics_are_compared_as_mujoco_does():
    xml = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .095"><freejoint/><geom type="box" size=".2 .15 .1"/>
      <body pos=".3 0 0"><joint axis="0 1 0.2"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        d.qfrc_applied[:] = numbers(1).normal(size=m.nv)
        module.mj_forward(m, d)
        before = np.array(d.qfrc_constraint)
        d.qacc[:] += 2 * numbers(2).normal(size=m.nv)
        module.mj_compareFwdInv(m, d)
        assert np.array_equal(d.qfrc_constraint, before)
        answers.append([*d.solver_fwdinv])
    assert answers[0] == pytest.approx(answers[1], rel=1e-5) and answers[1][0] > 1


def test_rays_see_what_mujoco_s_see():
    # A plane that the ray runs along for long, from above and below; a mesh whose hull is larger; geoms that their own colour or their material's hides.
    xml = """<mujoco><asset><mesh name="cup" vertex="-1 -1 0 1 -1 0 1 1 0 -1 1 0 0 0 -.5 0 0 -1" face="0 1 4 1 2 4 2 3 4 3 0 4 1 0 5 2 1 5 3 2 5 0 3 5"/>
        <material name="clear" rgba="1 1 1 0"/><material name="solid" rgba="1 0 0 1"/></asset>
      <worldbody><geom type="plane" size="2 2 1"/><body pos="0 0 6"><geom type="mesh" mesh="cup"/></body>
        <geom type="sphere" size=".3" pos="4 0 1" material="clear" rgba="1 1 1 1"/><geom type="sphere" size=".3" pos="4 0 3" material="solid" rgba="1 1 1 0"/>
        <geom type="sphere" size=".3" pos="4 0 5" rgba="1 1 1 0"/><geom type="sphere" size=".3" pos="4 0 7" group="2"/></worldbody></mujoco>"""
    rays = [((0, 0, 1), (1, 0, -1e-8)), ((0.5, 0, 1), (0, 0, -1)), ((0.5, 0, -1), (0, 0, 1)), ((3, 0, 1), (0, 0, -1)), ((0.9, 0.1, 9), (0, 0, -1)),
            ((0.1, 0.2, 9), (0, 0, -2)), ((0.3, 0.1, 5.5), (0, 0, 1))] + [((4, 0, 9), (0, 0, -1)), ((4, 0, 6), (0, 0, -1)), ((4, 0, 4), (0, 0, -1)), ((4, 0, 2), (0, 0, -1))]
    answers = []
    for module in (ours, theirs):
        m = module.MjModel.from_xml_string(xml)
        d, found = module.MjData(m), []
        module.mj_forward(m, d)
        for start, way in rays:
            for groups in (None, [1, 1, 0, 1, 1, 1]):
                one, normal = np.zeros(1, dtype=np.int32), np.zeros(3)
                found += [module.mj_ray(m, d, np.array(start, dtype=float), np.array(way, dtype=float), groups, 1, -1, one, normal), *normal, one[0]]
        found += [module.mj_rayMesh(m, d, 5, np.array([0.1, 0.2, -3.0]), np.array([0.0, 0, 2])),
                  module.mj_rayMesh(m, d, 5, np.array([0.0, 0, -3]), np.array([1.0, 0, 0]))]
        answers.append(found)
    assert answers[0] == pytest.approx(answers[1], abs=1e-7)  # corners of meshes are floats
