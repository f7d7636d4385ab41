"""MjData: a Simulation under MuJoCo's names. As in MuJoCo, what follows from the state is that of the last forward pass: after
mj_step it belongs to the state before the step. It is computed when it is read."""
from __future__ import annotations

import copy
import sys
import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ._field import Field
from ._model import MjModel
from ._named import show_element
from ._passes import ContactList, MjContact, Pass, make_simulation, move
from ._results import FIELDS
from ._tables import DATA_ARRAYS, DATA_NUMBERS, ENUMS, Shape

Array = npt.NDArray[Any]

# What programs write, and where it goes in the engine.
STATE = {"qpos": ("state", "q"), "qvel": ("state", "v"), "act": ("state", "act")}
INPUTS = {"ctrl": ("control", "input"), "qfrc_applied": ("control", "joint_force"), "xfrc_applied": ("control", "body_wrench"),
           "eq_active": ("control", "equality_active")}
KEPT = ("userdata", "qacc_warmstart", "plugin_state", "history", "plastic")  # written and read by programs alone
_ARRAYS = DATA_ARRAYS | {"energy": Shape("d 2"), "solver_niter": Shape("i 20"), "solver_nnz": Shape("i 20"), "solver_fwdinv": Shape("d 2")}


CALLBACKS: dict[str, Any] = {}  # what programs have set, by MuJoCo's names


class Statistics:
    """Warnings or timers: arrays of all, [i] of one."""

    def __init__(self, size: int, **columns: Any) -> None:
        self._columns = {name: np.zeros(size, dtype=dtype) for name, dtype in columns.items()}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(name)
        return self._columns[name]

    def __getitem__(self, index: Any) -> Any:
        return SimpleNamespace(**{name: column[int(index)] for name, column in self._columns.items()})

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        return self._columns.keys() == other._columns.keys() and all(np.array_equal(column, other._columns[name]) for name, column in self._columns.items())

    __hash__ = None  # type: ignore[assignment]


def _read_clock() -> float:
    """[ms], or what the program's own clock says."""
    clock = CALLBACKS.get("mjcb_time")
    now = time.perf_counter() * 1e3 if clock is None else clock()
    if not isinstance(now, (int, float, np.number)):
        raise TypeError("mjcb_time callback did not return a number")
    return float(now)


