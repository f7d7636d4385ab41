"""Rattleback's engine: one model, many solvers."""

from collections.abc import Callable, Mapping, Sequence
import os
from typing import Any, Literal, SupportsIndex

import numpy
import numpy.typing

import rattleback._base


class StepReport:
    """One step of one world."""

    def __init__(self) -> None: ...

    @property
    def status(self) -> Literal['ok', 'not_converged', 'diverged', 'capacity']:
        """
        'ok'; 'not_converged': committed, but the residual is above the tolerance; 'diverged' and 'capacity': not committed, state and memory are as before.
        """

    @property
    def ok(self) -> bool:
        """Whether the status is 'ok'."""

    @property
    def committed(self) -> bool:
        """Whether the step was taken."""

    @property
    def iterations(self) -> int: ...

    @property
    def residual(self) -> float:
        """in the solver's own measure, see its README"""

    @property
    def contact_count(self) -> int: ...

    @property
    def deepest_penetration(self) -> float:
        """[m], 0 when nothing overlaps"""

    @property
    def substeps(self) -> int:
        """
        Parts in which the step was taken, by implicit rules: more than one where a whole step would have made energy or diverged.
        """

    @property
    def unconverged_steps(self) -> int:
        """of a run: those that were committed without convergence"""

    @property
    def frozen_steps(self) -> int:
        """those of them that left every joint velocity at exactly zero"""

    @property
    def removed_energy(self) -> float:
        """
        Taken from the velocities of bodies against each other, their momenta left as they were, because parts, too, made energy [J]: little of it as a rule (status ok), more where no number of parts kept it (not_converged).
        """

    @property
    def culprit_dof(self) -> int:
        """
        diverged, of solvers in joint coordinates: the first dof that went astray
        """

    @property
    def culprit_body(self) -> rattleback._base.BodyId | None:
        """diverged: the first body that did, or that the dof moves"""

    @property
    def culprit_array(self) -> str:
        """
        diverged, by a number that is not finite in what the step would have begun with: the array, "control.input", and the item in its world; empty: none.
        """

    @property
    def culprit_index(self) -> int:
        """of the item in culprit_array; -1: none"""

    @property
    def needed_capacity(self) -> int: ...

    @property
    def mean_acceleration(self) -> bool:
        """
        Of forward(): the accelerations are means over the last step and the forces its own, because the solver solves for neither at one moment.
        """

    @property
    def seconds(self) -> dict[str, float]:
        """Seconds per stage; zero unless timings were asked for."""

    def __repr__(self) -> str: ...

class Model:
    """Everything that is constant in a simulation."""

    @property
    def body_count(self) -> int: ...

    @property
    def joint_count(self) -> int: ...

    @property
    def shape_count(self) -> int: ...

    @property
    def site_count(self) -> int: ...

    @property
    def tendon_count(self) -> int: ...

    @property
    def actuator_count(self) -> int: ...

    @property
    def sensor_count(self) -> int: ...

    @property
    def equality_count(self) -> int: ...

    @property
    def q_count(self) -> int: ...

    @property
    def v_count(self) -> int: ...

    @property
    def act_count(self) -> int: ...

    @property
    def kinematic_count(self) -> int: ...

    @property
    def sensor_value_count(self) -> int: ...

    def find_body(self, name: str) -> rattleback._base.BodyId | None:
        """By name; None where there is no such element."""

    def find_joint(self, name: str) -> rattleback._base.JointId | None:
        """By name; None where there is no such element."""

    def find_shape(self, name: str) -> rattleback._base.ShapeId | None:
        """By name; None where there is no such element."""

    def find_site(self, name: str) -> rattleback._base.SiteId | None:
        """By name; None where there is no such element."""

    def find_tendon(self, name: str) -> rattleback._base.TendonId | None:
        """By name; None where there is no such element."""

    def find_actuator(self, name: str) -> rattleback._base.ActuatorId | None:
        """By name; None where there is no such element."""

    def find_sensor(self, name: str) -> rattleback._base.SensorId | None:
        """By name; None where there is no such element."""

    def find_keyframe(self, name: str) -> rattleback._base.KeyframeId | None:
        """By name; None where there is no such element."""

    def find_camera(self, name: str) -> rattleback._base.CameraId | None:
        """By name; None where there is no such element."""

    @property
    def name(self) -> str: ...

    @property
    def dt(self) -> float:
        """timestep [s]"""

    @property
    def gravity(self) -> tuple[float, float, float]:
        """[m/s^2]"""

    @property
    def integrator(self) -> str: ...

    @property
    def solver(self) -> str:
        """
        name of the solver that "auto" takes; empty: whichever fits, see choose_solver
        """

    @property
    def solver_parameters(self) -> dict[str, dict[str, bool | int | float | str]]:
        """by solver name"""

    @property
    def q0(self) -> numpy.typing.NDArray[numpy.float64]:
        """reference: coordinates at the authored pose (MuJoCo's qpos0)"""

    @property
    def initial_q(self) -> numpy.typing.NDArray[numpy.float64]:
        """where a simulation starts"""

    @property
    def initial_v(self) -> numpy.typing.NDArray[numpy.float64]:
        """where a simulation starts"""

    @property
    def spring_q(self) -> numpy.typing.NDArray[numpy.float64]:
        """coordinates at which joint springs rest"""

    @property
    def keyframes(self) -> list[rattleback._base.Keyframe]:
        """A state to start from."""

    @property
    def meshes(self) -> list[tuple[str, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int32]]]:
        """Name, vertices (n, 3) [m] and triangles (m, 3) of each mesh."""

    @property
    def cameras(self) -> list[str]:
        """Names of the cameras."""

    @property
    def bodies(self) -> Bodies:
        """
        Bodies, [body_count]. Body 0 is the world; a parent comes before its children.
        """

    @property
    def joints(self) -> Joints:
        """
        Joints, [joint_count], in the order added; automatic free joints last. q and v are laid out body by body.
        """

    @property
    def dofs(self) -> Dofs:
        """Degrees of freedom, [v_count]."""

    @property
    def shapes(self) -> Shapes:
        """Shapes, [shape_count]."""

    @property
    def sites(self) -> Sites:
        """A frame on a body, [site_count]."""

    @property
    def equalities(self) -> Equalities:
        """Equality constraints, [equality_count]."""

    @property
    def tendons(self) -> Tendons:
        """Tendons, [tendon_count]."""

    @property
    def actuators(self) -> Actuators:
        """
        Actuators, [actuator_count]: force = gain * (input or activation) + bias. Of affine laws gain = g0 + g1 length + g2 velocity, bias = b0 + b1 length + b2 velocity; the others are told with the parameters. Each has one input: an actuator that needs several is followed by actuators of the law `input`.
        """

    @property
    def sensors(self) -> Sensors:
        """
        Sensors, [sensor_count]: each of a kind, on an object, perhaps against a reference, see SensorOptions.
        """

    @property
    def fingerprint(self) -> int:
        """
        Bits that differ when any number, name or size of two models differs; equal for equal models on every machine.
        """

    def __getstate__(self) -> tuple[int, str, int]: ...

    def __setstate__(self, state: tuple[int, str, int], /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

class Bodies:
    """
    Bodies, [body_count]. Body 0 is the world; a parent comes before its children.
    """

    @property
    def name(self) -> list[str]: ...

    @property
    def parent(self) -> numpy.typing.NDArray[numpy.integer]:
        """-1 for the world"""

    @property
    def kind(self) -> list[str]: ...

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.floating]:
        """body frame in the parent frame, joints at their reference"""

    @property
    def mass(self) -> numpy.typing.NDArray[numpy.floating]:
        """[kg]"""

    @property
    def inertia(self) -> numpy.typing.NDArray[numpy.floating]:
        """principal moments [kg m^2]"""

    @property
    def inertial_pose(self) -> numpy.typing.NDArray[numpy.floating]:
        """centre of mass and principal axes in the body frame"""

    @property
    def gravity_compensation(self) -> numpy.typing.NDArray[numpy.floating]:
        """fraction of the weight that is held up"""

    @property
    def sleep(self) -> list[str]:
        """of the tree that the body is the root of"""

    @property
    def joint_begin(self) -> numpy.typing.NDArray[numpy.integer]:
        """[body_count + 1] into joints_of_body"""

    @property
    def joints_of_body(self) -> numpy.typing.NDArray[numpy.integer]:
        """[joint_count], each body's joints in the order they act"""

    @property
    def v_begin(self) -> numpy.typing.NDArray[numpy.integer]:
        """degrees of freedom of the body's own joints, contiguous"""

    @property
    def v_count(self) -> numpy.typing.NDArray[numpy.integer]:
        """degrees of freedom of the body's own joints, contiguous"""

    @property
    def last_dof(self) -> numpy.typing.NDArray[numpy.integer]:
        """last dof that moves this body: its own or an ancestor's; -1: none"""

    @property
    def root(self) -> numpy.typing.NDArray[numpy.integer]:
        """topmost ancestor (or itself) with dofs; 0: nothing moves it by joints"""

    @property
    def weld(self) -> numpy.typing.NDArray[numpy.integer]:
        """the ancestor (or itself) with joints that it is rigidly attached to"""

    @property
    def shape_begin(self) -> numpy.typing.NDArray[numpy.integer]:
        """[body_count + 1] into shapes_of_body"""

    @property
    def shapes_of_body(self) -> numpy.typing.NDArray[numpy.integer]:
        """[shape_count]"""

    @property
    def kinematic_index(self) -> numpy.typing.NDArray[numpy.integer]:
        """row in Control.targets; -1: not kinematic"""

    @property
    def subtree_mass(self) -> numpy.typing.NDArray[numpy.floating]:
        """[kg]"""

    @property
    def inverse_weight(self) -> numpy.typing.NDArray[numpy.floating]:
        """MuJoCo's body_invweight0 [1/kg, 1/(kg m^2)]"""

