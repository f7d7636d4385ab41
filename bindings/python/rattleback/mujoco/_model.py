"""MjModel: a Model under MuJoCo's names. A Model never changes: what a program writes to an array makes another Model of its text."""
from __future__ import annotations

import io
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _base, _core
from .._math import to_matrix
from ._field import Field
from ._model_fields import FIELDS, find_rows
from ._model_text import TOLD, count_trees, find_moment_rows
from ._named import Named, NamedActuator
from ._structs import MjStatistic, MjVisual
from ._tables import ENUMS, MODEL_ARRAYS, MODEL_NUMBERS, Shape, mjtDisableBit
from ._text import READ, WRITTEN, Place, Text, read_looks, write_assets, write_numbers

Array = npt.NDArray[Any]


class FatalError(Exception):
    """What MuJoCo raises for files that it cannot read and for calls that make no sense."""


_INTEGRATOR = {"euler": 0, "rk4": 1, "implicit": 2, "implicitfast": 3}
# Sizes and the counts of ours that they are.
_COUNTS = {
    "nq": "q_count", "nv": "v_count", "nu": "actuator_count", "nactuator": "actuator_count", "nout": "actuator_count", "na": "act_count",
    "nbody": "body_count", "njnt": "joint_count", "ngeom": "shape_count", "nsite": "site_count", "ntendon": "tendon_count",
    "nsensor": "sensor_count", "nsensordata": "sensor_value_count", "neq": "equality_count", "nmocap": "kinematic_count",
}
# Sizes that the model's text tells.
_LISTED = {"ncam": "camera", "nlight": "light", "nmat": "material", "ntex": "texture", "nmesh": "mesh", "nhfield": "hfield", "nkey": "key",
           "npair": "pair", "nexclude": "exclude", "nnumeric": "numeric", "ntext": "text", "ntuple": "tuple", "nwrap": "stop"}
# Kinds of elements by MuJoCo's words: the table of ours, or the kind of the text; and the prefix of its arrays.
TABLES = {
    "body": ("bodies", "body_"), "joint": ("joints", "jnt_"), "jnt": ("joints", "jnt_"), "geom": ("shapes", "geom_"),
    "site": ("sites", "site_"), "actuator": ("actuators", "actuator_"), "sensor": ("sensors", "sensor_"),
    "tendon": ("tendons", "tendon_"), "equality": ("equalities", "eq_"), "eq": ("equalities", "eq_"), "camera": ("camera", "cam_"),
    "cam": ("camera", "cam_"), "light": ("light", "light_"), "material": ("material", "mat_"), "mat": ("material", "mat_"),
    "texture": ("texture", "tex_"), "tex": ("texture", "tex_"), "mesh": ("mesh", "mesh_"), "hfield": ("hfield", "hfield_"),
    "key": ("key", "key_"), "keyframe": ("key", "key_"), "pair": ("pair", "pair_"), "exclude": ("exclude", "exclude_"),
    "numeric": ("numeric", "numeric_"), "text": ("text", "text_"), "tuple": ("tuple", "tuple_"), "skin": ("skin", "skin_"),
    "flex": ("flex", "flex_"),
}
_WORDS = {"bodies": "body", "joints": "joint", "shapes": "shape", "sites": "site", "actuators": "actuator", "sensors": "sensor", "tendons": "tendon",
          "equalities": "equality", "key": "keyframe"}  # with which elements without a name are named, by their table
_SWITCHES = {int(bit): bit.name[7:].lower() for bit in mjtDisableBit if bit.name.startswith("mjDSBL_")}
_ACTUATION = int(mjtDisableBit.mjDSBL_ACTUATION)
# Flags that change how MuJoCo computes, not what.
_WITHOUT_EFFECT = sum(int(getattr(mjtDisableBit, "mjDSBL_" + name)) for name in ("WARMSTART", "MIDPHASE", "ISLAND", "AUTORESET", "SENSOR",
                                                                                 "NATIVECCD", "MULTICCD"))


