"""Arrays of MjModel that the model's text tells: references between elements, words, and what follows from the tree of bodies."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import _core
from .._math import to_matrix
from ._tables import ENUMS, MODEL_ARRAYS, mjtObj

if TYPE_CHECKING:
    from ._model import MjModel

Array = npt.NDArray[Any]
_SOLREF, _SOLIMP = (0.02, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0)


def _read(kind: str, attribute: str, *default: float) -> Callable[[MjModel], Array]:
    """Numbers of an attribute, with their default."""
    from ._text import Place

    return lambda m: m.text.read(Place(kind, attribute, default))


def _find_words(kind: str, attribute: str, words: tuple[str, ...], first: str) -> Callable[[MjModel], Array]:
    """Which of the words an attribute is."""
    return lambda m: np.array([words.index(element.get(attribute, first)) if element.get(attribute, first) in words else 0
                               for element in m.text.elements[kind]], dtype=np.int32)


def _find_flags(kind: str, attribute: str, default: bool) -> Callable[[MjModel], Array]:
    return lambda m: np.array([element.get(attribute, "true" if default else "false") == "true" for element in m.text.elements[kind]], dtype=bool)


def _find_index(m: MjModel, kind: str, name: str | None) -> int:
    names = m.list_full_names(kind)
    return names.index(name) if name is not None and name in names else -1


def _refer(kind: str, attribute: str, to: str) -> Callable[[MjModel], Array]:
    """Indices of the elements that an attribute names; -1 where it names none."""
    return lambda m: np.array([_find_index(m, to, element.get(attribute)) for element in m.text.elements[kind]], dtype=np.int32)


def _fill(size: str, value: float) -> Callable[[MjModel], Array]:
    return lambda m: np.full(m.count(size), value)


# Trees ------------------------------------------------------------------------------------------------------------------------------
def _body_trees(m: MjModel) -> Array:
    """The tree of each body: a new one begins at a body that moves on a body that does not; -1 for those that do not."""
    trees, count = np.full(m.nbody, -1, dtype=np.int32), 0
    for body in range(1, m.nbody):
        parent = int(m.body_parentid[body])
        if trees[parent] >= 0:
            trees[body] = trees[parent]
        elif m.body_dofnum[body] > 0:
            trees[body], count = count, count + 1
    return trees


def count_trees(m: MjModel) -> int:
    """Trees of bodies that move."""
    return int(_body_trees(m).max(initial=-1)) + 1


def _tree_spans(owner: Callable[[MjModel], Array], first: bool) -> Callable[[MjModel], Array]:
    """Where the bodies or directions of each tree begin, or how many there are."""
    def find(m: MjModel) -> Array:
        trees = owner(m)
        places = [np.flatnonzero(trees == tree) for tree in range(count_trees(m))]
        return np.array([(place[0] if len(place) else -1) if first else len(place) for place in places], dtype=np.int32)

    return find


def _dof_trees(m: MjModel) -> Array:
    trees: Array = _body_trees(m)[np.asarray(m.dof_bodyid)]
    return trees


def _of_geoms(name: str, join: Any) -> Callable[[MjModel], Array]:
    """For each body, of all its geoms."""
    def find(m: MjModel) -> Array:
        result = np.zeros(m.nbody)
        for body, value in zip(m.geom_bodyid, getattr(m, name)):
            result[body] = join(result[body], value)
        return result

    return find


# Cameras and lights at qpos0 --------------------------------------------------------------------------------------------------------
_MODES = ("fixed", "track", "trackcom", "targetbody", "targetbodycom")


def _find_start(m: MjModel, kind: str) -> dict[str, Array]:
    """Frames of cameras or lights in the first configuration, by the last part of their arrays' names."""
    state = _core.State(m.rattleback)
    state.q = m.rattleback.q0
    _core.refresh_bodies(state)
    dynamics = _core.Dynamics(m.rattleback)
    dynamics.update(state)
    bodies, local = getattr(m, kind + "_bodyid"), np.asarray(getattr(m, kind + "_pos"))
    turns = to_matrix(state.body_rotation[bodies])
    places = state.body_position[bodies] + np.einsum("nij,nj->ni", turns, local)
    aims = np.where(getattr(m, kind + "_targetbodyid") >= 0, getattr(m, kind + "_targetbodyid"), bodies)
    centers = np.array([dynamics.center_of_mass(int(body)) for body in aims]).reshape(-1, 3)
    frames = {"pos0": places - state.body_position[bodies], "poscom0": places - centers}
    if kind == "cam":
        frames["mat0"] = (turns @ to_matrix(m.cam_quat)).reshape(-1, 9)
    else:
        frames["dir0"] = np.einsum("nij,nj->ni", turns, np.asarray(m.light_dir))
    return frames


