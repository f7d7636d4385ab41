"""Plain classes of the package: ids, shapes, what errors say. The compiled part makes and reads them by name."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Union

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Vector = npt.ArrayLike


class Id(int):
    """Index of one element of a Model, which cannot be mistaken for another kind's. An integer otherwise."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({int(self)})"


class BodyId(Id):
    """A body; 0 is the world."""

    __slots__ = ()


class JointId(Id):
    """A joint."""

    __slots__ = ()


class ShapeId(Id):
    """A shape."""

    __slots__ = ()


class SiteId(Id):
    """A site: a frame on a body."""

    __slots__ = ()


class MeshId(Id):
    """A mesh."""

    __slots__ = ()


class HeightFieldId(Id):
    """A height field."""

    __slots__ = ()


class MaterialId(Id):
    """A material, which contacts feel."""

    __slots__ = ()


class TendonId(Id):
    """A tendon."""

    __slots__ = ()


class ActuatorId(Id):
    """An actuator."""

    __slots__ = ()


class SensorId(Id):
    """A sensor."""

    __slots__ = ()


class EqualityId(Id):
    """An equality constraint."""

    __slots__ = ()


class KeyframeId(Id):
    """A keyframe."""

    __slots__ = ()


class CameraId(Id):
    """A camera."""

    __slots__ = ()


class LightId(Id):
    """A light."""

    __slots__ = ()


class TextureId(Id):
    """A texture."""

    __slots__ = ()


class VisualMaterialId(Id):
    """A visual material, which covers shapes to the eye."""

    __slots__ = ()


WORLD = BodyId(0)


class ErrorItem(NamedTuple):
    """One mistake in the user's data, said so that it can be mended."""

    code: str  # invalid_value, duplicate_name, unknown_name, unsupported, syntax, io or limit
    where: str  # element ("body 'arm'") or place ("arm.xml:42:7"); may be empty
    message: str
    hint: str  # what would be right; may be empty

    def text(self) -> str:
        """'where: message (hint)'."""
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head} ({self.hint})" if self.hint else head


class Error(ValueError):
    """All mistakes that prevented something, one per line; `errors` has them one by one."""

    def __init__(self, errors: list[ErrorItem]) -> None:
        super().__init__(errors)
        self.errors = errors

    def __str__(self) -> str:
        return "\n".join(item.text() for item in self.errors)


class UsageError(ValueError):
    """A call that makes no sense: a foreign id, a wrong size."""


class StaleError(RuntimeError):
    """Contacts of an earlier step were read."""


class ImportWarning(UserWarning):  # noqa: A001
    """Something in a model file has no effect."""


class Energy(NamedTuple):
    """Mechanical energy of a world [J]."""

    kinetic: float
    potential: float  # gravity (zero at z = 0) and springs

    @property
    def total(self) -> float:
        """Kinetic and potential [J]."""
        return self.kinetic + self.potential


class Momentum(NamedTuple):
    """Momentum of a world: linear [kg m/s], angular about the world's origin [kg m^2/s]."""

    linear: Array
    angular: Array


class DynamicsDerivatives(NamedTuple):
    """Derivatives of joint forces or accelerations, (v_count, v_count) each."""

    by_q: Array
    by_v: Array
    by_input: Array


class StepDerivatives(NamedTuple):
    """One step as a map of x = (q, v, act), linear around the present state; directions of q are those of v."""

    by_state: Array  # (x, x)
    by_control: Array  # (x, actuator_count)
    by_stiffness: Array  # (x, 1) by the stiffness of `comfree`; (x, 0) of other solvers
    by_damping: Array
    analytic: bool  # exact at the present active set; otherwise differences of whole steps
    report: Any  # StepReport of the step itself
    reason: str = ""  # why they are differences, and which columns are not central; empty: analytic
    one_sided: int = 0  # columns that are differences of one side, as the step is not smooth on the other
    jumping: int = 0  # columns across a jump on both sides: no derivatives


class ShapeHit(NamedTuple):
    """Where a ray first meets a shape."""

    shape: ShapeId
    distance: float  # from the ray's origin [m]
    point: Array  # world [m]
    normal: Array  # outward, unit, world


class ShapeGap(NamedTuple):
    """The shortest way between two surfaces."""

    distance: float  # [m]; negative: the shortest translation that parts the two
    on_first: Array  # world [m]
    on_second: Array
    normal: Array  # unit, from first to second


class Keyframe(NamedTuple):
    """A state to start from; arrays are empty where it has the initial values."""

    name: str
    time: float
    q: Array
    v: Array
    act: Array
    ctrl: Array
    targets: Array


class ParameterInfo(NamedTuple):
    """A parameter that a solver takes."""

    name: str
    unit: str
    default: bool | int | float | str
    range: tuple[float, float] | None
    choices: tuple[str, ...]
    summary: str