class Joints:
    """
    Joints, [joint_count], in the order added; automatic free joints last. q and v are laid out body by body.
    """

    @property
    def name(self) -> list[str]: ...

    @property
    def type(self) -> list[str]: ...

    @property
    def body(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def q_begin(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def v_begin(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def position(self) -> numpy.typing.NDArray[numpy.floating]:
        """anchor in the body frame [m]"""

    @property
    def axis(self) -> numpy.typing.NDArray[numpy.floating]:
        """unit, in the body frame"""

    @property
    def range(self) -> list[Any]:
        """[rad] or [m]; ball: upper is the largest angle"""

    @property
    def margin(self) -> numpy.typing.NDArray[numpy.floating]:
        """distance at which the limit becomes active"""

    @property
    def limit_softness(self) -> list[Any]: ...

    @property
    def stiffness(self) -> numpy.typing.NDArray[numpy.floating]:
        """[N/m] or [N m/rad]"""

    @property
    def spring_yield(self) -> numpy.typing.NDArray[numpy.floating]:
        """[m] or [rad]; 0: elastic"""

    @property
    def actuator_force_range(self) -> list[Any]:
        """bound on the sum of actuator forces [N] or [N m]"""

    @property
    def break_force(self) -> numpy.typing.NDArray[numpy.floating]:
        """infinite: unbreakable"""

    @property
    def break_torque(self) -> numpy.typing.NDArray[numpy.floating]:
        """infinite: unbreakable"""

class Dofs:
    """Degrees of freedom, [v_count]."""

    @property
    def body(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def joint(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def parent(self) -> numpy.typing.NDArray[numpy.integer]:
        """previous dof on the path to the root; -1: none"""

    @property
    def armature(self) -> numpy.typing.NDArray[numpy.floating]:
        """added to the diagonal of M [kg] or [kg m^2]"""

    @property
    def damping(self) -> numpy.typing.NDArray[numpy.floating]:
        """[N s/m] or [N m s/rad]"""

    @property
    def dry_friction(self) -> numpy.typing.NDArray[numpy.floating]:
        """largest friction force [N] or [N m]"""

    @property
    def inertia(self) -> numpy.typing.NDArray[numpy.floating]:
        """diagonal of M at q0"""

    @property
    def inverse_weight(self) -> numpy.typing.NDArray[numpy.floating]:
        """MuJoCo's dof_invweight0"""

class Shapes:
    """Shapes, [shape_count]."""

    @property
    def name(self) -> list[str]: ...

    @property
    def type(self) -> list[str]: ...

    @property
    def body(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.floating]:
        """in the body frame"""

    @property
    def size(self) -> numpy.typing.NDArray[numpy.floating]:
        """sphere r; capsule, cylinder r, half length; box, ellipsoid half sizes"""

    @property
    def asset(self) -> numpy.typing.NDArray[numpy.integer]:
        """mesh or height field; -1: none"""

    @property
    def material(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def category(self) -> numpy.typing.NDArray[numpy.integer]:
        """collide if (category1 & mask2) or (category2 & mask1)"""

    @property
    def mask(self) -> numpy.typing.NDArray[numpy.integer]:
        """collide if (category1 & mask2) or (category2 & mask1)"""

    @property
    def margin(self) -> numpy.typing.NDArray[numpy.floating]:
        """contacts exist below margin + gap, act below margin [m]"""

    @property
    def gap(self) -> numpy.typing.NDArray[numpy.floating]:
        """contacts exist below margin + gap, act below margin [m]"""

    @property
    def mass(self) -> numpy.typing.NDArray[numpy.floating]:
        """as authored; negative: from density"""

    @property
    def density(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def bounding_radius(self) -> numpy.typing.NDArray[numpy.floating]:
        """about the shape's origin [m]; infinite for planes"""

    @property
    def colour(self) -> numpy.typing.NDArray[numpy.floating]:
        """red, green, blue, opacity"""

    @property
    def group(self) -> numpy.typing.NDArray[numpy.integer]:
        """for display"""

class Sites:
    """A frame on a body, [site_count]."""

    @property
    def name(self) -> list[str]: ...

    @property
    def body(self) -> numpy.typing.NDArray[numpy.integer]: ...

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.floating]:
        """in the body frame"""

    @property
    def type(self) -> list[str]:
        """of the volume that touch, contact and inside_site sensors watch"""

    @property
    def size(self) -> numpy.typing.NDArray[numpy.floating]:
        """as of shapes"""

class Equalities:
    """Equality constraints, [equality_count]."""

    @property
    def name(self) -> list[str]: ...

    @property
    def type(self) -> list[str]: ...

    @property
    def first(self) -> numpy.typing.NDArray[numpy.integer]:
        """bodies, joints or tendons; second -1: a constant (not for bodies)"""

    @property
    def second(self) -> numpy.typing.NDArray[numpy.integer]:
        """bodies, joints or tendons; second -1: a constant (not for bodies)"""

    @property
    def first_frame(self) -> numpy.typing.NDArray[numpy.floating]:
        """connect, weld, cable: the frames that meet, in the bodies' frames"""

    @property
    def second_frame(self) -> numpy.typing.NDArray[numpy.floating]:
        """connect, weld, cable: the frames that meet, in the bodies' frames"""

    @property
    def polynomial(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def active(self) -> numpy.typing.NDArray[numpy.integer]:
        """at first, see Control.equality_active"""

    @property
    def softness(self) -> list[Any]: ...

class Tendons:
    """Tendons, [tendon_count]."""

    @property
    def name(self) -> list[str]: ...

    @property
    def type(self) -> list[str]: ...

    @property
    def range(self) -> list[Any]:
        """limits of the length"""

    @property
    def stiffness(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def damping(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def dry_friction(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def length(self) -> numpy.typing.NDArray[numpy.floating]:
        """at q0"""

class Actuators:
    """
    Actuators, [actuator_count]: force = gain * (input or activation) + bias. Of affine laws gain = g0 + g1 length + g2 velocity, bias = b0 + b1 length + b2 velocity; the others are told with the parameters. Each has one input: an actuator that needs several is followed by actuators of the law `input`.
    """

    @property
    def name(self) -> list[str]: ...

    @property
    def transmission(self) -> list[str]: ...

    @property
    def target(self) -> numpy.typing.NDArray[numpy.integer]:
        """joint, tendon, site or body"""

    @property
    def gear(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def gain_law(self) -> list[str]: ...

    @property
    def bias_law(self) -> list[str]: ...

    @property
    def gain(self) -> numpy.typing.NDArray[numpy.floating]:
        """
        Muscles: gain[0] and bias[0] are the peak force [N]. PID: gain[0] is that of the integral.
        """

    @property
    def bias(self) -> numpy.typing.NDArray[numpy.floating]:
        """
        Muscles: gain[0] and bias[0] are the peak force [N]. PID: gain[0] is that of the integral.
        """

    @property
    def dynamics(self) -> list[str]: ...

    @property
    def time_constant(self) -> numpy.typing.NDArray[numpy.floating]:
        """of the filters [s]"""

    @property
    def act_begin(self) -> numpy.typing.NDArray[numpy.integer]:
        """index into State.act; -1: none"""

    @property
    def act_size(self) -> numpy.typing.NDArray[numpy.integer]:
        """activations in a row"""

    @property
    def input_range(self) -> list[Any]: ...

    @property
    def force_range(self) -> list[Any]: ...

    @property
    def act_range(self) -> list[Any]: ...

    @property
    def active(self) -> numpy.typing.NDArray[numpy.integer]:
        """at first, see Control.actuator_active"""

    @property
    def delay(self) -> numpy.typing.NDArray[numpy.floating]:
        """the force follows the input of that long ago [s]; 0: of now"""

class Sensors:
    """
    Sensors, [sensor_count]: each of a kind, on an object, perhaps against a reference, see SensorOptions.
    """

    @property
    def name(self) -> list[str]: ...

    @property
    def type(self) -> list[str]: ...

    @property
    def object(self) -> list[str]:
        """kind of what it watches, and of what it measures from"""

    @property
    def target(self) -> numpy.typing.NDArray[numpy.integer]:
        """which one; of camera frames the body; -1: none"""

    @property
    def reference(self) -> list[str]:
        """kind of what it watches, and of what it measures from"""

    @property
    def reference_target(self) -> numpy.typing.NDArray[numpy.integer]:
        """which one; of camera frames the body; -1: none"""

    @property
    def body(self) -> numpy.typing.NDArray[numpy.integer]:
        """that carries the frame; -1: there is no frame"""

    @property
    def pose(self) -> numpy.typing.NDArray[numpy.floating]:
        """the frame in that body"""

    @property
    def begin(self) -> numpy.typing.NDArray[numpy.integer]:
        """first number in the sensor values"""

    @property
    def size(self) -> numpy.typing.NDArray[numpy.integer]:
        """how many"""

    @property
    def cutoff(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def noise(self) -> numpy.typing.NDArray[numpy.floating]: ...

    @property
    def delay(self) -> numpy.typing.NDArray[numpy.floating]: ...

class Settings:
    """
    What the author of a model asks of a run; SimulationOptions override it.
    """

    @property
    def dt(self) -> float:
        """timestep [s]"""

    @dt.setter
    def dt(self, value: float, /) -> None: ...

    @property
    def gravity(self) -> tuple[float, float, float]:
        """[m/s^2]"""

    @gravity.setter
    def gravity(self, value: tuple[float, float, float], /) -> None: ...

    @property
    def integrator(self) -> Literal['euler', 'implicitfast', 'rk4', 'lie_rk4', 'midpoint', 'implicit', 'discrete']: ...

    @integrator.setter
    def integrator(self, value: Literal['euler', 'implicitfast', 'rk4', 'lie_rk4', 'midpoint', 'implicit', 'discrete'], /) -> None: ...

    @property
    def solver(self) -> str:
        """
        name of the solver that "auto" takes; empty: whichever fits, see choose_solver
        """

    @solver.setter
    def solver(self, value: str, /) -> None: ...

    @property
    def magnetic_field(self) -> tuple[float, float, float]:
        """that magnetometers read [any unit]"""

    @magnetic_field.setter
    def magnetic_field(self, value: tuple[float, float, float], /) -> None: ...

    @property
    def filter_parents(self) -> bool:
        """
        a body never touches the one that its joints attach it to, save the world
        """

    @filter_parents.setter
    def filter_parents(self, value: bool, /) -> None: ...

    @property
    def second_friction(self) -> tuple[float, float]:
        """see ShapePair, of all contacts without an explicit pair"""

    @second_friction.setter
    def second_friction(self, value: tuple[float, float], /) -> None: ...

    def set_parameters(self, solver: str, parameters: Mapping[str, bool | int | float | str]) -> None:
        """
        Parameters of one solver, that simulations of the model take unless they are told others.
        """

    def set_medium(self, medium: rattleback._base.Medium) -> None:
        """
        The fluid around the bodies; without density and viscosity there is none.
        """

class ModelBuilder:
    """
    Collects the parts of a model. Ids are valid at once; mistakes are found by build(), all of them.
    """

    def __init__(self, name: str = 'model') -> None: ...

    @staticmethod
    def from_model(model: Model) -> ModelBuilder:
        """
        Everything of a Model, to be added to: names, ids and order of what is there stay, and without additions build() gives the same Model (fingerprint). Masses stay as they are: shapes added to a body that has a mass weigh nothing. Keyframes get the initial values of joints, actuators and kinematic bodies that are added. What is wrong with a Model that was changed by hand is said by build().
        """

    @property
    def settings(self) -> Settings:
        """dt, gravity, integrator and solver parameters of the model."""

    def add_body(self, *, name: str = '', parent: SupportsIndex | None = 0, position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), rotation: numpy.typing.ArrayLike = (1.0, 0.0, 0.0, 0.0), kind: Literal['dynamic', 'fixed', 'kinematic'] = 'dynamic', inertia: rattleback._base.Inertia | None = None, gravity_compensation: float = 0.0, sleep: Literal['automatic', 'never', 'allowed', 'init'] = 'automatic', linear_velocity: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), angular_velocity: numpy.typing.ArrayLike = (0.0, 0.0, 0.0)) -> rattleback._base.BodyId:
        """
        Under the world a dynamic body without joints floats freely; under another parent it is rigidly attached.

        name: empty: "body N"
        position: in the parent frame [m]
        rotation: in the parent frame; normalised
        inertia: nothing: from the shapes
        gravity_compensation: 1: weightless
        sleep: of the tree; moving children of the world only
        linear_velocity: initial, of the body frame's origin, world axes [m/s]; bodies with a free joint only
        angular_velocity: initial, world axes [rad/s]; bodies with a free joint only
        """

    def add_joint(self, body: SupportsIndex, /, *, name: str = '', type: Literal['free', 'ball', 'slide', 'hinge', 'fixed'] = 'hinge', axis: numpy.typing.ArrayLike = (0.0, 0.0, 1.0), position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), reference: float = 0.0, initial_position: float | None = None, initial_velocity: float = 0.0, range: tuple[float, float] | None = None, margin: float = 0.0, limit_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., stiffness: float = 0.0, stiffness_polynomial: numpy.typing.ArrayLike = ..., spring_reference: float = 0.0, spring_yield: float = 0.0, damping: float = 0.0, damping_polynomial: numpy.typing.ArrayLike = ..., armature: float = 0.0, dry_friction: float = 0.0, dry_friction_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., actuator_force_range: tuple[float, float] | None = None, gravity_compensation_by_actuator: bool = False, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.JointId:
        """
        A joint between a body and its parent. Joints of one body act in the order they were added.

        name: empty: "joint N"
        axis: hinge, slide: in the body frame, any length but zero
        position: anchor in the body frame [m]
        reference: q at the body's authored pose (hinge [rad], slide [m])
        initial_position: hinge [rad], slide [m]; nothing: the reference
        initial_velocity: hinge [rad/s], slide [m/s]
        stiffness: spring towards spring_reference: force -(k x + a x^2 + b x^3)
        stiffness_polynomial: a, b; ball and free: x is the distance or angle
        spring_reference: hinge [rad], slide [m]; ball and free rest at the authored pose
        spring_yield: displacement beyond which the spring rests elsewhere from then on; 0: elastic
        damping: force -(d v + a v |v| + b v^3)
        damping_polynomial: a, b
        break_force: [N]
        break_torque: [N m]
        """

    def add_shape(self, body: SupportsIndex, shape: rattleback._base.Shape, /, *, name: str = '', position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), rotation: numpy.typing.ArrayLike = (1.0, 0.0, 0.0, 0.0), material: SupportsIndex | None = None, density: float = 1000.0, mass: float = -1.0, category: int = 1, mask: int = 1, margin: float = 0.0, gap: float = 0.0, colour: numpy.typing.ArrayLike = ..., group: int = 0, fluid: numpy.typing.ArrayLike | None = None, surface_velocity: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), surface_spin: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), visual: SupportsIndex | None = None, plane_size: numpy.typing.ArrayLike = ...) -> rattleback._base.ShapeId:
        """
        A shape on a body, for example Box(half_extents=(0.1, 0.1, 0.1)).

        name: empty: "shape N"
        position: in the body frame [m]
        material: none: the default material
        density: [kg/m^3]; shells [kg/m^2], segments [kg/m]
        mass: [kg]; negative: from density
        fluid: see Shapes.fluid_coefficients; nothing: by the body
        surface_velocity: in the shape's frame [m/s]
        surface_spin: about the shape's origin, in its frame [rad/s]
        visual: none: `colour` alone
        plane_size: of planes: half sizes that are seen, see ShapeLook
        """

    def add_ground(self, *, name: str = '', position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), rotation: numpy.typing.ArrayLike = (1.0, 0.0, 0.0, 0.0), material: SupportsIndex | None = None, density: float = 1000.0, mass: float = -1.0, category: int = 1, mask: int = 1, margin: float = 0.0, gap: float = 0.0, colour: numpy.typing.ArrayLike = ..., group: int = 0, fluid: numpy.typing.ArrayLike | None = None, surface_velocity: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), surface_spin: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), visual: SupportsIndex | None = None, plane_size: numpy.typing.ArrayLike = ...) -> rattleback._base.ShapeId:
        """
        A plane through the origin, normal +z, on the world.

        name: empty: "shape N"
        position: in the body frame [m]
        material: none: the default material
        density: [kg/m^3]; shells [kg/m^2], segments [kg/m]
        mass: [kg]; negative: from density
        fluid: see Shapes.fluid_coefficients; nothing: by the body
        surface_velocity: in the shape's frame [m/s]
        surface_spin: about the shape's origin, in its frame [rad/s]
        visual: none: `colour` alone
        plane_size: of planes: half sizes that are seen, see ShapeLook
        """

    def add_site(self, body: SupportsIndex, /, *, name: str = '', position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), rotation: numpy.typing.ArrayLike = (1.0, 0.0, 0.0, 0.0), type: Literal['plane', 'sphere', 'capsule', 'box', 'cylinder', 'ellipsoid', 'hull', 'mesh', 'height_field', 'points', 'segments', 'surface'] = 'sphere', size: numpy.typing.ArrayLike = (0.005, 0.005, 0.005)) -> rattleback._base.SiteId:
        """
        A frame on a body, with a volume for sensors.

        type: sphere, capsule, cylinder, box or ellipsoid: a volume for sensors
        size: as of shapes [m]
        """

    def add_material(self, *, name: str = '', friction: float = 1.0, spinning_friction: float = 0.005, rolling_friction: float = 0.0001, dimension: int = 3, restitution: float = 0.0, softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., solmix: float = 1.0, priority: int = 0, adhesion: float = 0.0) -> rattleback._base.MaterialId:
        """
        Surface properties. Pairs combine: higher priority wins; else friction, dimension and restitution by maximum, impedances by solmix, springs in series, adhesion by sum.

        friction: sliding (Coulomb) coefficient
        spinning_friction: [m], about the normal
        rolling_friction: [m], about the tangents
        dimension: 1 frictionless, 3 sliding, 4 with spinning, 6 with rolling
        restitution: 0..1
        solmix: weight of this impedance in a pair
        adhesion: pull that each contact point bears before it lets go [N]; pairs add theirs
        """

    def add_mesh(self, *, name: str = '', vertices: numpy.typing.ArrayLike = ..., triangles: numpy.typing.ArrayLike = ..., edges: numpy.typing.ArrayLike = ..., texcoords: numpy.typing.ArrayLike = ...) -> rattleback._base.MeshId:
        """
        Vertices, edges and triangles shared by any number of shapes.

        vertices: [m]
        triangles: vertex indices, counter-clockwise from outside
        edges: vertex indices; only for Segments
        texcoords: Places in a texture, from 0 to 1 to the right and down, of the corners of the triangles: three for each, or none.
        """

    def add_height_field(self, *, name: str = '', rows: int = 0, columns: int = 0, half_x: float = 1.0, half_y: float = 1.0, base: float = 0.1, heights: numpy.typing.ArrayLike = ...) -> rattleback._base.HeightFieldId:
        """
        A grid of heights over the rectangle [-half_x, half_x] x [-half_y, half_y], on a solid base.

        rows: points along y, at least 2
        columns: points along x, at least 2
        half_x: [m]
        half_y: [m]
        base: thickness below height zero [m]
        heights: [m], [row][column], not negative
        """

    def add_keyframe(self, *, name: str = '', time: float = 0.0, q: numpy.typing.ArrayLike = ..., v: numpy.typing.ArrayLike = ..., act: numpy.typing.ArrayLike = ..., ctrl: numpy.typing.ArrayLike = ..., targets: numpy.typing.ArrayLike = ...) -> rattleback._base.KeyframeId:
        """
        A state to start from.

        q: sizes of the model, or empty: the initial values
        v: sizes of the model, or empty: the initial values
        act: sizes of the model, or empty: the initial values
        ctrl: sizes of the model, or empty: the initial values
        targets: of kinematic bodies; or empty
        """

    def add_track(self, body: SupportsIndex, /, *, times: numpy.typing.ArrayLike = ..., poses: numpy.typing.ArrayLike = ...) -> None:
        """
        Poses over time: linear in position, shortest arc in rotation, constant outside.

        times: [s], increasing
        """

    def add_pair(self, first: SupportsIndex, second: SupportsIndex, /, *, material: SupportsIndex | None = None, margin: float = 0.0, gap: float = 0.0, second_friction: numpy.typing.ArrayLike = ..., friction_solref: numpy.typing.ArrayLike = ...) -> None:
        """
        These two shapes collide whatever the filters say.

        material: none: combined from the shapes
        second_friction: see ShapePair
        friction_solref: see ShapePair
        """

    def exclude(self, first: SupportsIndex, second: SupportsIndex) -> None:
        """Shapes of these two bodies never collide."""

    def add_camera(self, *, name: str = '', body: SupportsIndex | None = 0, position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), rotation: numpy.typing.ArrayLike = (1.0, 0.0, 0.0, 0.0), mode: Literal['fixed', 'track', 'trackcom', 'targetbody', 'targetbodycom'] = 'fixed', target: SupportsIndex | None = None, orthographic: bool = False, field_of_view: float = 45.0, eye_distance: float = 0.068, resolution: numpy.typing.ArrayLike = ..., sensor_size: numpy.typing.ArrayLike = ..., focal: numpy.typing.ArrayLike = ..., principal: numpy.typing.ArrayLike = ...) -> rattleback._base.CameraId:
        """
        A camera looks along -z of its frame, with x to the right and y up in the picture.

        name: empty: "camera N"
        position: in the body frame [m]
        target: of the target modes
        orthographic: parallel rays
        field_of_view: from bottom to top [degrees]; orthographic: [m]
        eye_distance: of a stereo pair [m]
        resolution: width, height of its own pictures [pixels]
        sensor_size: width, height [m]
        focal: along x and y [m]
        principal: where the axis meets the sensor, from its middle, right and up [m]
        """

    def add_light(self, *, name: str = '', body: SupportsIndex | None = 0, position: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), direction: numpy.typing.ArrayLike = (0.0, 0.0, -1.0), mode: Literal['fixed', 'track', 'trackcom', 'targetbody', 'targetbodycom'] = 'fixed', target: SupportsIndex | None = None, type: Literal['spot', 'directional', 'point'] = 'spot', active: bool = True, cast_shadow: bool = True, ambient: numpy.typing.ArrayLike = ..., diffuse: numpy.typing.ArrayLike = ..., specular: numpy.typing.ArrayLike = ..., attenuation: numpy.typing.ArrayLike = ..., cutoff: float = 45.0, exponent: float = 10.0) -> rattleback._base.LightId:
        """
        Colours of lights are in display space, as MuJoCo's: they multiply sRGB values.

        name: empty: "light N"
        position: in the body frame [m]
        direction: in the body frame, any length but zero
        attenuation: constant, per [m], per [m^2]; not for directional lights
        cutoff: spot: half angle [degrees]
        exponent: spot: how the light falls towards the rim
        """

    def add_texture(self, *, name: str = '', type: Literal['2d', 'cube', 'skybox'] = 'cube', pattern: Literal['none', 'gradient', 'checker', 'flat'] = 'none', first: numpy.typing.ArrayLike = ..., second: numpy.typing.ArrayLike = ..., mark: Literal['none', 'edge', 'cross', 'random'] = 'none', mark_colour: numpy.typing.ArrayLike = ..., random: float = 0.01, width: int = 0, height: int = 0, png: Sequence[bytes] = ...) -> rattleback._base.TextureId:
        """
        A picture, by a rule or from PNG files. The first row is the top one.

        name: empty: "texture N"
        first: sRGB
        second: sRGB
        mark_colour: sRGB
        random: share of random dots, 0..1
        width: of a pattern [pixels]; cubes: of a side, by the width alone
        height: of a pattern [pixels]; cubes: of a side, by the width alone
        png: PNG files as they are: one, or for cubes six (right, left, up, down, front, back; empty: of the first colour).
        """

    def add_visual_material(self, *, name: str = '', texture: SupportsIndex | None = None, repeat: numpy.typing.ArrayLike = ..., uniform: bool = False, emission: float = 0.0, specular: float = 0.5, shininess: float = 0.5, reflectance: float = 0.0, colour: numpy.typing.ArrayLike = ...) -> rattleback._base.VisualMaterialId:
        """
        What covers shapes to the eye. (MaterialOptions is what contacts feel.)

        name: empty: "visual material N"
        repeat: Flat textures: repetitions over the shape or, if uniform, over two metres. Infinite planes are always uniform.
        uniform: cubes: wrapped around the shape in its true proportions
        specular: 0..1
        shininess: 0..1
        reflectance: 0..1; kept, not drawn
        colour: sRGB and opacity, times the texture
        """

    def set_headlight(self, *, active: bool = True, ambient: numpy.typing.ArrayLike = ..., diffuse: numpy.typing.ArrayLike = ..., specular: numpy.typing.ArrayLike = ...) -> None:
        """The light at the camera."""

    def add_connect(self, first: SupportsIndex, second: SupportsIndex, anchor: numpy.typing.ArrayLike, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        The bodies' points at `anchor` (in the first body's frame) stay together.

        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_connect_points(self, first: SupportsIndex, first_point: numpy.typing.ArrayLike, second: SupportsIndex, second_point: numpy.typing.ArrayLike, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        A point of the first body and one of the second, each in its body's frame, come together.

        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_weld(self, first: SupportsIndex, second: SupportsIndex, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        The bodies keep the relative pose they have at q0.

        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_weld_frames(self, first: SupportsIndex, first_frame: numpy.typing.ArrayLike, second: SupportsIndex, second_frame: numpy.typing.ArrayLike, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        As add_weld, with `second_frame` (in the second body) meeting `first_frame` (in the first).

        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_cable(self, first: SupportsIndex, second: SupportsIndex, /, *, name: str = '', first_frame: numpy.typing.ArrayLike = ..., second_frame: numpy.typing.ArrayLike | None = None, cable: rattleback._base.Cable = ..., active: bool = True, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        The frames are tied by springs of their own for stretch, shear, bend and twist.

        first_frame: in the first body's frame; z runs along the cable
        second_frame: nothing: where the first frame is at q0
        """

    def add_rod(self, *, name: str = 'rod', start: numpy.typing.ArrayLike = (0.0, 0.0, 0.0), end: numpy.typing.ArrayLike = (0.0, 0.0, 1.0), segments: int = 10, radius: float = 0.01, density: float = 1000.0, young: float = 10000000.0, shear_modulus: float | None = None, damping_time: float = 0.0, first_body: SupportsIndex | None = None, second_body: SupportsIndex | None = None, material: SupportsIndex | None = None, collide: bool = True) -> tuple[list[rattleback._base.BodyId], list[rattleback._base.EqualityId]]:
        """
        Segments and cable joints of a rod. A joint stands for the length between the middles of its segments; the ones at clamped ends for half a segment, so that the rod as a whole has length over E A, and bends as E I says.

        name: segments and joints are called "rod 0", "rod 1", ...
        start: world [m]
        end: world [m]
        radius: [m]
        density: of the straight cylinder from start to end [kg/m^3]
        young: E [Pa]: stretch E A / l and bend E I / l
        shear_modulus: G [Pa]: twist G J / l; nothing: E / 3 (incompressible)
        damping_time: damping over stiffness [s]
        first_body: that the ends are clamped to; none: free ends
        second_body: that the ends are clamped to; none: free ends
        collide: neighbours never touch each other
        """

    def add_joint_coupling(self, first: SupportsIndex, second: SupportsIndex | None, polynomial: numpy.typing.ArrayLike, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        q1 - q1_0 = p0 + p1 d + p2 d^2 + p3 d^3 + p4 d^4 with d = q2 - q2_0; without a second joint d = 0.

        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_tendon_coupling(self, first: SupportsIndex, second: SupportsIndex | None, polynomial: numpy.typing.ArrayLike, /, *, name: str = '', softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., active: bool = True, torque_scale: float = 1.0, break_force: float = float('inf'), break_torque: float = float('inf')) -> rattleback._base.EqualityId:
        """
        active: at first, see Control.equality_active
        torque_scale: weld only [m]
        """

    def add_fixed_tendon(self, joints: Sequence[tuple[SupportsIndex, float]], /, *, name: str = '', range: tuple[float, float] | None = None, margin: float = 0.0, limit_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., stiffness: float = 0.0, stiffness_polynomial: numpy.typing.ArrayLike = ..., damping: float = 0.0, damping_polynomial: numpy.typing.ArrayLike = ..., dry_friction: float = 0.0, dry_friction_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., armature: float = 0.0, spring_length: numpy.typing.ArrayLike = ..., spring_yield: float = 0.0, actuator_force_range: tuple[float, float] | None = None) -> rattleback._base.TendonId:
        """
        length = sum of coefficient * q over hinges and slides.

        stiffness: as of joints
        stiffness_polynomial: as of joints
        damping_polynomial: as of joints
        spring_length: negative: the length where joint springs rest
        spring_yield: as of joints, beyond spring_length [m]
        """

    def add_spatial_tendon(self, path: Sequence[rattleback._base.SiteId | rattleback._base.Wrap | rattleback._base.Pulley], /, *, name: str = '', range: tuple[float, float] | None = None, margin: float = 0.0, limit_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., stiffness: float = 0.0, stiffness_polynomial: numpy.typing.ArrayLike = ..., damping: float = 0.0, damping_polynomial: numpy.typing.ArrayLike = ..., dry_friction: float = 0.0, dry_friction_softness: rattleback._base.Rigid | rattleback._base.Spring | rattleback._base.Impedance = ..., armature: float = 0.0, spring_length: numpy.typing.ArrayLike = ..., spring_yield: float = 0.0, actuator_force_range: tuple[float, float] | None = None) -> rattleback._base.TendonId:
        """
        length of a path through sites, around shapes (Wrap) and over pulleys (Pulley)

        stiffness: as of joints
        stiffness_polynomial: as of joints
        damping_polynomial: as of joints
        spring_length: negative: the length where joint springs rest
        spring_yield: as of joints, beyond spring_length [m]
        """

    def add_actuator(self, target: rattleback._base.ActuatorTarget, /, *, name: str = '', gear: numpy.typing.ArrayLike = ..., gain: numpy.typing.ArrayLike = ..., bias: numpy.typing.ArrayLike = ..., dynamics: Literal['none', 'integrator', 'filter', 'filter_exact', 'muscle', 'pid', 'dc_motor'] = 'none', time_constant: float = 1.0, input_range: tuple[float, float] | None = None, force_range: tuple[float, float] | None = None, act_range: tuple[float, float] | None = None, act_early: bool = False, active: bool = True, in_parent: bool = False, damping_ratio: float = 0.0, reference: SupportsIndex | None = None, crank_length: float = 0.0, gain_law: Literal['affine', 'muscle', 'pid', 'dc_motor', 'orientation', 'input'] = 'affine', bias_law: Literal['affine', 'muscle', 'pid', 'dc_motor', 'orientation', 'input'] = 'affine', gain_parameters: numpy.typing.ArrayLike = ..., bias_parameters: numpy.typing.ArrayLike = ..., dynamics_parameters: numpy.typing.ArrayLike = ..., inputs: int = 0, length_range: tuple[float, float] | None = None, delay: float = 0.0, sample_count: int = 0, interpolation: Literal['hold', 'linear', 'cubic'] = 'hold') -> rattleback._base.ActuatorId:
        """
        force = gain * (input or activation) + bias

        active: at first, see Control.actuator_active
        in_parent: ball and free joints: torque in the parent's axes
        damping_ratio: If positive, bias[2] becomes -2 ratio sqrt(gain[0] m): 1 is critical for the inertia m that it feels at q0.
        reference: of a site: what its pose is measured from, or the slider of a crank
        crank_length: positive: the target site is a crank's pin, joined to the reference by a rod [m]
        gain_parameters: see Actuators
        bias_parameters: see Actuators
        dynamics_parameters: see Actuators
        inputs: see Actuators
        length_range: of the transmission; muscles without one get what they reach, see LengthRangeOptions
        delay: [s]
        sample_count: a delay needs at least one, and reaches as far as sample_count steps
        """

    def add_motor(self, target: rattleback._base.ActuatorTarget, /, *, name: str = '', gear: numpy.typing.ArrayLike = ..., gain: numpy.typing.ArrayLike = ..., bias: numpy.typing.ArrayLike = ..., dynamics: Literal['none', 'integrator', 'filter', 'filter_exact', 'muscle', 'pid', 'dc_motor'] = 'none', time_constant: float = 1.0, input_range: tuple[float, float] | None = None, force_range: tuple[float, float] | None = None, act_range: tuple[float, float] | None = None, act_early: bool = False, active: bool = True, in_parent: bool = False, damping_ratio: float = 0.0, reference: SupportsIndex | None = None, crank_length: float = 0.0, gain_law: Literal['affine', 'muscle', 'pid', 'dc_motor', 'orientation', 'input'] = 'affine', bias_law: Literal['affine', 'muscle', 'pid', 'dc_motor', 'orientation', 'input'] = 'affine', gain_parameters: numpy.typing.ArrayLike = ..., bias_parameters: numpy.typing.ArrayLike = ..., dynamics_parameters: numpy.typing.ArrayLike = ..., inputs: int = 0, length_range: tuple[float, float] | None = None, delay: float = 0.0, sample_count: int = 0, interpolation: Literal['hold', 'linear', 'cubic'] = 'hold') -> rattleback._base.ActuatorId:
        """
        force = input.

        active: at first, see Control.actuator_active
        in_parent: ball and free joints: torque in the parent's axes
        damping_ratio: If positive, bias[2] becomes -2 ratio sqrt(gain[0] m): 1 is critical for the inertia m that it feels at q0.
        reference: of a site: what its pose is measured from, or the slider of a crank
        crank_length: positive: the target site is a crank's pin, joined to the reference by a rod [m]
        gain_parameters: see Actuators
        bias_parameters: see Actuators
        dynamics_parameters: see Actuators
        inputs: see Actuators
        length_range: of the transmission; muscles without one get what they reach, see LengthRangeOptions
        delay: [s]
        sample_count: a delay needs at least one, and reaches as far as sample_count steps
        """

    def add_position_actuator(self, target: rattleback._base.ActuatorTarget, /, *, name: str = '', stiffness: float = 1.0, damping: float = 0.0, damping_ratio: float = 0.0, gear: numpy.typing.ArrayLike = ..., input_range: tuple[float, float] | None = None, force_range: tuple[float, float] | None = None) -> rattleback._base.ActuatorId:
        """
        A servo: force = stiffness * (input - length) - damping * velocity.

        stiffness: [N/m] or [N m/rad]
        damping_ratio: if positive, replaces damping: 1 is critical for the inertia at q0
        """

    def add_velocity_actuator(self, target: rattleback._base.ActuatorTarget, /, *, name: str = '', gain: float = 1.0, gear: numpy.typing.ArrayLike = ..., input_range: tuple[float, float] | None = None, force_range: tuple[float, float] | None = None) -> rattleback._base.ActuatorId:
        """
        force = gain * (input - velocity).

        gain: [N s/m] or [N m s/rad]
        """

    def add_muscle(self, target: rattleback._base.ActuatorTarget, /, *, name: str = '', time_constants: numpy.typing.ArrayLike = ..., smoothing: float = 0.0, range: numpy.typing.ArrayLike = ..., force: float = -1.0, scale: float = 200.0, lmin: float = 0.5, lmax: float = 1.6, vmax: float = 1.5, fpmax: float = 1.3, fvmax: float = 1.2, gear: float = 1.0, length_range: tuple[float, float] | None = None) -> rattleback._base.ActuatorId:
        """
        A muscle ([MuJoCo], "Muscle actuators"): pulls by curves of force over length and velocity. Lengths are in units of the optimal length, at which the active force is largest.

        time_constants: of rise and fall of the activation [s]
        smoothing: width of the change between them, in units of the input
        range: lengths at the ends of the length range
        force: peak [N]; negative: `scale` over the acceleration of 1 N
        lmin: where the active force ends
        lmax: where the active force ends
        vmax: speed of shortening without force [1/s]
        fpmax: passive force at lmax, over the peak
        fvmax: force at fast lengthening, over the peak
        length_range: of the transmission [m, rad]
        """

    def add_sensor(self, type: str, target: rattleback._base.SensorTarget, /, *, name: str = '', reference: rattleback._base.SensorTarget = ..., cutoff: float = 0.0, noise: float = 0.0, fields: int = 1, count: int = 1, reduce: Literal['none', 'nearest', 'strongest', 'net'] = 'none', resolution: numpy.typing.ArrayLike = ..., focal: numpy.typing.ArrayLike = ..., principal: numpy.typing.ArrayLike = ..., orthographic: bool = False, samples: int = 0, interpolation: Literal['hold', 'linear', 'cubic'] = 'hold', delay: float = 0.0, interval: numpy.typing.ArrayLike = ...) -> rattleback._base.SensorId:
        """
        What is measured after every step: a kind of sensor, and what it watches (None: energies, clock, all contacts).

        reference: Frame of reference; the site of inside_site and enclosure; the camera of camera_projection; the other side of distances and contacts.
        cutoff: If positive, values stay between -cutoff and cutoff (those that are never negative below it); for distances the farthest that is looked at, zero included [m].
        noise: standard deviation, for SimulationOptions.sensor_noise
        fields: rangefinder, contact: sum of RayField or ContactField
        count: contact: slots; user: numbers; tactile: taxels, by themselves
        resolution: of a camera: width and height [pixels]
        focal: of a camera [pixels]; orthographic [pixels/m]
        principal: where its axis meets the image, from the top left [pixels]
        samples: that are kept for `delay` and `interval`
        delay: values are those of so long ago [s]
        interval: period of measurement [s], 0: every step; and its phase, -period to 0
        """

    def make_motor(self, actuator: SupportsIndex) -> None:
        """
        Makes an actuator of any law a motor, force = input, so that a controller of the caller's can take its place. Name, id, target and gear stay: on a joint, torque = gear * input, as the servo's was gear * force. The input is limited as the force was; without a force range, as gain times the input was, if that was all its law; otherwise not. Bounds of the joint or tendon on its actuators stay. Gain, bias and activation go. In keyframes the input becomes the same force where the law was gain * input, and zero otherwise.
        """

    def make_motors(self) -> None:
        """The same for every actuator that was added so far."""

    def build(self) -> Model:
        """
        The Model; Error with every mistake at once, each with the element's name.
        """

def load_model(path: str | os.PathLike[str], *, strict: bool = False, base: Literal['fixed', 'free'] = 'fixed', package_path: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """
    Reads a model by the extension of its file; one in XML that begins with the element `robot` is URDF, one in JSON is a scene of rigid-IPC.
    """

def load_mjcf(path: str | os.PathLike[str], *, strict: bool = False, base: Literal['fixed', 'free'] = 'fixed', package_path: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """
    Reads an MJCF file as MuJoCo 4.0 does; docs/mjcf.md lists what is supported.
    """

def load_urdf(path: str | os.PathLike[str], *, strict: bool = False, base: Literal['fixed', 'free'] = 'fixed', package_path: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """
    Reads a URDF file; docs/urdf.md lists what its elements become. What URDF does not say is as in MJCF.
    """

def parse_mjcf(text: str, *, name: str = 'text', directory: str | os.PathLike[str] = '.', strict: bool = False, base: Literal['fixed', 'free'] = 'fixed', package_path: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """
    The same from text. `name` stands for the file in messages; `directory` is where the files that it names are.
    """

def parse_urdf(text: str, *, name: str = 'text', directory: str | os.PathLike[str] = '.', strict: bool = False, base: Literal['fixed', 'free'] = 'fixed', package_path: Sequence[str | os.PathLike[str]] = ()) -> Model:
    """The same from text, as parse_mjcf."""

def write_mjcf(model: Model) -> str:
    """
    The Model as plain MJCF (no includes, classes, attachments or replicas) that MuJoCo 4.0 accepts. Read back by parse_mjcf it has the same fingerprint: what MJCF has no words for (restitution, springs of contacts, tracks, initial velocities, ...) stands as JSON in <custom>, which MuJoCo passes over, and is given its nearest meaning besides. An error, not a loss, where that cannot be.
    """

def model_extensions() -> list[str]:
    """The extensions that load_model knows, with the dot."""

class State:
    """
    Everything that changes in a simulation, as NumPy views of the engine's memory. Of a Batch (or made with world_count) every array has a leading world dimension. After writing, call refresh() of the Simulation or Batch.
    """

    def __init__(self, model: Model, world_count: int | None = None) -> None:
        """All worlds at the model's initial coordinates, body arrays refreshed."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Joint coordinates [m, rad, unit quaternions], (q_count,); MuJoCo's layout.
        """

    @q.setter
    def q(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def v(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint velocities [m/s, rad/s], (v_count,)."""

    @v.setter
    def v(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def act(self) -> numpy.typing.NDArray[numpy.float64]:
        """Activations of actuators, (act_count,)."""

    @act.setter
    def act(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Body frames in the world: position [m] and quaternion (w, x, y, z), (body_count, 7).
        """

    @body_pose.setter
    def body_pose(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_position(self) -> numpy.typing.NDArray[numpy.float64]:
        """Origins of the body frames in the world [m], (body_count, 3)."""

    @body_position.setter
    def body_position(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_rotation(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rotations of the bodies: quaternions (w, x, y, z), (body_count, 4)."""

    @body_rotation.setter
    def body_rotation(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Linear [m/s] and angular [rad/s] velocity at the centres of mass, world axes, (body_count, 6).
        """

    @body_velocity.setter
    def body_velocity(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_linear_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """Velocities of the centres of mass, world axes [m/s], (body_count, 3)."""

    @body_linear_velocity.setter
    def body_linear_velocity(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_angular_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """Angular velocities, world axes [rad/s], (body_count, 3)."""

    @body_angular_velocity.setter
    def body_angular_velocity(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def time(self) -> Any:
        """Time [s]; of a Batch (world_count,)."""

    @time.setter
    def time(self, arg: object, /) -> None: ...

    @property
    def step(self) -> Any:
        """Steps taken; of a Batch (world_count,)."""

    @step.setter
    def step(self, arg: object, /) -> None: ...

    @property
    def world_count(self) -> int: ...

    def hash(self) -> int:
        """
        64 bits that depend on the model's fingerprint and on every number of every frame but timings; same everywhere. 64 bits that depend on every bit of the state (time and step included); the same on every machine. The same for one world.
        """

    def __repr__(self) -> str: ...

class Control:
    """
    What is applied from outside, as NumPy views; it persists until changed.
    """

    def __init__(self, model: Model, world_count: int | None = None) -> None:
        """
        Inputs of `world_count` worlds: all zero at first, targets at the authored poses, switches and surfaces as the model has them.
        """

    @property
    def input(self) -> numpy.typing.NDArray[numpy.float64]:
        """Actuator inputs, (actuator_count,)."""

    @input.setter
    def input(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def joint_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """Generalised forces on the joints [N, N m], (v_count,)."""

    @joint_force.setter
    def joint_force(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_wrench(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Force [N] and torque [N m] on each body at its centre of mass, world axes, (body_count, 6).
        """

    @body_wrench.setter
    def body_wrench(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_force(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Force on each body at its centre of mass, world axes [N], (body_count, 3).
        """

    @body_force.setter
    def body_force(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def body_torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """Torque on each body, world axes [N m], (body_count, 3)."""

    @body_torque.setter
    def body_torque(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def target(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Poses of kinematic bodies without a track: position [m], quaternion, (kinematic_count, 7).
        """

    @target.setter
    def target(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def actuator_active(self) -> numpy.typing.NDArray[numpy.int32]:
        """
        0: it gives no force, and its activation stays as it is, (actuator_count,).
        """

    @actuator_active.setter
    def actuator_active(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def equality_active(self) -> numpy.typing.NDArray[numpy.int32]:
        """0: it holds nothing, (equality_count,)."""

    @equality_active.setter
    def equality_active(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def surface_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Velocity of each shape's surface against its body, in the shape's frame: linear [m/s], angular [rad/s], (shape_count, 6).
        """

    @surface_velocity.setter
    def surface_velocity(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def world_count(self) -> int: ...

    def __repr__(self) -> str: ...

class Contacts:
    """
    The contacts of one world after its last step, sorted by first shape, second shape and feature. A view: when the world has moved on, reading raises StaleError. The columns are arrays of their own.
    """

    @property
    def point(self) -> numpy.typing.NDArray[numpy.float64]:
        """Half way between the two surfaces, world [m], (n, 3)."""

    @property
    def normal(self) -> numpy.typing.NDArray[numpy.float64]:
        """Unit, from first to second body, world, (n, 3)."""

    @property
    def frame(self) -> numpy.typing.NDArray[numpy.float64]:
        """Columns: normal and two tangents, world, (n, 3, 3)."""

    @property
    def distance(self) -> numpy.typing.NDArray[numpy.float64]:
        """Between the surfaces [m]; negative: penetration, (n,)."""

    @property
    def friction(self) -> numpy.typing.NDArray[numpy.float64]:
        """Sliding [-], spinning [m], rolling [m], (n, 3)."""

    @property
    def force(self) -> numpy.typing.NDArray[numpy.float64]:
        """On the second body at the contact point, world axes [N], (n, 3)."""

    @property
    def torque(self) -> numpy.typing.NDArray[numpy.float64]:
        """On the second body, world axes [N m], (n, 3)."""

    @property
    def first_body(self) -> numpy.typing.NDArray[numpy.int64]:
        """Index of the first body, (n,)."""

    @property
    def second_body(self) -> numpy.typing.NDArray[numpy.int64]:
        """Index of the second body, (n,)."""

    @property
    def first_shape(self) -> numpy.typing.NDArray[numpy.int64]:
        """Index of the first shape, (n,)."""

    @property
    def second_shape(self) -> numpy.typing.NDArray[numpy.int64]:
        """Index of the second shape, (n,)."""

    @property
    def dimension(self) -> numpy.typing.NDArray[numpy.int64]:
        """1 frictionless, 3 sliding, 4 with spinning, 6 with rolling, (n,)."""

    @property
    def feature(self) -> numpy.typing.NDArray[numpy.int64]:
        """
        Which parts of the two shapes touch; the same from step to step while they do, (n,).
        """

    @property
    def stale(self) -> bool:
        """Whether the world has moved on since."""

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

class Snapshot:
    """Everything the next step depends on."""

    @property
    def solver(self) -> str: ...

    @property
    def dt(self) -> float:
        """[s]"""

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def model(self) -> int:
        """fingerprint of the Model"""

    @property
    def parameters(self) -> dict[str, bool | int | float | str]: ...

    def to_bytes(self) -> bytes:
        """Little-endian bytes with a version and a checksum."""

    @staticmethod
    def from_bytes(bytes: bytes) -> Snapshot:
        """The snapshot, or what is wrong: these bytes are untrusted."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """
        Writes to a temporary file, then renames: a crash leaves the old file or the new one.
        """

    def __getstate__(self) -> bytes: ...

    def __setstate__(self, arg: bytes, /) -> None: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

def load_snapshot(path: str | os.PathLike[str]) -> Snapshot:
    """The snapshot of a file."""

class Recorder:
    """
    Writes a recording. Append-safe: the file is complete up to its last chunk at any moment, whatever ends the process. Errors (a full disk) are returned, once by every later call too; what was written before stays readable.
    """

    def __init__(self, path: str | os.PathLike[str], simulation: Simulation, *, contacts: bool = False, frames_per_chunk: int = 256, seconds_per_chunk: float = 1.0) -> None:
        """
        A new recording of this simulation, without frames. contacts: record contacts with their forces. A chunk is written after so many frames or seconds; a killed process loses the chunk it had not yet written.
        """

    def append(self, report: StepReport | None = None) -> None:
        """Appends the present moment; `report` is that of the step before."""

    def flush(self) -> None:
        """Writes the frames that still wait."""

    def close(self) -> None:
        """Flushes and waits until the file is on the disk; no frames afterwards."""

    @property
    def frame_count(self) -> int:
        """Appended so far."""

    def __enter__(self) -> Recorder: ...

    def __exit__(self, *exception: object) -> None: ...

    def __repr__(self) -> str: ...

class Recording:
    """
    A recording, read chunk by chunk: memory is that of the model and one chunk, however long the file.
    """

    @property
    def time(self) -> numpy.typing.NDArray[numpy.float64]:
        """[s], (frame,)"""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint coordinates [m, rad], (frame, q_count)"""

    @property
    def v(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint velocities [m/s, rad/s], (frame, v_count)"""

    @property
    def act(self) -> numpy.typing.NDArray[numpy.float64]:
        """Activations, (frame, act_count)"""

    @property
    def input(self) -> numpy.typing.NDArray[numpy.float64]:
        """Actuator inputs, (frame, actuator_count)"""

    @property
    def sensors(self) -> numpy.typing.NDArray[numpy.float64]:
        """Values of all sensors, (frame, sensor_value_count)"""

    @property
    def body_pose(self) -> numpy.typing.NDArray[numpy.float64]:
        """Position [m] and quaternion of each body, (frame, body_count, 7)"""

    @property
    def body_velocity(self) -> numpy.typing.NDArray[numpy.float64]:
        """Linear [m/s] and angular [rad/s] velocity, (frame, body_count, 6)"""

    @property
    def kinetic_energy(self) -> numpy.typing.NDArray[numpy.float64]:
        """[J], (frame,)"""

    @property
    def potential_energy(self) -> numpy.typing.NDArray[numpy.float64]:
        """[J], (frame,)"""

    def __len__(self) -> int: ...

    @property
    def solver(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def dt(self) -> float:
        """[s]"""

    @property
    def bodies(self) -> list[str]:
        """Names."""

    @property
    def joints(self) -> list[tuple[str, str, int, int]]:
        """Name, type, where its q and v begin."""

    @property
    def sensor_table(self) -> list[tuple[str, int, int]]:
        """Name, where its values begin, how many."""

    @property
    def actuators(self) -> list[str]:
        """Names."""

    @property
    def warnings(self) -> list[rattleback._base.ErrorItem]:
        """What was odd yet harmless: a last chunk that was cut off."""

    def hash(self) -> int:
        """
        64 bits that depend on the model's fingerprint and on every number of every frame but timings.
        """

    def export(self, path: str | os.PathLike[str]) -> None:
        """
        One of these by the path's ending: npz, csv, gltf, glb. Written beside and renamed: nothing half-written remains.
        """

    def __repr__(self) -> str: ...

def load_recording(path: str | os.PathLike[str]) -> Recording:
    """
    Opens a recording and checks every chunk. A cut-off tail is a warning; damage and foreign files are errors that name the byte. Files are untrusted: every size is checked before memory is taken. Chunks up to 1 GiB.
    """

def solvers() -> list[rattleback._base.SolverInfo]:
    """
    All solvers: names, summaries, what they support, and their parameters with units, defaults and ranges.
    """

def find_refusal(solver: str, model: Model, parameters: Mapping[str, bool | int | float | str] | None = None) -> list[rattleback._base.ErrorItem]:
    """
    Why the solver does not run the model with these overrides: parameters, features, what its preparation found; nothing if it does.
    """

def choose_solver(model: Model, parameters: Mapping[str, bool | int | float | str] | None = None) -> tuple[str, str]:
    """Name of the solver that 'auto' means for a model, and why this one."""

def features_used(model: Model) -> dict[str, str]:
    """Every feature that a model uses, once."""

class Simulation:
    """A Model in motion."""

    def __init__(self, model: Model, *, solver: str = 'auto', dt: float = 0.0, parameters: Mapping[str, bool | int | float | str] | None = None, timings: bool = False, sensor_noise: int | None = None) -> None:
        """
        A Model in motion. solver: a name in solvers(), or 'auto'. dt [s]; 0: the model's. parameters: of the solver. timings: fill StepReport.seconds. sensor_noise: a seed; sensors then read with normal noise. Error where the solver is unknown or refuses the model, naming everything that it lacks.
        """

    def step(self) -> StepReport:
        """One step. If it diverges, state, time and memory are as before it."""

    def run_for(self, seconds: float, before_step: Callable[[], object] | None = None) -> StepReport:
        """
        The nearest whole number of steps to `seconds`; stops early when a step is not committed. Same bits as step() in a loop. The same with a call before each step, which may read everything and write the inputs: forces from outside, or a controller.
        """

    def run_steps(self, steps: int, before_step: Callable[[], object] | None = None) -> StepReport:
        """
        So many steps; stops early when a step is not committed. before_step: called before each of them.
        """

    def forward(self) -> StepReport:
        """
        What holds at the present state, without a step (MuJoCo's mj_forward): refresh(), then acceleration(), contacts(), contact_forces() and sensors() follow from state and inputs as they are. Solvers in joint coordinates solve their own problem. The others find contacts; accelerations are means over the last step (zero before the first), forces its own, and the report says mean_acceleration. The next step is as if this had not been called.
        """

    def refresh(self) -> None:
        """
        To be called after the state was written: body poses, velocities and sensors follow q and v. Who writes q, poses or the time puts the world elsewhere, so the solver forgets (warm starts, multipliers, sleep; contacts() is empty until the next step) and goes on bit for bit as a new Simulation in this state. Who writes velocities or activations alone gives a kick, after which contacts hold as before. Inputs need no refresh.
        """

    def reset(self, to: str | SupportsIndex | State | None = None) -> None:
        """
        Back to the model's initial state, to a keyframe (name or number), or to a State; inputs zero (or the keyframe's), memory empty.
        """

    def set_contact_filter(self, may_touch: Callable[[rattleback._base.ShapeId, rattleback._base.ShapeId], bool] | None) -> None:
        """
        From now on two shapes touch only where `may_touch` is true as well; empty: no filter. It is asked about every pair of shapes that come near each other, first < second in the order of the Collider, whenever a step (each stage of its integrator) or forward() looks for contacts. It may read everything and must depend on nothing else, or runs do not repeat. What it throws reaches the caller of the step, which was then not committed.
        """

    def snapshot(self) -> Snapshot:
        """State, Control and Memory: everything the next step depends on."""

    def restore(self, snapshot: Snapshot) -> None:
        """
        Continues from a snapshot, bit for bit, in the same arrays; an error when it belongs to another model, solver or dt, or was made with other parameters, which are named.
        """

    @property
    def state(self) -> State:
        """
        State of `world_count` worlds of one Model. Arrays may be written between steps; in a Simulation or Batch call its refresh() then: bodies follow q and v (of kinematic bodies: the pose written), and solvers forget where the world was.
        """

    @property
    def control(self) -> Control:
        """
        Inputs of `world_count` worlds: all zero at first, targets at the authored poses, switches and surfaces as the model has them.
        """

    @property
    def sensors(self) -> numpy.typing.NDArray[numpy.float64]:
        """Values of all sensors after the last step, [sensor_value_count]."""

    @property
    def acceleration(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Joint accelerations that the last forward() found [m/s^2, rad/s^2], [v_count]; zero before.
        """

    @property
    def contacts(self) -> Contacts:
        """Contacts and forces of the last step or forward()."""

    @property
    def model(self) -> Model: ...

    @property
    def time(self) -> float:
        """[s]"""

    @property
    def dt(self) -> float:
        """Timestep [s]."""

    @property
    def solver(self) -> str:
        """Name of the solver."""

    @property
    def solver_reason(self) -> str:
        """why this solver was chosen; empty where the options named it"""

    @property
    def parameters(self) -> dict[str, bool | int | float | str]:
        """of the solver, all of them"""

    @property
    def warnings(self) -> list[rattleback._base.ErrorItem]:
        """
        What is suspicious, as found when the simulation was made: shapes that start inside each other, where the solver has contacts; parameters that are aliases. Not mistakes: it runs all the same.
        """

    def step_derivatives(self, *, moving_contacts: bool = False, differences: bool = False, interval: float = 1e-06) -> rattleback._base.StepDerivatives:
        """
        Derivatives of the next step by state, inputs, stiffness and damping; nothing is stepped. Analytic with `comfree` (integrators euler and implicitfast, by corrections), central differences of whole steps otherwise. An error where the step itself would not be committed, or a number of `options` is no use.
        """

    def explain(self, report: StepReport) -> str:
        """
        Why the last step went wrong, with the names of the input, joint, body or shapes at fault, or why it was taken in parts (StepReport.substeps) and which body has the energy; empty when neither.
        """

    def energy(self) -> rattleback._base.Energy:
        """Mechanical energy of a world [J]."""

    def momentum(self) -> rattleback._base.Momentum:
        """Momentum of a world."""

    def is_broken(self, element: rattleback._base.JointId | rattleback._base.EqualityId) -> bool:
        """Whether a joint or an equality that may break has done so."""

    def __repr__(self) -> str: ...

class Rollout:
    """What Batch.rollout kept: moment m is after step (m + 1) * every."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """(world, moment, q_count); without the last where it was not asked for."""

    @property
    def v(self) -> numpy.typing.NDArray[numpy.float64]:
        """(world, moment, v_count)"""

    @property
    def act(self) -> numpy.typing.NDArray[numpy.float64]:
        """(world, moment, act_count)"""

    @property
    def sensors(self) -> numpy.typing.NDArray[numpy.float64]:
        """(world, moment, sensor_value_count)"""

    @property
    def moment_count(self) -> int: ...

    def __repr__(self) -> str: ...

class Batch:
    """
    N worlds, each bit for bit what a Simulation of it would give, for any number of threads and any position in the batch.
    """

    def __init__(self, model: Model, world_count: int, *, solver: str = 'auto', dt: float = 0.0, parameters: Mapping[str, bool | int | float | str] | None = None, thread_count: int = 0, sensor_noise: int | None = None) -> None:
        """
        N worlds, each bit for bit what a Simulation of it would give, for any number of threads and any position in the batch.
        """

    def step(self) -> None:
        """
        One step of every world. A world that diverges stays as it was; the others go on.
        """

    def run_steps(self, steps: int, before_step: Callable[[int], object] | None = None) -> None:
        """
        Many steps of every world with constant inputs; a world stops at its first step that is not committed. The same with a call before each step of each world, on the thread that steps it: it may read all of that world and write its inputs, nothing of other worlds. Where it throws, the steps before stand; which other worlds were stepped by then depends on timing, with more than one thread.
        """

    def run_for(self, seconds: float, before_step: Callable[[int], object] | None = None) -> None:
        """The nearest whole number of steps to `seconds`."""

    def rollout(self, steps: int, controls: numpy.typing.ArrayLike | None = None, *, every: int = 1, states: bool = True, sensors: bool = False, out: Rollout | None = None) -> Rollout:
        """
        `steps` steps of every world in one call, for sampling control: step h of a world takes its inputs from controls[world][h][actuator_count]; empty: the inputs stay as they are. Bit for bit as writing the inputs before each step(). A world stops at its first step that is not committed, and its later moments repeat the last. `kept` is overwritten, its storage used again. An error when sizes do not fit.
        """

    def forward(self) -> None:
        """As Simulation.forward, for every world."""

    def refresh(self) -> None:
        """
        As Simulation.refresh, for each world: one in which nothing was written stays as it is.
        """

    def reset(self, world: SupportsIndex | None = None, to: str | SupportsIndex | State | None = None, start_world: int = 0) -> None:
        """
        All worlds, or one, to the model's initial state (or a keyframe): inputs zero (or its own), memory empty. A world that was reset goes on bit for bit as a new Simulation. One world to a world of `start`, as Simulation.reset.
        """

    def vary(self, parameter: Literal['gravity', 'friction', 'mass', 'gain']) -> numpy.typing.NDArray[numpy.float64]:
        """
        Numbers of each world in place of the Model's, [world][item] (see WorldParameter): at first the Model's, to be written in place, and in force from the next apply_parameters(). The array stays where it is, and reset() and restore() leave it alone: a world with parameters is as a Simulation of a Model that has them. An error, with the names of solvers that read the parameter, where this one does not.
        """

    def apply_parameters(self) -> None:
        """
        Puts what was written into force; solvers forget (warm starts, sleep) in worlds that changed, as after refresh() of another place. On errors, each with world and item, everything stays in force as it was.
        """

    def set_contact_filter(self, may_touch: Callable[[int, rattleback._base.ShapeId, rattleback._base.ShapeId], bool] | None) -> None:
        """
        As Simulation.set_contact_filter. The function is called on the threads that step the worlds, several at once: it may read all of the world it is asked about, nothing of the others.
        """

    def snapshot(self, world: SupportsIndex) -> Snapshot:
        """
        One world as a snapshot, which a Simulation or any world of a Batch of this model and solver can go on from.
        """

    def restore(self, world: SupportsIndex, snapshot: Snapshot) -> None:
        """Continues one world from a snapshot, bit for bit."""

    @property
    def state(self) -> State:
        """
        State of `world_count` worlds of one Model. Arrays may be written between steps; in a Simulation or Batch call its refresh() then: bodies follow q and v (of kinematic bodies: the pose written), and solvers forget where the world was.
        """

    @property
    def control(self) -> Control:
        """
        Inputs of `world_count` worlds: all zero at first, targets at the authored poses, switches and surfaces as the model has them.
        """

    @property
    def sensors(self) -> numpy.typing.NDArray[numpy.float64]:
        """Values of all sensors, (world_count, sensor_value_count)."""

    @property
    def acceleration(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint accelerations that the last forward() found, [world][v_count]."""

    @property
    def reports(self) -> list[StepReport]:
        """What happened in the last call, merged over its steps, [world]."""

    @property
    def committed(self) -> numpy.typing.NDArray[numpy.bool_]:
        """Which worlds took all steps of the last call, (world_count,)."""

    def contacts(self, world: SupportsIndex) -> Contacts:
        """As Simulation.contacts and contact_forces, of one world."""

    def step_derivatives(self, world: SupportsIndex, *, moving_contacts: bool = False, differences: bool = False, interval: float = 1e-06) -> rattleback._base.StepDerivatives:
        """As Simulation.step_derivatives, of one world."""

    def explain(self, world: SupportsIndex) -> str:
        """
        Why the last call went wrong in a world, as Simulation.explain; empty when it did not.
        """

    def energy(self, world: SupportsIndex) -> rattleback._base.Energy:
        """Mechanical energy of a world [J]."""

    def momentum(self, world: SupportsIndex) -> rattleback._base.Momentum:
        """Momentum of a world."""

    @property
    def model(self) -> Model: ...

    @property
    def world_count(self) -> int: ...

    @property
    def thread_count(self) -> int: ...

    @property
    def dt(self) -> float:
        """Timestep [s]."""

    @property
    def solver(self) -> str:
        """Name of the solver."""

    @property
    def solver_reason(self) -> str:
        """why this solver was chosen; empty where the options named it"""

    @property
    def parameters(self) -> dict[str, bool | int | float | str]:
        """Of the solver, all of them."""

    @property
    def warnings(self) -> list[rattleback._base.ErrorItem]:
        """as Simulation.warnings: of the state that all worlds start in"""

    def __len__(self) -> int: ...

    def __repr__(self) -> str: ...

class Dynamics:
    """
    M(q) a + bias(q, v) = τ, without contact: the joint-space equations that `smooth` and `convex` stand on. All joint forces and accelerations are [v_count], in the layout of State.v [N, N m; m/s², rad/s²].
    """

    def __init__(self, model: Model) -> None:
        """At the model's initial state."""

    def update(self, state: State, control: Control | None = None, world: SupportsIndex = 0) -> None:
        """
        Evaluates everything below at one world of a state. Kinematic bodies are where the state has them, move as it says, and do not accelerate. The first starts at the model's initial state. The same without inputs. With gravity, masses and gains that the world has of its own (Batch.parameters), until the next update.
        """

    def mass_matrix(self) -> numpy.typing.NDArray[numpy.float64]:
        """M, with the armature of joints and tendons."""

    def bias(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Coriolis, centrifugal and gravitational forces: what holds the joints at zero acceleration.
        """

    def passive(self) -> numpy.typing.NDArray[numpy.float64]:
        """Springs, dampers, tendons and the medium."""

    def actuation(self) -> numpy.typing.NDArray[numpy.float64]:
        """Forces of the actuators, as they act on the joints."""

    def applied(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint forces and body wrenches of the control."""

    def tendon_length(self) -> numpy.typing.NDArray[numpy.float64]:
        """Length of each tendon [m, rad] and of each actuator's transmission."""

    def actuator_length(self) -> numpy.typing.NDArray[numpy.float64]:
        """Length of each actuator's transmission."""

    def forward(self, force: numpy.typing.ArrayLike, /) -> numpy.typing.NDArray[numpy.float64]:
        """
        a = M⁻¹ (force − bias): what follows from a force on the joints. With force = passive() + actuation() + applied() the acceleration that a simulation without contact, limits and equalities has.
        """

    def inverse(self, acceleration: numpy.typing.ArrayLike, /) -> numpy.typing.NDArray[numpy.float64]:
        """
        M a + bias: the force that gives this acceleration. (MuJoCo's qfrc_inverse is this less passive() and less what contacts and other constraints give.)
        """

    def solve(self, x: numpy.typing.ArrayLike, /) -> numpy.typing.NDArray[numpy.float64]:
        """M⁻¹ x."""

    def forward_derivatives(self, given: numpy.typing.ArrayLike, /) -> rattleback._base.DynamicsDerivatives:
        """Derivatives of forward(force); by_input is M⁻¹."""

    def inverse_derivatives(self, given: numpy.typing.ArrayLike, /) -> rattleback._base.DynamicsDerivatives:
        """Derivatives of inverse(acceleration); by_input is M."""

    def point_jacobian(self, body: SupportsIndex, point: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """
        [3][v_count]: velocity of the point (world coordinates) as part of the body, per joint velocity; world axes.
        """

    def rotation_jacobian(self, body: SupportsIndex) -> numpy.typing.NDArray[numpy.float64]:
        """
        [3][v_count]: angular velocity of the body per joint velocity, world axes.
        """

    def center_of_mass_jacobian(self, subtree: SupportsIndex = 0) -> numpy.typing.NDArray[numpy.float64]:
        """
        [3][v_count]: velocity of the centre of mass of a body and all that it carries.
        """

    def center_of_mass(self, subtree: SupportsIndex = 0) -> numpy.typing.NDArray[numpy.float64]:
        """Centre of mass of a body and all that it carries [m]."""

    def momentum(self) -> rattleback._base.Momentum:
        """Of everything that joints move."""

    def __repr__(self) -> str: ...

def cast_ray(state: State, origin: numpy.typing.ArrayLike, direction: numpy.typing.ArrayLike, reach: float = float('inf'), world: SupportsIndex = 0) -> rattleback._base.ShapeHit | None:
    """
    The first surface on the ray from `origin` along `direction` (any length but zero), not further than `reach` [m]. A ray that starts inside a shape meets it where it leaves. Seen are planes, spheres, capsules, boxes, cylinders, ellipsoids, hulls, meshes, surfaces and height fields (these two from either side), whatever their masks; of equally near ones the first.
    """

def find_distance(state: State, first: SupportsIndex, second: SupportsIndex | numpy.typing.ArrayLike, world: SupportsIndex = 0) -> rattleback._base.ShapeGap | None:
    """
    Signed distance of two shapes, whatever their masks; nothing where the two kinds have none: points, segments, and planes and height fields among themselves. Of meshes that collide exactly, surfaces and height fields that overlap something, it is the depth of the deepest contact, along whose normal they need not part at once. The same with the bodies of the two shapes at given poses. Signed distance of a point [m, world] to a shape, negative inside: first the shape, second the point. Surfaces have no inside; below a height field is inside. Nothing for points and segments.
    """

def may_collide(model: Model, first: SupportsIndex, second: SupportsIndex) -> bool:
    """
    True when the filters let two shapes collide: categories, same or parent body, exclusions, explicit pairs.
    """

def refresh_bodies(state: State, world: SupportsIndex = 0) -> None:
    """
    Body poses and velocities that follow from q, v and, for kinematic bodies, their present pose and velocity.
    """

def compute_center_of_mass(state: State, subtree: SupportsIndex = 0, world: SupportsIndex = 0) -> numpy.typing.NDArray[numpy.float64]:
    """
    Centre of mass of a body and everything attached to it, or of the whole world [m].
    """

version: str = '0.1.0'