def _start(kind: str, part: str) -> Callable[[MjModel], Array]:
    return lambda m: _find_start(m, kind)[part] if m.count("n" + kind) else np.zeros(0)


def _geom_boxes(m: MjModel) -> Array:
    """Centre and half sides of the box about each geom, in its own axes."""
    boxes, geoms = np.zeros((m.ngeom, 6)), ENUMS["mjtGeom"]
    for box, kind, size, mesh in zip(boxes, m.geom_type, np.asarray(m.geom_size), m.geom_dataid):
        if kind == geoms.mjGEOM_PLANE:
            box[:] = (0, 0, -5e9, 1e10, 1e10, 5e9)
        elif kind == geoms.mjGEOM_SPHERE:
            box[3:] = size[0]
        elif kind in (geoms.mjGEOM_CAPSULE, geoms.mjGEOM_CYLINDER):
            box[3:] = size[0], size[0], size[1] + (size[0] if kind == geoms.mjGEOM_CAPSULE else 0)
        elif kind == geoms.mjGEOM_HFIELD:
            x, y, high, deep = m.hfield_size[mesh]
            box[:] = 0, 0, (high - deep) / 2, x, y, (high + deep) / 2
        elif kind == geoms.mjGEOM_MESH and mesh >= 0:
            corners = m.rattleback.meshes[mesh][1]
            low, high = corners.min(axis=0), corners.max(axis=0)
            box[:3], box[3:] = (low + high) / 2, (high - low) / 2
        else:
            box[3:] = size
    return boxes


# Constraints ------------------------------------------------------------------------------------------------------------------------
def _signature(first: Array, second: Array) -> Array:
    """Two bodies in one number."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    signatures: Array = (low.astype(np.int64) << 16) + high
    return signatures


def _pair_signature(m: MjModel) -> Array:
    return _signature(np.asarray(m.geom_bodyid)[m.pair_geom1], np.asarray(m.geom_bodyid)[m.pair_geom2])


def _exclude_signature(m: MjModel) -> Array:
    return _signature(_refer("exclude", "body1", "body")(m), _refer("exclude", "body2", "body")(m))


def _equality_kinds(m: MjModel) -> Array:
    """Bodies or sites; joints and tendons are told by the type alone."""
    kinds = {"connect": mjtObj.mjOBJ_BODY, "weld": mjtObj.mjOBJ_BODY}
    return np.array([int(mjtObj.mjOBJ_SITE if "site1" in element.attrib else kinds.get(element.tag, 0)) for element in m.text.elements["equality"]])


# Tendons ----------------------------------------------------------------------------------------------------------------------------
def _tendon_counts(m: MjModel) -> Array:
    return np.array([len(tendon) for tendon in m.text.elements["tendon"]], dtype=np.int32)


def _wraps(m: MjModel) -> list[tuple[int, int]]:
    """Kind and index of what each stop of a tendon is."""
    kinds, found = ENUMS["mjtWrap"], []
    for stop in m.text.elements["stop"]:
        if stop.tag == "geom":
            geom = _find_index(m, "geom", stop.get("geom"))
            found.append((int(kinds.mjWRAP_SPHERE if m.geom_type[geom] == 2 else kinds.mjWRAP_CYLINDER), geom))
        elif stop.tag == "pulley":
            found.append((int(kinds.mjWRAP_PULLEY), -1))
        else:
            found.append((int(kinds.mjWRAP_JOINT if stop.tag == "joint" else kinds.mjWRAP_SITE), _find_index(m, stop.tag, stop.get(stop.tag))))
    return found


def _tendon_rests(m: MjModel) -> Array:
    """Lengths between which a tendon's spring is slack: those of the text, or that of the first configuration."""
    rests = np.array([[float(x) for x in (tendon.get("springlength") or "-1").split()] * 2 for tendon in m.text.elements["tendon"]], dtype=object)
    lengths = np.asarray(m.tendon_length0)
    return np.array([[length] * 2 if row[0] < 0 else row[:2] for row, length in zip(rests, lengths)], dtype=np.float64).reshape(-1, 2)


# Actuators --------------------------------------------------------------------------------------------------------------------------
_GAINS = ("fixed", "affine", "muscle", "user")
_BIASES = ("none", "affine", "muscle", "user")


