"""The models of the tasks, as MJCF that is put together here: machines of capsules with motors at their hinges. SI units, radians."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import _core

_FLOOR = '<geom name="floor" type="plane" contype="1" conaffinity="0" size="40 40 0.5" friction="1" rgba="0.4 0.5 0.45 1"/>'
_PLANAR = """<joint name="root_x" type="slide" axis="1 0 0" armature="0" damping="0" stiffness="0"/>
<joint name="root_z" type="slide" axis="0 0 1" armature="0" damping="0" stiffness="0"/><joint name="root_turn" axis="0 1 0" armature="0" damping="0" stiffness="0"/>"""


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


def _limb(name: str, tip: Sequence[float], radius: float, *, at: Sequence[float] = (0, 0, 0), joints: str = "", inside: str = "") -> str:
    """A body with a capsule from its origin to `tip`, its joints, and bodies that hang on it."""
    return (f'<body name="{name}" pos="{_numbers(at)}">{joints}<geom name="{name}" type="capsule" fromto="0 0 0 {_numbers(tip)}" '
            f'size="{radius:g}"/>{inside}</body>')


def _hinge(name: str, axis: Sequence[float], low: float, high: float) -> str:
    return f'<joint name="{name}" axis="{_numbers(axis)}" range="{low:g} {high:g}"/>'


def _motors(strengths: dict[str, float]) -> str:
    rows = "".join(f'<motor name="{name}" joint="{name}" gear="{gear:g}"/>' for name, gear in strengths.items())
    return f"<actuator>{rows}</actuator>"


def _attributes(values: dict[str, float | str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in values.items())


# Limbs do not touch each other: they collide with the floor alone. Or with nothing.
_ON_FLOOR: dict[str, float | str] = {"contype": 0, "conaffinity": 1}
_FREE: dict[str, float | str] = {"contype": 0, "conaffinity": 0}


def _document(name: str, world: str, motors: dict[str, float], *, dt: float, option: str = "", joint: dict[str, float | str] | None = None,
              geom: dict[str, float | str] = _ON_FLOOR, more: str = "") -> str:
    joints = {"armature": 0.02, "damping": 1, **(joint or {})}
    geoms = {"density": 1000, "condim": 3, "friction": 1, "rgba": "0.8 0.5 0.3 1", **geom}
    return f"""<mujoco model="{name}"><compiler angle="radian" autolimits="true"/><option timestep="{dt:g}" {option}/>