class MjData:
    """State, inputs and results of a run."""

    # Named in the class, because programs list it.
    warning: Any = None
    timer: Any = None

    def __init__(self, model: MjModel) -> None:
        self.model = model
        self.warning = Statistics(int(ENUMS["mjtWarning"].mjNWARNING), lastinfo=int, number=int)
        self.timer = Statistics(15, duration=float, number=int)
        self._arrays: dict[str, Array] = {}
        self._memory: dict[str, Array] = {}
        self._free: dict[str, tuple[int, int]] = {}  # counts of references to arrays that nobody else holds
        self._fresh: set[str] = set()
        self.elements: dict[tuple[str, int], Any] = {}  # named ones that were asked for
        self._time = 0.0
        self._contacts = ContactList(self)
        self._extra: Array | None = None  # what a program's callback adds to the passive forces
        self.thread_count = 0  # that mju_threadpool asked for
        self._open = ""  # the result that a callback may write just now
        self.mocap_target: Array
        model.apply()
        self._start()
        self._read_back(inputs=True)
        self.passed = Pass(model, self.simulation)

    def _start(self) -> None:
        """A simulation as the model is now."""
        self.simulation = make_simulation(self.model)
        self._options = self._read_options()
        self._engine = {name: getattr(getattr(self.simulation, part), array) for name, (part, array) in (STATE | INPUTS).items()}
        self._target = self.simulation.control.target
        self._active = self.simulation.control.actuator_active
        self._actuated = self._active.copy()
        for name, view in self._engine.items():
            if name not in self._arrays:
                self._arrays[name] = view.astype(bool) if name == "eq_active" else view.copy()
        if "mocap_pos" not in self._arrays:
            self._arrays["mocap_pos"], self._arrays["mocap_quat"] = self._target[:, :3].copy(), self._target[:, 3:].copy()

    def _read_options(self) -> tuple[Any, ...]:
        return self.model.version, self.model.solver, self.model.opt.timestep, *self.model.opt.make_parameters().values()

    def _read_back(self, *, inputs: bool) -> None:
        """What the engine has, into the program's arrays."""
        for name in (STATE | INPUTS) if inputs else STATE:
            np.copyto(self._arrays[name], self._engine[name], casting="unsafe")
        if inputs:
            self._arrays["mocap_pos"][...], self._arrays["mocap_quat"][...] = self._target[:, :3], self._target[:, 3:]
        self._time = float(self.simulation.state.time)

    def take_over(self) -> None:
        """Puts into force what the program wrote: inputs, another state, a new timestep, another model."""
        self.model.apply()
        if self._read_options() != self._options:
            self._start()
        arrays, engine = self._arrays, self._engine
        for name in INPUTS:
            np.copyto(engine[name], arrays[name], casting="unsafe")
        if self._extra is not None:
            engine["qfrc_applied"] += self._extra
        moved = self._move_mocap() if len(self._target) else False
        self._active[:] = self._actuated if self.model.opt.is_actuated else 0
        state = self.simulation.state
        if not all(np.array_equal(engine[name], arrays[name]) for name in STATE) or state.time != self._time or moved:
            for name in STATE:
                np.copyto(engine[name], arrays[name])
            state.time = self._time
            self.simulation.refresh()

    def _move_mocap(self) -> bool:
        """Mocap bodies are where they are told to be, without a velocity, before the next pass; whether one was elsewhere."""
        turns = self._arrays["mocap_quat"]
        lengths = np.linalg.norm(turns, axis=1, keepdims=True)
        self._target[:, :3] = self._arrays["mocap_pos"]
        self._target[:, 3:] = np.where(lengths > 1e-15, turns / np.maximum(lengths, 1e-15), (1, 0, 0, 0))
        index = np.asarray(self.model.rattleback.bodies.kinematic_index)
        bodies = np.flatnonzero(index >= 0)
        state = self.simulation.state
        if np.array_equal(state.body_pose[bodies], self._target[index[bodies]]):
            return False
        state.body_pose[bodies], state.body_velocity[bodies] = self._target[index[bodies]], 0
        return True

    def forward(self, whole: bool = True) -> None:
        """The forward pass at the present state; not whole: without accelerations."""
        start = _read_clock()
        self._forward(whole)
        self._count_time("mjTIMER_FORWARD", start, 1)

    def _count_time(self, timer: str, start: float, count: int) -> None:
        place = int(getattr(ENUMS["mjtTimer"], timer))
        self.timer.number[place] += count
        self.timer.duration[place] += _read_clock() - start

    def _forward(self, whole: bool) -> None:
        if not whole or self._is_called_back():
            self._ask_callbacks()
        if whole:
            self.take_over()
            self._pass_on(Pass(self.model, self.simulation, extra=self._extra))

    def step(self, count: int) -> None:
        """Steps; the forward pass is that of the last of them."""
        start, all_steps = _read_clock(), count
        if self._is_called_back():
            for _ in range(count - 1):
                self._ask_callbacks()
                self._step(1)
            self._ask_callbacks()
            count = 1
        self._step(count)
        self._count_time("mjTIMER_STEP", start, all_steps)

    def step_rest(self) -> None:
        """The rest of a step that mj_step1 or a forward pass began. Where a program wrote another state since, MuJoCo moves that one by the accelerations
        of the pass: v += dv of a step from the pass's state, q moves along the new v."""
        begun, q, v = self.passed.state, self._arrays["qpos"].copy(), self._arrays["qvel"].copy()
        if self.model.rattleback.integrator in ("rk4", "lie_rk4") or (np.array_equal(begun.q, q) and np.array_equal(begun.v, v)):
            self.step(1)
            return
        start, old = _read_clock(), begun.v.copy()
        self._arrays["qpos"][...], self._arrays["qvel"][...] = begun.q, old
        if self._step(1):
            self._arrays["qvel"] += v - old
            self._arrays["qpos"][...] = move(self.model, q, self._arrays["qvel"], self.model.opt.timestep)
        self._count_time("mjTIMER_STEP", start, 1)

    def _is_called_back(self) -> bool:
        if CALLBACKS.get("mjcb_passive") is None:
            self._extra = None
        return CALLBACKS.get("mjcb_control") is not None or CALLBACKS.get("mjcb_passive") is not None

    def look(self) -> Array | None:
        """Positions, velocities and passive forces of the present state; accelerations stay, those that were written, too. What a callback added."""
        acceleration = np.array(self.read("qacc"))
        self._is_called_back()
        self._ask_callbacks(inputs=False)
        self.write_result("qacc", acceleration)
        return self._extra

    def _ask_callbacks(self, inputs: bool = True) -> None:
        """MuJoCo's callbacks for passive forces and for inputs: they find positions and velocities of the present state."""
        self._pass_on(self._look())
        passive, control = CALLBACKS.get("mjcb_passive"), CALLBACKS.get("mjcb_control") if inputs else None
        if passive is not None:
            forces, before = self.read("qfrc_passive"), np.array(self.read("qfrc_passive"))
            self._open, forces.flags.writeable = "qfrc_passive", True
            try:
                passive(self.model, self)
            finally:
                self._open, forces.flags.writeable = "", False
            self._extra = self._memory["qfrc_passive"] - before
        if control is not None:
            control(self.model, self)

    def _look(self) -> Pass:
        version = self.model.version
        self.take_over()
        return Pass(self.model, self.simulation, before=None if version != self.model.version else self.passed)

    def _step(self, count: int) -> bool:
        """Whether all were taken."""
        self.take_over()
        simulation = self.simulation
        done = count < 2 or simulation.run_steps(count - 1).committed
        stages = self.model.rattleback.integrator in ("rk4", "lie_rk4")
        passed = Pass(self.model, simulation, stages, extra=self._extra)
        if not done or not simulation.step().committed:
            self._give_up()
            return False
        if not stages:
            passed.contact = MjContact(simulation.contacts)
        self._read_back(inputs=False)
        self._pass_on(passed)
        return True

    def reset(self, key: int | None = None) -> None:
        """To the initial state or a keyframe, inputs zero."""
        self.take_over()
        self.simulation.reset() if key is None else self.simulation.reset(key)
        self._read_back(inputs=True)
        for name in KEPT:
            if name in self._arrays:
                self._arrays[name][...] = 0
        self.forward()

    def _give_up(self) -> None:
        """A step that diverged: as MuJoCo does, a warning is counted, and everything starts anew."""
        self.warning.number[int(ENUMS["mjtWarning"].mjWARN_BADQACC)] += 1
        self.restart()

    def restart(self) -> None:
        """To the initial state, whatever was written to the present one."""
        self.simulation.reset()
        self._read_back(inputs=True)
        self._pass_on(Pass(self.model, self.simulation))

    def _pass_on(self, passed: Pass) -> None:
        """Results are those of another pass from now on; arrays that somebody holds get them at once."""
        self.passed = passed
        held = [name for name in self._fresh if self._count(name) != self._free[name]]
        self._fresh.clear()
        for name in held:
            self.bring(name)

    def _count(self, name: str) -> tuple[int, int]:
        return sys.getrefcount(self._arrays[name]), sys.getrefcount(self._memory[name])

    # Fields -----------------------------------------------------------------------------------------------------------------------
    def bring(self, name: str) -> None:
        """Before a result is read."""
        if name not in self._fresh:
            self._fresh.add(name)
            if name in FIELDS:
                values = self.passed.get(name)
                self._memory[name][...] = values.reshape(self._memory[name].shape)

    def refuse(self, name: str) -> str | None:
        """Why an array cannot be written."""
        return None if name in ("qacc", self._open) else f"MjData.{name} follows from the state: it is read-only in rattleback.mujoco"

    def wrote(self, name: str) -> None:
        """qacc may be written, for mj_inverse."""

    def write_result(self, name: str, values: Any) -> None:
        """A result that a function computes, until the next pass."""
        self.read(name)
        self._memory[name][...] = values

    def read(self, name: str) -> Any:
        """An array."""
        if name not in self._arrays:
            shape = _ARRAYS[name]
            memory = np.zeros(self.passed.get(name).shape if name in FIELDS else shape.find(self.model), dtype=shape.dtype)
            if name in KEPT:
                self._arrays[name] = memory
                return memory
            self._memory[name] = memory.reshape(shape.find(self.model)) if name not in ("energy",) else memory
            self._arrays[name] = Field.make(self, name, self._memory[name])
            del memory
            self._free[name] = self._count(name)
        if name in self._memory:
            self.bring(name)
        return self._arrays[name]

    def write(self, name: str, value: Any) -> None:
        """data.qpos = values."""
        self.read(name)[...] = value

    @property
    def time(self) -> float:
        """[s]"""
        return self._time

    @time.setter
    def time(self, value: float) -> None:
        self._time = float(value)

    @property
    def contact(self) -> ContactList:
        """Contacts of the last forward pass."""
        return self._contacts

    @property
    def ncon(self) -> int:
        """Their number."""
        return len(self.passed.contact)

    @property
    def _address(self) -> int:
        return id(self)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name if name.startswith("_") else f"rattleback.mujoco.MjData has no '{name}' (docs/python.md lists its fields)")

    def _named(self, kind: str, key: str | int) -> Any:
        if kind in ("joint", "jnt", "sensor"):
            place = ("sensor" if kind == "sensor" else "joint", self.model.find(kind, key))
            if place not in self.elements:
                self.elements[place] = (NamedSensor if kind == "sensor" else NamedJoint)(self, place[1])
            return self.elements[place]
        prefixes = {"body": ("", ), "geom": ("geom_",), "site": ("site_",), "tendon": ("ten_",), "actuator": ("", "actuator_"),
                    "cam": ("cam_",), "camera": ("cam_",), "light": ("light_",)}
        return self.model.named(kind, key, self, prefixes.get(kind, ("",)), _ARRAYS)

    def __copy__(self) -> MjData:
        return _restore(self.model, self.get_state())

    def __deepcopy__(self, memo: dict[int, Any]) -> MjData:
        return _restore(self.model.__copy__(), self.get_state())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.model, self.get_state())

    def take_state(self, state: dict[str, Any]) -> None:
        """State, inputs and the last forward pass of another one."""
        self.time = state["time"]
        for name in (*STATE, *INPUTS, "mocap_pos", "mocap_quat"):
            self.write(name, state[name])
        self.warning, self.timer = copy.deepcopy(state["warning"]), copy.deepcopy(state["timer"])
        self.take_over()
        passed = Pass(self.model, self.simulation)
        passed.take_state(state["pass"])
        self._pass_on(passed)

    def get_state(self) -> dict[str, Any]:
        names = [*STATE, *INPUTS, "mocap_pos", "mocap_quat"]
        return {"time": self._time, "pass": self.passed.keep_state(), "warning": self.warning, "timer": self.timer,
                **{name: self._arrays[name].copy() for name in names}}