def _actuator_acc0(m: MjModel) -> Array:
    """Length of the acceleration that a unit of force makes in the first configuration: |M^-1 moment|."""
    from ._data import MjData
    from ._motions import find_moments

    data = MjData(m)
    moments = find_moments(data.passed)
    return np.array([float(np.linalg.norm(data.passed.dynamics.solve(row))) for row in moments])


def _find_chain(m: MjModel, body: int) -> list[int]:
    """Directions that move a body."""
    found: list[int] = []
    while body > 0:
        begin, count = int(m.body_dofadr[body]), int(m.body_dofnum[body])
        found = [*range(begin, begin + count), *found] if count else found
        body = int(m.body_parentid[body])
    return found


def _find_pulled(m: MjModel, tendon: int) -> list[int]:
    """Directions that change a tendon's length."""
    found: set[int] = set()
    begin = int(m.tendon_adr[tendon])
    for kind, index in _wraps(m)[begin : begin + int(m.tendon_num[tendon])]:
        if kind == ENUMS["mjtWrap"].mjWRAP_JOINT:
            found.add(int(m.jnt_dofadr[index]))
        elif kind != ENUMS["mjtWrap"].mjWRAP_PULLEY:
            found |= set(_find_chain(m, int((m.site_bodyid if kind == ENUMS["mjtWrap"].mjWRAP_SITE else m.geom_bodyid)[index])))
    return sorted(found)


def find_moment_rows(m: MjModel) -> list[list[int]]:
    """Columns that the row of each actuator keeps in actuator_moment: the directions that its transmission can move."""
    rows = []
    for kind, (target, reference) in zip(m.actuator_trntype, m.actuator_trnid):
        if kind <= 1:
            begin = int(m.jnt_dofadr[target])
            rows.append(list(range(begin, begin + (6, 3, 1, 1)[int(m.jnt_type[target])])))
        elif kind in (2, 4):
            moved = _find_chain(m, int(m.site_bodyid[target]))
            other = _find_chain(m, int(m.site_bodyid[reference])) if reference >= 0 else []
            rows.append(sorted(set(moved) | set(other) if kind == 2 else set(moved) ^ set(other)))  # what moves both sites moves no pose between them
        else:
            rows.append(_find_pulled(m, int(target)) if kind == 3 else [])
    return rows


def _find_transmissions(m: MjModel) -> Array:
    """What each actuator acts on, and the site that it is relative to: a reference, or that of a slider."""
    reference = np.full(m.nu, -1, dtype=np.int32)
    for element in m.text.elements["actuator"]:  # which may be fewer: one of several inputs is several of ours
        index = _find_index(m, "actuator", element.get("name"))
        if index >= 0:
            reference[index] = _find_index(m, "site", element.get("refsite", element.get("slidersite")))
    return np.stack([m.rattleback.actuators.target, reference], axis=1)


# Sensors ----------------------------------------------------------------------------------------------------------------------------
_OBJECTS = {"site": mjtObj.mjOBJ_SITE, "joint": mjtObj.mjOBJ_JOINT, "tendon": mjtObj.mjOBJ_TENDON, "actuator": mjtObj.mjOBJ_ACTUATOR,
            "body": mjtObj.mjOBJ_BODY, "camera": mjtObj.mjOBJ_CAMERA, "geom": mjtObj.mjOBJ_GEOM, "xbody": mjtObj.mjOBJ_XBODY}
_AT_POSITION = ("rangefinder jointpos tendonpos actuatorpos ballquat jointlimitpos tendonlimitpos framepos framequat framexaxis frameyaxis framezaxis "
                "subtreecom insidesite distance normal fromto e_potential clock magnetometer camprojection").split()
_AT_VELOCITY = ("velocimeter gyro jointvel tendonvel actuatorvel ballangvel jointlimitvel tendonlimitvel framelinvel frameangvel subtreelinvel "
                "subtreeangmom e_kinetic").split()
_AXES, _QUATERNIONS, _POSITIVE = ("framexaxis", "frameyaxis", "framezaxis", "normal"), ("ballquat", "framequat"), ("touch",)


def _sensor_objects(m: MjModel) -> list[tuple[int, int, int, int]]:
    """Kind and index of what each sensor is on, and of what it is relative to."""
    found = []
    for sensor in m.text.elements["sensor"]:
        row = []
        for kind, name in (("objtype", "objname"), ("reftype", "refname")):
            word, target = sensor.get(kind), sensor.get(name)
            if word is None and kind == "objtype":
                word = next((key for key in _OBJECTS if key in sensor.attrib), None)
                target = sensor.get(word) if word else None
            known = {"xbody": "body"}.get(word or "", word)
            row += [int(_OBJECTS[word]), _find_index(m, str(known), target)] if word in _OBJECTS else [0, -1]
        found.append((row[0], row[1], row[2], row[3]))
    return found