<default><joint {_attributes(joints)}/><geom {_attributes(geoms)}/><motor ctrlrange="-1 1"/></default>
<worldbody><light pos="0 0 4"/>{world}</worldbody>{_motors(motors)}{more}</mujoco>"""


def _pendulum(links: int) -> str:
    """A cart on a rail with poles of 0.6 m, one on the other."""
    inside = '<site name="tip" pos="0 0 0.6"/>'
    for i in reversed(range(links)):
        low_high = (-1.5, 1.5) if links == 1 else (-6.3, 6.3)
        inside = _limb(f"pole_{i}", (0, 0, 0.6), 0.04, at=(0, 0, 0.6 if i else 0), joints=_hinge(f"hinge_{i}", (0, 1, 0), *low_high), inside=inside)
    cart = ('<body name="cart"><joint name="slide" type="slide" axis="1 0 0" range="-1.5 1.5"/>'
            f'<geom name="cart" type="box" size="0.15 0.1 0.05"/>{inside}</body>')
    return _document(f"pendulum_{links}", cart, {"slide": 60.0}, dt=0.01, joint={"damping": 0.05, "armature": 0}, geom=_FREE)


def _reacher() -> str:
    """Two links on a table, and a target that is somewhere within reach."""
    arm = _limb("upper", (0.15, 0, 0), 0.015, joints='<joint name="shoulder" axis="0 0 1"/>', inside=_limb(
        "lower", (0.15, 0, 0), 0.015, at=(0.15, 0, 0), joints=_hinge("elbow", (0, 0, 1), -2.8, 2.8), inside='<site name="hand" pos="0.15 0 0"/>'))
    target = ('<body name="target"><joint name="target_x" type="slide" axis="1 0 0"/><joint name="target_y" type="slide" axis="0 1 0"/>'
              '<geom name="target" type="sphere" size="0.02" rgba="0.2 0.8 0.2 1"/></body>')
    return _document("reacher", arm + target, {"shoulder": 0.1, "elbow": 0.1}, dt=0.01, option='gravity="0 0 0"',
                     joint={"damping": 0.02, "armature": 0.002}, geom=_FREE)


def _swimmer() -> str:
    """Three rods that move through a viscous medium by bending."""
    tail = _limb("rear", (-0.4, 0, 0), 0.04, at=(-0.4, 0, 0), joints=_hinge("rear_bend", (0, 0, 1), -1.7, 1.7))
    middle = _limb("middle", (-0.4, 0, 0), 0.04, at=(-0.2, 0, 0), joints=_hinge("front_bend", (0, 0, 1), -1.7, 1.7), inside=tail)
    root = ('<joint name="root_x" type="slide" axis="1 0 0" damping="0"/><joint name="root_y" type="slide" axis="0 1 0" damping="0"/>'
            '<joint name="root_turn" axis="0 0 1" damping="0"/>')
    head = f'<body name="torso">{root}<geom name="torso" type="capsule" fromto="0.2 0 0 -0.2 0 0" size="0.04"/>{middle}</body>'
    return _document("swimmer", head, {"front_bend": 6.0, "rear_bend": 6.0}, dt=0.01, option='density="1000" viscosity="0.1" gravity="0 0 0"',
                     joint={"damping": 0.1, "armature": 0.005}, geom=_FREE)


def _leg(side: str, y: float) -> str:
    """Thigh, shin and foot of a machine in the plane."""
    foot = _limb(f"{side}foot", (0.2, 0, 0), 0.05, at=(-0.05, 0, -0.45), joints=_hinge(f"{side}ankle", (0, -1, 0), -0.8, 0.8))
    shin = _limb(f"{side}shin", (0, 0, -0.45), 0.04, at=(0, 0, -0.45), joints=_hinge(f"{side}knee", (0, -1, 0), -2.5, 0), inside=foot)
    return _limb(f"{side}thigh", (0, 0, -0.45), 0.05, at=(0, y, 0), joints=_hinge(f"{side}hip", (0, -1, 0), -1.2, 1.2), inside=shin)


def _walker(sides: Sequence[str]) -> str:
    """A torso on one leg (hopper) or two (walker), in the plane."""
    legs = "".join(_leg(side, y) for side, y in zip(sides, (0.0,) if len(sides) == 1 else (-0.06, 0.06)))
    torso = (f'<body name="torso" pos="0 0 0.95">{_PLANAR}<geom name="torso" type="capsule" fromto="0 0 0 0 0 0.4" size="0.06"/>{legs}</body>')
    strength = {"hip": 120.0, "knee": 100.0, "ankle": 50.0}
    motors = {side + name: gear for side in sides for name, gear in strength.items()}
    return _document("walker" if len(sides) > 1 else "hopper", _FLOOR + torso, motors, dt=0.004)


def _cheetah() -> str:
    """A long back on a leg behind and one before, in the plane."""
    def leg(name: str, x: float, sign: float) -> str:
        foot = _limb(name + "_foot", (0.12, 0, -0.08), 0.04, at=(sign * 0.1, 0, -0.2), joints=_hinge(name + "_ankle", (0, 1, 0), -0.6, 0.6))
        shin = _limb(name + "_shin", (sign * 0.1, 0, -0.2), 0.04, at=(-sign * 0.1, 0, -0.22), joints=_hinge(name + "_knee", (0, 1, 0), -0.9, 0.9),
                     inside=foot)
        return _limb(name + "_thigh", (-sign * 0.1, 0, -0.22), 0.045, at=(x, 0, 0), joints=_hinge(name + "_hip", (0, 1, 0), -0.9, 0.9), inside=shin)

    torso = (f'<body name="torso" pos="0 0 0.58">{_PLANAR}<geom name="torso" type="capsule" fromto="-0.45 0 0 0.45 0 0" size="0.05"/>'
             '<geom name="head" type="capsule" fromto="0.45 0 0.02 0.62 0 0.14" size="0.05"/>' + leg("rear", -0.45, 1.0) + leg("front", 0.45, -1.0) + "</body>")
    motors = {"rear_hip": 100.0, "rear_knee": 75.0, "rear_ankle": 50.0, "front_hip": 100.0, "front_knee": 60.0, "front_ankle": 40.0}
    return _document("cheetah", _FLOOR + torso, motors, dt=0.005, joint={"stiffness": 40, "damping": 3})


def _ant() -> str:
    """A ball on four legs with two hinges each."""
    legs = ""
    for i, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        shin = _limb(f"shin_{i}", (0.35 * x, 0.35 * y, 0), 0.06, at=(0.2 * x, 0.2 * y, 0), joints=_hinge(f"knee_{i}", (-y, x, 0), 0.5, 1.7))
        legs += _limb(f"leg_{i}", (0.2 * x, 0.2 * y, 0), 0.06, at=(0.18 * x, 0.18 * y, 0), joints=_hinge(f"hip_{i}", (0, 0, 1), -0.5, 0.5), inside=shin)
    torso = f'<body name="torso" pos="0 0 0.55"><freejoint name="root"/><geom name="torso" type="sphere" size="0.22"/>{legs}</body>'
    motors = {f"{joint}_{i}": 40.0 for i in range(4) for joint in ("hip", "knee")}
    keys = '<keyframe><key name="start" qpos="0 0 0.55 1 0 0 0 0 1 0 1 0 1 0 1"/></keyframe>'
    return _document("ant", _FLOOR + torso, motors, dt=0.005, geom={**_ON_FLOOR, "density": 200}, more=keys)


def _humanoid(lying: bool) -> str:
    """A human figure of 1.5 m with 17 motors; standing, or on its back."""
    def leg(side: str, y: float) -> str:
        foot = f'<body name="{side}_foot" pos="0 0 -0.38"><geom name="{side}_foot" type="sphere" size="0.075"/></body>'
        shin = _limb(side + "_shin", (0, 0, -0.34), 0.049, at=(0, 0, -0.36), joints=_hinge(side + "_knee", (0, -1, 0), -2.6, 0), inside=foot)
        joints = (_hinge(side + "_hip_x", (1 if y > 0 else -1, 0, 0), -0.4, 0.2) + _hinge(side + "_hip_z", (0, 0, 1 if y > 0 else -1), -0.9, 0.6)
                  + _hinge(side + "_hip_y", (0, -1, 0), -0.5, 1.9))
        return _limb(side + "_thigh", (0, 0, -0.32), 0.06, at=(0, y, -0.04), joints=joints, inside=shin)

    def arm(side: str, y: float) -> str:
        sign = 1 if y > 0 else -1
        lower = _limb(side + "_lower_arm", (0.2, 0, 0.02), 0.035, at=(0.02, 0.22 * sign, -0.16), joints=_hinge(side + "_elbow", (0, -1, 0), -1.5, 0.9),
                      inside=f'<geom name="{side}_hand" type="sphere" size="0.04" pos="0.23 0 0.02"/>')
        joints = _hinge(side + "_shoulder_x", (sign, 0, 0), -1.4, 1.0) + _hinge(side + "_shoulder_y", (0, -1, 0), -1.4, 1.0)
        return _limb(side + "_upper_arm", (0.02, 0.2 * sign, -0.15), 0.04, at=(0, y, 0.06), joints=joints, inside=lower)

    pelvis = ('<body name="pelvis" pos="0 0 -0.17">' + _hinge("abdomen_x", (1, 0, 0), -0.6, 0.6)
              + '<geom name="pelvis" type="capsule" fromto="0 -0.07 0 0 0.07 0" size="0.09"/>' + leg("right", -0.1) + leg("left", 0.1) + "</body>")
    waist = ('<body name="waist" pos="0 0 -0.26">' + _hinge("abdomen_z", (0, 0, 1), -0.8, 0.8) + _hinge("abdomen_y", (0, 1, 0), -1.3, 0.5)
             + f'<geom name="waist" type="capsule" fromto="0 -0.06 0 0 0.06 0" size="0.06"/>{pelvis}</body>')
    place = 'pos="0 0 0.12" quat="0.7071067811865476 0 -0.7071067811865476 0"' if lying else 'pos="0 0 1.34"'
    torso = (f'<body name="torso" {place}><freejoint name="root"/><geom name="torso" type="capsule" fromto="0 -0.07 0 0 0.07 0" size="0.07"/>'
             '<geom name="belly" type="capsule" fromto="0 -0.06 -0.12 0 0.06 -0.12" size="0.06"/>'
             f'<geom name="head" type="sphere" size="0.09" pos="0 0 0.19"/>{waist}' + arm("right", -0.17) + arm("left", 0.17) + "</body>")
    motors = {"abdomen_z": 40.0, "abdomen_y": 40.0, "abdomen_x": 40.0}
    for side in ("right", "left"):
        motors |= {side + "_hip_x": 40.0, side + "_hip_z": 40.0, side + "_hip_y": 120.0, side + "_knee": 80.0}
    for side in ("right", "left"):
        motors |= {side + "_shoulder_x": 25.0, side + "_shoulder_y": 25.0, side + "_elbow": 25.0}
    return _document("humanoid", _FLOOR + torso, motors, dt=0.005, option='integrator="implicitfast"', joint={"stiffness": 5, "damping": 2})


_MODELS: dict[str, Callable[[], str]] = {
    "InvertedPendulum": lambda: _pendulum(1), "InvertedDoublePendulum": lambda: _pendulum(2), "Reacher": _reacher, "Swimmer": _swimmer,
    "Hopper": lambda: _walker([""]), "Walker2d": lambda: _walker(["right_", "left_"]), "HalfCheetah": _cheetah, "Ant": _ant,
    "Humanoid": lambda: _humanoid(False), "HumanoidStandup": lambda: _humanoid(True),
}


def make_model(name: str) -> _core.Model:
    """The model of a task."""
    if name not in _MODELS:
        raise KeyError(f"no task '{name}' (there are {', '.join(_MODELS)})")
    return _core.parse_mjcf(_MODELS[name](), name=name)