def find_solver(value: int | str) -> str:
    """The engine's solver by what opt.solver is set to: a name of one, or a number of MuJoCo's, which are methods of `convex`."""
    names = [info.name for info in _core.solvers()]
    if isinstance(value, str) and value not in names:
        raise FatalError(f"there is no solver '{value}': one of {', '.join(names)}, or a number of mjtSolver")
    return value if isinstance(value, str) else "convex"


class MjOption:
    """What runs take from the model; may be changed, also between steps."""

    _SOLVERS = ("PGS", "CG", "Newton")
    _ALSO = {"impratio": 1.0, "ls_tolerance": 0.01, "noslip_tolerance": 1e-6, "ccd_tolerance": 1e-6, "sleep_tolerance": 1e-3, "density": 0.0,
             "viscosity": 0.0, "o_margin": 0.0, "jacobian": 2, "ls_iterations": 50, "noslip_iterations": 0, "ccd_iterations": 35,
             "enableflags": 0, "disableactuator": 0, "sdf_initpoints": 40, "sdf_iterations": 10}
    _TUNING = ("ls_iterations", "ls_tolerance", "noslip_iterations", "noslip_tolerance")  # parameters of `convex`, too
    _TEXT = ("impratio", "density", "viscosity", "cone", "integrator")

    def __init__(self, model: MjModel | None = None) -> None:
        """Of a model; without one, those of a model that says nothing."""
        model = model or MjModel(_build(lambda: _core.parse_mjcf("<mujoco/>", name="XML")))
        held, said = model.rattleback, model.rattleback.solver_parameters.get("convex", {})
        text = model.text.root.find("option")
        given = dict(text.attrib) if text is not None else {}
        flag = text.find("flag") if text is not None else None
        switched = dict(flag.attrib) if flag is not None else {}
        start: dict[str, Any] = {
            "timestep": held.dt, "integrator": _INTEGRATOR.get(held.integrator.removeprefix("lie_"), 0),
            "solver": self._SOLVERS.index(str(said.get("solver", "Newton"))), "iterations": int(said.get("iterations", 100)),
            "tolerance": float(said.get("tolerance", 1e-8)), "cone": int(given.get("cone") == "elliptic" or said.get("cone") == "elliptic"),
            "disableflags": sum(bit for bit, name in _SWITCHES.items() if switched.get(name) == "disable"),
            **{name: type(value)(said.get(name, given.get(name, value))) for name, value in self._ALSO.items()}}
        self.__dict__["_first"] = {name: start[name] for name in self._TUNING}
        for name, default in (("gravity", held.gravity), ("wind", (0.0, 0.0, 0.0)), ("magnetic", (0.0, -0.5, 0.0))):
            numbers = [float(word) for word in given[name].split()] if name in given else default
            start[name] = Field.make(model, "opt." + name, np.array(numbers, dtype=np.float64))
        for name, first in (("o_solref", (0.02, 1.0)), ("o_solimp", (0.9, 0.95, 0.001, 0.5, 2.0)), ("o_friction", (1, 1, 0.005, 1e-4, 1e-4))):
            start[name] = np.array(first, dtype=np.float64)
        self.__dict__.update(start, _model=model)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise AttributeError(f"rattleback.mujoco.MjOption has no '{name}'")
        if isinstance(self.__dict__[name], np.ndarray):
            self.__dict__[name][...] = value
            return
        if name == "solver":
            self._model.solver = find_solver(value)
            value = value if not isinstance(value, str) else self.solver
        changed = self.__dict__[name] != value
        self.__dict__[name] = type(self.__dict__[name])(value)
        if changed and (name in self._TEXT or (name == "disableflags" and self._find_switches() != self._model.switches)):
            self._model.wrote("opt." + name)

    def _find_switches(self) -> int:
        return int(self.disableflags) & ~_ACTUATION & ~_WITHOUT_EFFECT

    @property
    def is_actuated(self) -> bool:
        """Whether actuators act."""
        return not int(self.disableflags) & _ACTUATION

    def make_parameters(self) -> dict[str, bool | int | float | str]:
        """Parameters under which `convex` is MuJoCo's method: it creeps, and fast bodies pass through thin ones unless the file asks for `speculative`."""
        changed = {name: getattr(self, name) for name, first in self._first.items() if getattr(self, name) != first}
        if not 0 <= int(self.solver) < len(self._SOLVERS):
            raise FatalError(f"mj_fwdConstraint: unknown solver type {int(self.solver)}")
        return {"stick": False, "guard": False, "continuous": False, "solver": self._SOLVERS[int(self.solver)], "iterations": int(self.iterations),
                "tolerance": float(self.tolerance), **changed}

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"rattleback.mujoco.MjOption has no '{name}'")

    def get_fields(self) -> dict[str, Any]:
        """Names and values, as they are."""
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def take(self, other: MjOption) -> None:
        """All values of another one."""
        for name, value in other.get_fields().items():
            setattr(self, name, np.array(value) if isinstance(value, np.ndarray) else value)

    def __copy__(self) -> MjOption:
        copy = MjOption()
        copy.take(self)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> MjOption:
        return self.__copy__()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MjOption):
            return NotImplemented
        theirs = other.get_fields()
        return all(np.array_equal(value, theirs[name]) for name, value in self.get_fields().items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "<MjOption\n" + "".join(f"  {name}: {value!r}\n" for name, value in self.get_fields().items()) + ">"


def _make_part(name: str, text: str) -> Any:
    return property(lambda self: getattr(self, name), lambda self, other: getattr(self, name).take(other), doc=text)


class MjModel:
    """A model under MuJoCo's names."""

    text: Text

    def __init__(self, model: _core.Model, folder: Any = None) -> None:
        self._folder = folder  # of assets that came as bytes
        self._opt: MjOption
        self._arrays: dict[str, Any] = {}
        self._changed: set[str] = set()
        self._kept: dict[str, Array] = {}
        self.elements: dict[tuple[str, int], Named] = {}
        self.version = 0  # grows with every change
        self.switches = 0  # flags that the text has
        self.solver = os.environ.get("RATTLEBACK_SOLVER") or model.solver or "convex"
        self._take(model)
        self._opt = MjOption(self)
        self.switches = self.opt._find_switches()
        low, high = self._find_box()
        extent = float(max(np.max(high - low), 1e-5))
        self._stat = MjStatistic(extent=extent, center=(low + high) / 2, meaninertia=1.0, meanmass=float(np.mean(model.bodies.mass)), meansize=0.1 * extent)
        self._vis = MjVisual()

    opt: MjOption = _make_part("_opt", "What runs take from the model; assigning another copies its values.")
    stat: MjStatistic = _make_part("_stat", "Sizes of the model; assigning another copies its values.")
    vis: MjVisual = _make_part("_vis", "How it wants to be seen; assigning another copies its values.")

    @property
    def _address(self) -> int:
        return id(self)

    def _find_box(self) -> tuple[Array, Array]:
        """Around the shapes at qpos0, planes left out."""
        state, shapes = _core.State(self.rattleback), self.rattleback.shapes
        turns = to_matrix(state.body_rotation[shapes.body])
        points = state.body_position[shapes.body] + np.einsum("nij,nj->ni", turns, shapes.pose[:, :3])
        seen = np.array([kind != "plane" for kind in shapes.type], dtype=bool)
        if not seen.any():
            return np.zeros(3), np.ones(3)
        reach = shapes.bounding_radius[seen][:, None]
        return np.min(points[seen] - reach, axis=0), np.max(points[seen] + reach, axis=0)

    def _take(self, model: _core.Model) -> None:
        self.rattleback = model  # the engine's own
        self.text = Text(model, self.__dict__.get("text"))
        self._indices: dict[str, dict[str, int]] = {}
        self._names: tuple[bytes, dict[str, Array]] | None = None

    @classmethod
    def from_xml_path(cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel:
        """Reads an MJCF or URDF file."""
        if assets and os.fspath(filename) in assets:
            return cls.from_xml_string(assets[os.fspath(filename)].decode(), assets)
        return cls._read(lambda: _core.load_model(filename), source=filename)

    @classmethod
    def from_xml_string(cls, xml: str | bytes, assets: Mapping[str, bytes | str] | None = None) -> MjModel:
        """Reads MJCF from text; assets: files by name."""
        text = xml.decode() if isinstance(xml, bytes) else xml
        if not assets:
            return cls._read(lambda: _core.parse_mjcf(text, name="XML"), source=io.StringIO(text))
        folder = tempfile.TemporaryDirectory()
        write_assets(text, assets, folder.name)
        return cls._read(lambda: _core.parse_mjcf(text, name="XML", directory=folder.name), folder, io.StringIO(text))

    @classmethod
    def _read(cls, read: Callable[[], _core.Model], folder: Any = None, source: Any = None) -> MjModel:
        model = cls(_build(read), folder)
        if source is not None:
            read_looks(source, model.text, model.vis, model.stat)
        return model

    # What is written to arrays ----------------------------------------------------------------------------------------------------
    def bring(self, name: str) -> None:
        """Arrays are up to date as long as nobody writes."""

    def refuse(self, name: str) -> str | None:
        """Why an array cannot be written."""
        if name in WRITTEN or name.startswith("opt."):
            return None
        return f"MjModel.{name} is read-only in rattleback.mujoco (docs/python.md lists what can be written)"

    def wrote(self, name: str) -> None:
        """Notes that an array was written: the next call on the model takes it over."""
        self._changed.add(name)

    def write_keyframe(self, index: int, values: Mapping[str, Any]) -> None:
        """Another keyframe in the place of one."""
        key = self.text.elements["key"][index]
        for name, numbers in values.items():
            key.attrib.pop(name, None)
            if np.size(numbers):
                key.set(name, write_numbers(numbers))
        self.wrote("text.key")

    def apply(self) -> None:
        """Makes another model of what was written."""
        if not self._changed:
            return
        changed, self._changed = self._changed, set()
        for name in sorted(changed):
            if name == "opt.disableflags":
                before, self.switches = self.switches, self.opt._find_switches()
                self.text.write_flags(self.switches, {bit: word for bit, word in _SWITCHES.items() if bit & (before ^ self.switches)})
            elif name == "text.key":
                continue  # written already
            elif name.startswith("opt."):
                self.text.write_option(name[4:], getattr(self.opt, name[4:]))
            else:
                self.text.write(name, self._kept[name], np.asarray(self._arrays[name]))
        text = self.text.to_text()
        self._take(_build(lambda: _core.parse_mjcf(text, name="the changed model")))
        self.version += 1
        for name, array in self._arrays.items():
            if isinstance(array, Field) and name not in changed:
                array.base[...] = self._compute(name)  # type: ignore[index]
                self._kept[name] = array.base.copy()  # type: ignore[union-attr]
            elif name in changed:
                self._kept[name] = np.array(array)

    # Fields -----------------------------------------------------------------------------------------------------------------------
    def _compute(self, name: str) -> Array:
        shape = MODEL_ARRAYS[name]
        sizes = shape.find(self)
        if name in FIELDS:
            values = np.asarray(FIELDS[name](self.rattleback))
            if name in ("actuator_gainprm", "actuator_biasprm"):  # those of muscles are more than the compiled model lists
                values = self.text.read(Place("actuator", name[9:], (float(name[9] == "g"), *[0.0] * 9)))
            if name == "geom_size":  # planes have sizes to the eye alone
                values = np.where((self.geom_type == 0)[:, None], self.text.read(Place("geom", "size", (0, 0, 0))), values)
                for row, kind, asset in zip(values, self.geom_type, self.geom_dataid):
                    if kind == ENUMS["mjtGeom"].mjGEOM_HFIELD:  # half sides of a box as high as its middle
                        x, y, high, deep = self.hfield_size[asset]
                        row[:] = x, y, 0.25 * high + 0.5 * deep
        elif name in READ:
            values = self.text.read(READ[name])
            if name == "hfield_size" and len(values):
                values[:, 2] = self.text.scales  # what hfield_data is multiplied with, whatever was written to it
        elif name in TOLD:
            values = np.asarray(TOLD[name](self))
        elif name.startswith("name_") and name.endswith("adr"):
            values = self._find_names()[1].get(name[5:-3], np.zeros(sizes))
        elif name == "wrap_prm":
            values = np.array([float(stop.get("coef", stop.get("divisor", "0"))) for stop in self.text.elements["stop"]])
        elif name == "hfield_data":
            values = self.text.read_terrain()
        elif name == "hfield_adr":
            counts = self.text.read(READ["hfield_nrow"]) * self.text.read(READ["hfield_ncol"])
            values = np.concatenate([[0], np.cumsum(counts)])[:-1]
        elif name in ("sensor_type", "eq_type"):
            kind, enum, prefix = ("sensor", "mjtSensor", "mjSENS_") if name[0] == "s" else ("equality", "mjtEq", "mjEQ_")
            words = [prefix + element.tag.upper() for element in self.text.elements[kind]]
            values = np.array([int(getattr(ENUMS[enum], word, 0)) for word in words])
        elif name == "cam_projection":
            values = np.array([camera.get("projection") == "orthographic" for camera in self.text.elements["camera"]])
        elif name in ("cam_bodyid", "light_bodyid"):
            kind = "camera" if name.startswith("cam") else "light"
            values = np.array([i for i, body in enumerate(self.text.elements["body"]) for child in body if child.tag == kind])
        else:
            values = np.zeros(sizes)
        memory = np.zeros(sizes, dtype=shape.dtype)
        memory[...] = values.reshape(memory.shape) if values.size == memory.size else _fit(values, memory.shape)
        return memory

    def read(self, name: str) -> Any:
        """A field; computed when it is first asked for."""
        if name not in self._arrays:
            if name == "names":
                self._arrays[name] = self._find_names()[0]
            elif MODEL_ARRAYS[name].is_text:
                self._arrays[name] = b""
            else:
                memory = self._compute(name)
                self._kept[name] = memory.copy()
                self._arrays[name] = Field.make(self, name, memory)
        return self._arrays[name]

    def count(self, name: str) -> int:
        """A size."""
        if name in _COUNTS:
            return int(getattr(self.rattleback, _COUNTS[name]))
        if name in _LISTED:
            return len(self.text.elements[_LISTED[name]])
        if name == "nJmom":
            return sum(map(len, find_moment_rows(self)))
        if name == "ntree":
            return count_trees(self)
        if name in ("nmeshvert", "nmeshface"):
            return sum(len(mesh[1 if name == "nmeshvert" else 2]) for mesh in self.rattleback.meshes)
        if name in ("nC", "nM", "nB"):
            return sum(map(len, find_rows(self.rattleback)))
        if name == "nhfielddata":
            return sum(int(e.get("nrow", "0")) * int(e.get("ncol", "0")) for e in self.text.elements["hfield"])
        return len(self._find_names()[0]) if name == "nnames" else 0

    def _find_names(self) -> tuple[bytes, dict[str, Array]]:
        """All names one after the other, and where those of each kind begin."""
        if self._names is None:
            text, places = self.rattleback.name.encode() + b"\0", {}
            for kind in ("body", "jnt", "geom", "site", "cam", "light", "mesh", "hfield", "tex", "mat", "pair", "exclude", "eq", "tendon",
                         "actuator", "sensor", "numeric", "text", "tuple", "key"):
                begins = []
                for name in self.list_names(kind):
                    begins.append(len(text))
                    text += name.encode() + b"\0"
                places[kind] = np.array(begins, dtype=np.int32)
            self._names = text, places
        return self._names

    def list_names(self, kind: str) -> list[str]:
        """Names of the elements of a kind; empty where the file gave none."""
        word = _WORDS.get(TABLES[kind][0], TABLES[kind][0])
        given = self.text.given
        return ["" if name == f"{word} {i}" and name not in given else name for i, name in enumerate(self.list_full_names(kind))]

    def list_full_names(self, kind: str) -> list[str]:
        """The same with the names that we give to elements without one: `shape 3`."""
        table = TABLES[kind][0]
        if table in self.text.elements:
            return self.text.find_names(table)
        return list(getattr(self.rattleback, table).name) if hasattr(self.rattleback, table) else []

    def find(self, kind: str, key: str | int) -> int:
        """Index of an element; KeyError, or IndexError, where there is none."""
        names = self.list_names(kind)
        if isinstance(key, str):
            index = self._indices.setdefault(kind, {name: i for i, name in enumerate(names) if name})
            if key not in index:
                raise KeyError(f"Invalid name '{key}'. Valid names: {sorted(filter(None, names))}")
            return index[key]
        if not 0 <= key < len(names):
            raise IndexError(f"Invalid index {key}. Valid indices from 0 to {len(names) - 1}")
        return int(key)

    def named(self, kind: str, key: str | int, owner: Any, prefixes: tuple[str, ...], known: Mapping[str, Shape]) -> Named:
        """An element with those arrays of `owner` that begin so and are known."""
        index = self.find(kind, key)
        made: dict[tuple[str, int], Named] = owner.elements  # the same object every time
        place = (TABLES[kind][0], index)
        if place not in made:
            made[place] = (NamedActuator if prefixes[-1] == "actuator_" and len(prefixes) > 1 else Named)(owner, prefixes, known, index, self.list_names(kind)[index])
        return made[place]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name if name.startswith("_") else f"rattleback.mujoco.MjModel has no '{name}' (docs/python.md lists its fields)")

    def __copy__(self) -> MjModel:
        self.apply()
        return _restore(self.rattleback, self._get_rest(), self._folder)

    def __deepcopy__(self, memo: dict[int, Any]) -> MjModel:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        self.apply()
        return _restore, (self.rattleback, self._get_rest())

    def _get_rest(self) -> dict[str, Any]:
        """What a copy takes over that the compiled model does not say."""
        options = {name: value for name, value in self.opt.__dict__.items() if not name.startswith("_") and not isinstance(value, np.ndarray)}
        return {"options": options, "solver": self.solver, "scales": [*self.text.scales], "lows": [*self.text.lows], "given": self.text.given}

    def __repr__(self) -> str:
        return f"<rattleback.mujoco.MjModel of {self.rattleback!r}>"


def _restore(model: _core.Model, rest: dict[str, Any], folder: Any = None) -> MjModel:
    made = MjModel(model, folder)
    made.opt.__dict__.update(rest["options"])
    made.solver = rest["solver"]
    made.text.scales, made.text.lows, made.text.given = [*rest["scales"]], [*rest["lows"]], rest["given"]
    return made


def _build(read: Callable[[], _core.Model]) -> _core.Model:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", _base.ImportWarning)
            return read()
    except _base.Error as error:
        raise FatalError(str(error)) from None


def _fit(values: Array, shape: tuple[int, ...]) -> Array:
    """Values in the upper left of zeros: where MuJoCo has more columns, or more rows, than we have."""
    result = np.zeros(shape)
    if values.ndim == len(shape):
        part = tuple(slice(0, min(a, b)) for a, b in zip(values.shape, shape))
        result[part] = values[part]
    return result


def _make_property(name: str) -> property:
    def write(self: MjModel, value: Any) -> None:
        field = self.read(name)
        if not isinstance(field, Field):
            raise ValueError(f"MjModel.{name} is read-only in rattleback.mujoco")
        field[...] = value

    return property(lambda self: self.read(name), write)


def _make_count(name: str) -> property:
    return property(lambda self: self.count(name))


def _make_named(kind: str) -> Any:
    def named(self: MjModel, key: str | int = "") -> Named:
        return self.named(kind, key, self, (TABLES[kind][1],), MODEL_ARRAYS)

    named.__name__ = kind
    return named


# Every field of MuJoCo's structure is there, also where a program lists them.
for _name in MODEL_ARRAYS:
    setattr(MjModel, _name, _make_property(_name))
for _name in MODEL_NUMBERS:
    setattr(MjModel, _name, _make_count(_name))
for _name in TABLES:
    setattr(MjModel, _name, _make_named(_name))
