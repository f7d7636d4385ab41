"""Names as keys: sim.body["torso"].position. Every attribute is a view; of a Batch with a leading world dimension."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._base import ActuatorId, Array, BodyId, EqualityId, Id, JointId, SensorId, ShapeId, SiteId

if TYPE_CHECKING:
    from ._core import Control, Model, State

T = TypeVar("T", bound="Element")


class Source:
    """What elements read of a Simulation or Batch: its arrays, not itself, so that nothing refers to it in a circle."""

    __slots__ = ("state", "control", "model", "sensors")

    def __init__(self, state: State, control: Control, model: Model, sensors: Array) -> None:
        self.state = state
        self.control = control
        self.model = model
        self.sensors = sensors


class Element:
    """One element of a simulation. Stands for its id wherever an id is expected."""

    kind = "element"
    id_type: type[Id] = Id

    def __init__(self, source: Source, index: int, name: str) -> None:
        self._source = source
        self._index = index
        self.name = name

    @property
    def id(self) -> Id:
        """Index into the model's arrays."""
        return self.id_type(self._index)

    def __index__(self) -> int:
        return self._index

    def __repr__(self) -> str:
        return f"<{self.kind} {self._index} {self.name!r}>"


class Body(Element):
    """A body of a simulation."""

    kind = "body"
    id_type = BodyId

    @property
    def pose(self) -> Array:
        """Position [m] and quaternion of the body frame in the world, 7 numbers."""
        return self._source.state.body_pose[..., self._index, :]

    @property
    def position(self) -> Array:
        """Origin of the body frame in the world [m]."""
        return self._source.state.body_position[..., self._index, :]

    @property
    def rotation(self) -> Array:
        """Quaternion (w, x, y, z)."""
        return self._source.state.body_rotation[..., self._index, :]

    @property
    def linear_velocity(self) -> Array:
        """Of the centre of mass, world axes [m/s]."""
        return self._source.state.body_linear_velocity[..., self._index, :]

    @property
    def angular_velocity(self) -> Array:
        """World axes [rad/s]."""
        return self._source.state.body_angular_velocity[..., self._index, :]

    @property
    def force(self) -> Array:
        """Force applied from outside at the centre of mass, world axes [N]; to be written."""
        return self._source.control.body_force[..., self._index, :]

    @property
    def torque(self) -> Array:
        """Torque applied from outside, world axes [N m]; to be written."""
        return self._source.control.body_torque[..., self._index, :]

    @property
    def mass(self) -> float:
        """[kg], of the model."""
        return float(self._source.model.bodies.mass[self._index])


class Joint(Element):
    """A joint of a simulation."""

    kind = "joint"
    id_type = JointId
    _Q = {"free": 7, "ball": 4, "slide": 1, "hinge": 1, "fixed": 0}
    _V = {"free": 6, "ball": 3, "slide": 1, "hinge": 1, "fixed": 0}

    def __init__(self, source: Source, index: int, name: str) -> None:
        super().__init__(source, index, name)
        joints = source.model.joints
        self.type: str = joints.type[index]
        begin, v_begin = int(joints.q_begin[index]), int(joints.v_begin[index])
        self._q = slice(begin, begin + self._Q[self.type])
        self._v = slice(v_begin, v_begin + self._V[self.type])

    @property
    def q(self) -> Array:
        """Coordinates [m, rad, quaternion]: free 7, ball 4, slide and hinge 1."""
        return self._source.state.q[..., self._q]

    @property
    def v(self) -> Array:
        """Velocities [m/s, rad/s]: free 6, ball 3, slide and hinge 1."""
        return self._source.state.v[..., self._v]

    @property
    def force(self) -> Array:
        """Generalised force applied from outside [N, N m]; to be written."""
        return self._source.control.joint_force[..., self._v]

    @property
    def range(self) -> tuple[float, float] | None:
        """Limits [m, rad]; None: none."""
        limits: tuple[float, float] | None = self._source.model.joints.range[self._index]
        return limits