class SolverInfo(NamedTuple):
    """A solver as data."""

    name: str
    summary: str
    coordinates: str  # joints, bodies or particles
    supports: tuple[str, ...]
    parameters: tuple[ParameterInfo, ...]
    world_parameters: tuple[str, ...]  # what worlds of a Batch may have of their own
    solves_forward: bool


@dataclass(frozen=True)
class Rigid:
    """No compliance: the solver makes the contact as hard as its method can."""


@dataclass(frozen=True)
class Spring:
    """A spring and damper in SI units."""

    stiffness: float = 1e5  # [N/m] (limits of hinges and balls: [N m/rad])
    damping: float = 1e3  # [N s/m]


@dataclass(frozen=True)
class Impedance:
    """MuJoCo's solref and solimp, kept as authored."""

    solref: Vector = (0.02, 1.0)
    solimp: Vector = (0.9, 0.95, 0.001, 0.5, 2.0)


_RIGID = float("inf")


@dataclass(frozen=True)
class Cable:
    """Springs of a cable joint; an infinite stiffness is rigid, zero is free."""

    stretch: Spring = Spring(_RIGID, 0.0)  # [N/m], [N s/m]
    shear: Spring = Spring(_RIGID, 0.0)
    bend: Spring = Spring(0.0, 0.0)  # [N m/rad], [N m s/rad]
    twist: Spring = Spring(0.0, 0.0)


@dataclass(frozen=True)
class Inertia:
    """Mass properties of a body, given explicitly."""

    mass: float  # [kg]
    position: Vector = (0.0, 0.0, 0.0)  # centre of mass in the body frame [m]
    rotation: Vector = (1.0, 0.0, 0.0, 0.0)  # of the axes in which the moments are written
    diagonal: Vector = (0.0, 0.0, 0.0)  # Ixx, Iyy, Izz [kg m^2]
    products: Vector = (0.0, 0.0, 0.0)  # Ixy, Ixz, Iyz [kg m^2]


@dataclass(frozen=True)
class Medium:
    """The fluid around the bodies."""

    density: float = 0.0  # [kg/m^3]
    viscosity: float = 0.0  # [Pa s]
    wind: Vector = (0.0, 0.0, 0.0)  # [m/s]


@dataclass(frozen=True)
class Plane:
    """Half-space below z = 0 of its frame, normal +z. Infinite, without mass."""


@dataclass(frozen=True)
class Sphere:
    """A ball."""

    radius: float = 0.5  # [m]


@dataclass(frozen=True)
class Capsule:
    """Segment along z, swept by a sphere."""

    radius: float = 0.1  # [m]
    half_length: float = 0.5  # of the segment, without the caps [m]


@dataclass(frozen=True)
class Box:
    """A box."""

    half_extents: Vector = (0.5, 0.5, 0.5)  # [m]


@dataclass(frozen=True)
class Cylinder:
    """Axis along z."""

    radius: float = 0.1  # [m]
    half_length: float = 0.5  # [m]


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid."""

    radii: Vector = (0.5, 0.5, 0.5)  # [m]


@dataclass(frozen=True)
class Hull:
    """Convex hull of a mesh's vertices."""

    mesh: MeshId


@dataclass(frozen=True)
class Mesh:
    """Solid bounded by a mesh's triangles."""

    mesh: MeshId
    collide: str = "hull"  # or exact: its triangles collide
    mass: str = "exact"  # or legacy, convex, shell


@dataclass(frozen=True)
class HeightField:
    """Terrain. Without mass."""

    field: HeightFieldId


@dataclass(frozen=True)
class Points:
    """The vertices of a mesh, each a point."""

    mesh: MeshId


@dataclass(frozen=True)
class Segments:
    """The edges of a mesh."""

    mesh: MeshId


@dataclass(frozen=True)
class Surface:
    """The triangles of a mesh, open or closed, with two sides."""

    mesh: MeshId


@dataclass(frozen=True)
class Wrap:
    """A stop of a spatial tendon: a sphere or cylinder to go around, on the side of a site."""

    shape: ShapeId
    side_site: SiteId | None = None


@dataclass(frozen=True)
class Pulley:
    """A stop of a spatial tendon: divides the lengths of the branch that follows."""

    divisor: float = 1.0


@dataclass(frozen=True)
class InertialFrame:
    """Centre of mass and principal axes of a body, for a sensor."""

    body: BodyId


@dataclass(frozen=True)
class Subtree:
    """A body and all that it carries, for a sensor."""

    body: BodyId


@dataclass(frozen=True)
class CameraFrame:
    """A frame on a body that looks along its -z axis, y up, for a sensor."""

    body: BodyId
    pose: Vector = field(default=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))


Shape = Union[Plane, Sphere, Capsule, Box, Cylinder, Ellipsoid, Hull, Mesh, HeightField, Points, Segments, Surface]
ActuatorTarget = Union[JointId, TendonId, SiteId, BodyId]
SensorTarget = Union[None, JointId, BodyId, SiteId, TendonId, ActuatorId, ShapeId, InertialFrame, Subtree, CameraFrame]