def _restore(model: MjModel, state: dict[str, Any]) -> MjData:
    data = MjData(model)
    data.take_state(state)
    return data


class NamedJoint:
    """data.joint("knee").qpos and .qvel."""

    def __init__(self, data: MjData, index: int) -> None:
        q, v = (7, 4, 1, 1)[data.model.jnt_type[index]], (6, 3, 1, 1)[data.model.jnt_type[index]]
        begin, v_begin = int(data.model.jnt_qposadr[index]), int(data.model.jnt_dofadr[index])
        self.__dict__.update(id=index, name=data.model.list_names("joint")[index], _data=data, _index=index, _q=slice(begin, begin + q),
                             _v=slice(v_begin, v_begin + v), _held={})

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_"):
            raise AttributeError(field)
        sizes = _ARRAYS[field].sizes if field in _ARRAYS else [""]
        place = {"njnt": self._index, "nq": self._q, "nv": self._v}.get(sizes[0])
        if place is None:
            raise AttributeError(f"no field '{field}' of joint '{self.name}'")
        array = self._data.read(field)
        if self._held.get(field, (None,))[0] is not array:  # the same object every time
            self._held[field] = array, array[place]
        return self._held[field][1]

    def __repr__(self) -> str:
        return show_element(self, "MjDataJoint", [name for name, shape in _ARRAYS.items() if shape.sizes[:1] in (["njnt"], ["nq"], ["nv"])])

    def __setattr__(self, field: str, value: Any) -> None:
        getattr(self, field)[...] = value


class NamedSensor:
    """data.sensor("imu").data."""

    def __init__(self, data: MjData, index: int) -> None:
        begin = int(data.model.sensor_adr[index])
        self.id = index
        self.name = data.model.list_names("sensor")[index]
        self.data = data.read("sensordata")[begin : begin + int(data.model.sensor_dim[index])]


def _make_property(name: str) -> property:
    return property(lambda self: self.read(name), lambda self, value: self.write(name, value))


def _make_named(kind: str) -> Any:
    def named(self: MjData, key: str | int = "") -> Any:
        return self._named(kind, key)

    named.__name__ = kind
    return named


# Every field of MuJoCo's structure is there, also where a program lists them.
for _name in _ARRAYS:
    setattr(MjData, _name, _make_property(_name))
for _name in DATA_NUMBERS:
    if _name != "ncon":
        setattr(MjData, _name, 0)
for _name in ("actuator", "body", "cam", "camera", "eq", "equality", "geom", "jnt", "joint", "light", "sensor", "site", "ten", "tendon"):
    setattr(MjData, _name, _make_named("tendon" if _name == "ten" else _name))