class Actuator(Element):
    """An actuator of a simulation."""

    kind = "actuator"
    id_type = ActuatorId

    @property
    def input(self) -> Any:
        """The input; can be assigned. Of a Batch (world_count,)."""
        return self._source.control.input[..., self._index]

    @input.setter
    def input(self, value: Any) -> None:
        self._source.control.input[..., self._index] = value

    @property
    def active(self) -> Any:
        """0: it gives no force; can be assigned."""
        return self._source.control.actuator_active[..., self._index]

    @active.setter
    def active(self, value: Any) -> None:
        self._source.control.actuator_active[..., self._index] = value


class Sensor(Element):
    """A sensor of a simulation."""

    kind = "sensor"
    id_type = SensorId

    def __init__(self, source: Source, index: int, name: str) -> None:
        super().__init__(source, index, name)
        sensors = source.model.sensors
        begin = int(sensors.begin[index])
        self.type: str = sensors.type[index]
        self._values = slice(begin, begin + int(sensors.size[index]))

    @property
    def value(self) -> Array:
        """Its numbers after the last step; read-only."""
        return self._source.sensors[..., self._values]


class Shape(Element):
    """A shape of a simulation."""

    kind = "shape"
    id_type = ShapeId

    def __init__(self, source: Source, index: int, name: str) -> None:
        super().__init__(source, index, name)
        shapes = source.model.shapes
        self.type: str = shapes.type[index]
        self.body = BodyId(shapes.body[index])

    @property
    def surface_velocity(self) -> Array:
        """Of its surface against its body, in its frame: linear [m/s], angular [rad/s]; to be written."""
        return self._source.control.surface_velocity[..., self._index, :]


class Site(Element):
    """A site of a simulation: a frame on a body."""

    kind = "site"
    id_type = SiteId

    @property
    def position(self) -> Array:
        """In the world [m]; computed."""
        from ._math import to_matrix

        sites = self._source.model.sites
        body = int(sites.body[self._index])
        turn = to_matrix(self._source.state.body_rotation[..., body, :])
        return self._source.state.body_position[..., body, :] + turn @ sites.pose[self._index, :3]


class Equality(Element):
    """An equality constraint of a simulation."""

    kind = "equality"
    id_type = EqualityId

    @property
    def active(self) -> Any:
        """0: it holds nothing; can be assigned."""
        return self._source.control.equality_active[..., self._index]

    @active.setter
    def active(self, value: Any) -> None:
        self._source.control.equality_active[..., self._index] = value


class Elements(Generic[T]):
    """The elements of one kind, by name or number; iterates over names."""

    def __init__(self, source: Source, kind: type[T], names: list[str]) -> None:
        self._source = source
        self._kind = kind
        self._names = names
        self._index = {name: i for i, name in enumerate(names)}
        self._made: dict[int, T] = {}

    def __getitem__(self, key: str | int) -> T:
        if isinstance(key, str):
            if key not in self._index:
                raise KeyError(self._say_missing(key))
            index = self._index[key]
        else:
            index = key.__index__()
            if not -len(self._names) <= index < len(self._names):
                raise IndexError(f"{self._kind.kind} {index} of {len(self._names)}")
            index %= len(self._names)
        if index not in self._made:
            self._made[index] = self._kind(self._source, index, self._names[index])
        return self._made[index]

    def _say_missing(self, key: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(key, self._names, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else f" (there are {len(self._names)})"
        return f"no {self._kind.kind} {key!r}{hint}"

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, key: object) -> bool:
        return key in self._index

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._names[:8])) + (", ..." if len(self._names) > 8 else "")
        return f"<{len(self._names)} of kind {self._kind.kind}: {shown}>"


class ElementsOf(Generic[T]):
    """A property that gives the Elements of one kind; they are made once and kept."""

    def __init__(self, kind: type[T], table: str, text: str) -> None:
        self._kind = kind
        self._table = table
        self.__doc__ = text

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Any, owner_type: type | None = None) -> Elements[T]:
        if owner is None:
            return self  # type: ignore[return-value]
        source = Source(owner.state, owner.control, owner.model, owner.sensors)
        made = Elements(source, self._kind, getattr(source.model, self._table).name)
        owner.__dict__[self._name] = made  # found there from now on, before this
        return made