def _sensor_kind(find: Callable[[str], int]) -> Callable[[MjModel], Array]:
    return lambda m: np.array([find(sensor.tag) for sensor in m.text.elements["sensor"]], dtype=np.int32)


def _find_stage(word: str) -> int:
    return 1 if word in _AT_POSITION else 2 if word in _AT_VELOCITY else 3


def _find_datatype(word: str) -> int:
    return 2 if word in _AXES else 3 if word in _QUATERNIONS else 1 if word in _POSITIVE else 0


# Meshes and keyframes ---------------------------------------------------------------------------------------------------------------
def _join(part: int) -> Callable[[MjModel], Array]:
    """Vertices or triangles of all meshes."""
    return lambda m: np.concatenate([np.zeros((0, 3)), *(mesh[part] for mesh in m.rattleback.meshes)])


def _mesh_counts(part: int) -> Callable[[MjModel], Array]:
    return lambda m: np.array([len(mesh[part]) for mesh in m.rattleback.meshes], dtype=np.int32)


def _begin(counts: Callable[[MjModel], Array]) -> Callable[[MjModel], Array]:
    return lambda m: np.concatenate([[0], np.cumsum(counts(m))])[:-1]


def _key_targets(part: str, columns: slice) -> Callable[[MjModel], Array]:
    """Of mocap bodies in each keyframe, where they are told to be or where they start."""
    def find(m: MjModel) -> Array:
        bodies = np.flatnonzero(np.asarray(m.body_mocapid) >= 0)
        first = np.concatenate([np.asarray(m.body_pos), np.asarray(m.body_quat)], axis=1)[bodies][:, columns]
        rows = [[float(x) for x in key.get(part, "").split()] or np.ravel(first) for key in m.text.elements["key"]]
        return np.array(rows).reshape(len(rows), first.size)

    return find


