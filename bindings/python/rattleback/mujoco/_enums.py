"""The enumerators of MuJoCo that programs pass, with its numbers."""
from enum import IntEnum, IntFlag


class mjtObj(IntEnum):
    """Kinds of elements, for names."""

    mjOBJ_UNKNOWN = 0
    mjOBJ_BODY = 1
    mjOBJ_XBODY = 2
    mjOBJ_JOINT = 3
    mjOBJ_DOF = 4
    mjOBJ_GEOM = 5
    mjOBJ_SITE = 6
    mjOBJ_CAMERA = 7
    mjOBJ_LIGHT = 8
    mjOBJ_TENDON = 18
    mjOBJ_ACTUATOR = 19
    mjOBJ_SENSOR = 20
    mjOBJ_EQUALITY = 17
    mjOBJ_KEY = 24


class mjtJoint(IntEnum):
    """Types of joints."""

    mjJNT_FREE = 0
    mjJNT_BALL = 1
    mjJNT_SLIDE = 2
    mjJNT_HINGE = 3


class mjtIntegrator(IntEnum):
    """Integrators."""

    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3


class mjtState(IntFlag):
    """Parts of a state vector."""

    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_CTRL = 128
    mjSTATE_QFRC_APPLIED = 256
    mjSTATE_XFRC_APPLIED = 512
    mjSTATE_PHYSICS = 14
    mjSTATE_FULLPHYSICS = 15