TOLD: dict[str, Callable[[MjModel], Array]] = {
    "body_treeid": _body_trees, "dof_treeid": _dof_trees,
    "tree_bodyadr": _tree_spans(_body_trees, True), "tree_bodynum": _tree_spans(_body_trees, False),
    "tree_dofadr": _tree_spans(_dof_trees, True), "tree_dofnum": _tree_spans(_dof_trees, False),
    "body_contype": _of_geoms("geom_contype", lambda a, b: int(a) | int(b)), "body_conaffinity": _of_geoms("geom_conaffinity", lambda a, b: int(a) | int(b)),
    "body_margin": _of_geoms("geom_margin", max), "body_plugin": _fill("nbody", -1), "geom_plugin": _fill("ngeom", -1),
    "jnt_group": _read("joint", "group", 0), "jnt_stiffnesspoly": lambda m: _read("joint", "stiffness", 0, 0, 0)(m)[:, 1:],
    "jnt_actfrcrange": _read("joint", "actuatorfrcrange", 0, 0), "jnt_actfrclimited": _find_flags("joint", "actuatorfrclimited", False),
    "jnt_actgravcomp": _find_flags("joint", "actuatorgravcomp", False),
    "dof_solref": _read("dof", "solreffriction", *_SOLREF), "dof_solimp": _read("dof", "solimpfriction", *_SOLIMP),
    "dof_dampingpoly": lambda m: _read("dof", "damping", 0, 0, 0)(m)[:, 1:],
    "geom_matid": _refer("geom", "material", "material"), "site_matid": _refer("site", "material", "material"),
    "cam_mode": _find_words("camera", "mode", _MODES, "fixed"), "cam_targetbodyid": _refer("camera", "target", "body"),
    "cam_ipd": _read("camera", "ipd", 0.068), "cam_resolution": _read("camera", "resolution", 1, 1), "cam_sensorsize": _read("camera", "sensorsize", 0, 0),
    "cam_pos0": _start("cam", "pos0"), "cam_poscom0": _start("cam", "poscom0"), "cam_mat0": _start("cam", "mat0"),
    "light_mode": _find_words("light", "mode", _MODES, "fixed"), "light_targetbodyid": _refer("light", "target", "body"),
    "light_type": lambda m: np.array([int(light.get("directional") == "true" or light.get("type") == "directional") for light in m.text.elements["light"]]),
    "light_texid": _fill("nlight", -1), "light_castshadow": _find_flags("light", "castshadow", True), "light_active": _find_flags("light", "active", True),
    "light_bulbradius": _read("light", "bulbradius", 0.02), "light_range": _read("light", "range", 10), "light_cutoff": _read("light", "cutoff", 45),
    "light_exponent": _read("light", "exponent", 10), "light_attenuation": _read("light", "attenuation", 1, 0, 0),
    "light_pos0": _start("light", "pos0"), "light_poscom0": _start("light", "poscom0"), "light_dir0": _start("light", "dir0"),
    "mesh_vert": _join(1), "mesh_face": _join(2), "mesh_vertnum": _mesh_counts(1), "mesh_facenum": _mesh_counts(2),
    "mesh_vertadr": _begin(_mesh_counts(1)), "mesh_faceadr": _begin(_mesh_counts(2)),
    "mat_texrepeat": _read("material", "texrepeat", 1, 1), "mat_texuniform": _find_flags("material", "texuniform", False),
    "mat_metallic": _read("material", "metallic", -1), "mat_roughness": _read("material", "roughness", -1),
    "pair_dim": _read("pair", "condim", 3), "pair_geom1": _refer("pair", "geom1", "geom"), "pair_geom2": _refer("pair", "geom2", "geom"),
    "pair_solref": _read("pair", "solref", *_SOLREF), "pair_solimp": _read("pair", "solimp", *_SOLIMP),
    "pair_solreffriction": _read("pair", "solreffriction", 0, 0), "pair_margin": _read("pair", "margin", 0), "pair_gap": _read("pair", "gap", 0),
    "pair_friction": _read("pair", "friction", 1, 1, 0.005, 0.0001, 0.0001), "pair_signature": _pair_signature, "exclude_signature": _exclude_signature,
    "eq_objtype": _equality_kinds,
    "tendon_type": lambda m: np.array([int(tendon.tag == "spatial") for tendon in m.text.elements["tendon"]]), "tendon_num": _tendon_counts, "tendon_adr": _begin(_tendon_counts),
    "tendon_matid": _refer("tendon", "material", "material"), "tendon_group": _read("tendon", "group", 0), "tendon_margin": _read("tendon", "margin", 0),
    "tendon_armature": _read("tendon", "armature", 0), "tendon_solref_lim": _read("tendon", "solreflimit", *_SOLREF),
    "tendon_solimp_lim": _read("tendon", "solimplimit", *_SOLIMP), "tendon_solref_fri": _read("tendon", "solreffriction", *_SOLREF),
    "tendon_solimp_fri": _read("tendon", "solimpfriction", *_SOLIMP), "tendon_lengthspring": _tendon_rests,
    "wrap_type": lambda m: np.array([kind for kind, _ in _wraps(m)], dtype=np.int32),
    "wrap_objid": lambda m: np.array([index for _, index in _wraps(m)], dtype=np.int32),
    "actuator_gaintype": _find_words("actuator", "gaintype", _GAINS, "fixed"), "actuator_biastype": _find_words("actuator", "biastype", _BIASES, "none"),
    "actuator_group": _read("actuator", "group", 0), "actuator_dynprm": _read("actuator", "dynprm", 1, *[0] * 9),
    "actuator_trnid": _find_transmissions, "actuator_lengthrange": _read("actuator", "lengthrange", 0, 0), "actuator_cranklength": _read("actuator", "cranklength", 0),
    "actuator_actearly": _find_flags("actuator", "actearly", False), "actuator_acc0": _actuator_acc0,
    "jnt_actuatorid": _fill("njnt", -1), "tendon_actuatorid": _fill("ntendon", -1), "jnt_plasticadr": _fill("njnt", -1),
    "tendon_plasticadr": _fill("ntendon", -1), "sensor_historyadr": _fill("nsensor", -1), "site_dataid": _fill("nsite", -1),
    "mat_texid": lambda m: np.full(MODEL_ARRAYS["mat_texid"].find(m), -1), "geom_castshadow": _fill("ngeom", 1), "geom_aabb": _geom_boxes,
    "actuator_historyadr": _fill("nu", -1), "actuator_plugin": _fill("nu", -1),
    "sensor_needstage": _sensor_kind(_find_stage), "sensor_datatype": _sensor_kind(_find_datatype),
    "sensor_objtype": lambda m: np.array([row[0] for row in _sensor_objects(m)]), "sensor_objid": lambda m: np.array([row[1] for row in _sensor_objects(m)]),
    "sensor_reftype": lambda m: np.array([row[2] for row in _sensor_objects(m)]), "sensor_refid": lambda m: np.array([row[3] for row in _sensor_objects(m)]),
    "sensor_plugin": _fill("nsensor", -1),
    "key_mpos": _key_targets("mpos", slice(0, 3)), "key_mquat": _key_targets("mquat", slice(3, 7)),
}
