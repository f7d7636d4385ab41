"""MuJoCo's pictures by Rattleback's rasteriser: scenes, cameras and contexts as programs make them, mjr_readPixels, Renderer.

There is no OpenGL: a context remembers what to draw, and it is drawn when pixels are read."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._program import draw_moment
from ._data import MjData
from ._model import MjModel
from ._tables import ENUMS

Array = npt.NDArray[Any]
_CAMERA = ENUMS["mjtCamera"]


class MjvCamera:
    """Where the picture is taken from."""

    def __init__(self) -> None:
        self.type = int(_CAMERA.mjCAMERA_FREE)
        self.fixedcamid = self.trackbodyid = -1
        self.lookat = np.zeros(3)
        self.distance, self.azimuth, self.elevation = 2.0, 90.0, -45.0
        self.orthographic = 0


class MjvOption:
    """What is drawn; only contact points and forces are heeded."""

    def __init__(self) -> None:
        self.label = self.frame = self.flex_layer = 0
        self.bvh_depth = 1
        for name in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin"):
            setattr(self, name + "group", np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8))
        self.flags = np.zeros(int(ENUMS["mjtVisFlag"].mjNVISFLAG), dtype=np.uint8)


class MjvPerturb:
    """A pull with the mouse, which nobody does here."""

    def __init__(self) -> None:
        self.select = self.flexselect = self.skinselect = -1
        self.active = self.active2 = 0
        self.refpos, self.refquat, self.refselpos, self.localpos = np.zeros(3), np.array([1.0, 0, 0, 0]), np.zeros(3), np.zeros(3)
        self.localmass = self.scale = 1.0


class MjvFigure:
    """A plot in the picture; not drawn."""

    def __init__(self) -> None:
        self.range = np.zeros((2, 2))
        self.title = ""


class MjvGeom:
    """A decoration of a scene; not drawn."""

    def __init__(self) -> None:
        self.type = self.objtype = self.category = 0
        self.dataid = self.objid = self.matid = self.segid = -1
        self.size, self.pos, self.mat, self.rgba = np.zeros(3), np.zeros(3), np.eye(3), np.ones(4)
        self.label = ""


class MjvGLCamera:
    """A camera of the graphics library; not used."""

    def __init__(self) -> None:
        self.pos, self.forward, self.up = np.zeros(3), np.array([0.0, 1, 0]), np.array([0.0, 0, 1])
        self.orthographic = 0


class MjvScene:
    """What mjv_updateScene saw."""

    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None:
        self.maxgeom, self.ngeom = int(maxgeom), 0
        self.geoms = [MjvGeom() for _ in range(min(int(maxgeom), 100))]
        self.camera = (MjvGLCamera(), MjvGLCamera())
        self.flags = np.zeros(int(ENUMS["mjtRndFlag"].mjNRNDFLAG), dtype=np.uint8)
        self.view: tuple[MjData, str, bool] | None = None


class MjrRect:
    """A part of a picture [pixels]."""

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        self.left, self.bottom, self.width, self.height = int(left), int(bottom), int(width), int(height)


class MjrContext:
    """Remembers which scene is to be drawn."""

    def __init__(self, model: MjModel | None = None, fontscale: int = 150) -> None:
        self.scene: MjvScene | None = None
        self.offWidth, self.offHeight, self.currentBuffer = 640, 480, 1
        self.readDepthMap = 0
        if model is not None:
            self.offWidth, self.offHeight = model.vis.global_.offwidth, model.vis.global_.offheight

    def free(self) -> None:
        """Nothing to give back."""


class GLContext:
    """Stands for a context of the graphics library."""

    def __init__(self, max_width: int = 0, max_height: int = 0) -> None:
        self.size = max_width, max_height

    def make_current(self) -> None:
        """Nothing to do."""

    def free(self) -> None:
        """Nothing to give back."""


def _say_camera(m: MjModel, d: MjData, cam: MjvCamera) -> str:
    """A camera in the words of `rattleback render`: its name, or yaw, pitch, distance and where it looks."""
    if cam.type == _CAMERA.mjCAMERA_FIXED:
        name = m.list_names("camera")[cam.fixedcamid]
        if not name:
            raise ValueError(f"camera {cam.fixedcamid} has no name: rattleback.mujoco draws from named cameras")
        return name
    where = d.xipos[cam.trackbodyid] if cam.type == _CAMERA.mjCAMERA_TRACKING else cam.lookat
    # MuJoCo says where the camera looks, we say where it stands.
    yaw, pitch = float(cam.azimuth) - 180.0, float(np.clip(-cam.elevation, -89.9, 89.9))
    return ",".join(repr(float(x)) for x in (yaw, pitch, cam.distance, *where))


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """As a new one."""
    cam.__dict__.update(MjvCamera().__dict__)


def mjv_defaultOption(opt: MjvOption) -> None:
    """As a new one."""
    opt.__dict__.update(MjvOption().__dict__)


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """As a new one."""
    pert.__dict__.update(MjvPerturb().__dict__)


def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None:
    """Sees the whole model."""
    mjv_defaultCamera(cam)
    cam.lookat[:] = m.stat.center
    cam.distance = 1.5 * m.stat.extent
    cam.azimuth, cam.elevation = m.vis.global_.azimuth, m.vis.global_.elevation


def mjv_initGeom(geom: MjvGeom, type: int, size: Any = None, pos: Any = None, mat: Any = None, rgba: Any = None) -> None:  # noqa: A002
    """A decoration."""
    geom.type = int(type)
    for name, value in (("size", size), ("pos", pos), ("mat", mat), ("rgba", rgba)):
        if value is not None:
            getattr(geom, name).reshape(-1)[...] = np.ravel(value)


def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: Any, cam: MjvCamera, catmask: int, scn: MjvScene) -> None:
    """Takes the present state for the next picture."""
    flags = ENUMS["mjtVisFlag"]
    contacts = bool(opt.flags[int(flags.mjVIS_CONTACTPOINT)] or opt.flags[int(flags.mjVIS_CONTACTFORCE)])
    scn.view = d, _say_camera(m, d, cam), contacts
    scn.ngeom = 0


def mjr_setBuffer(framebuffer: int, con: MjrContext) -> None:
    """There is one buffer."""


def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None:
    """The scene is drawn when its pixels are read."""
    con.scene = scn


def mjr_overlay(font: int, gridpos: int, viewport: MjrRect, overlay: Any, overlay2: Any, con: MjrContext) -> None:
    """Text over the picture; not drawn."""


def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: int) -> None:
    """Every picture is drawn from the model as it is."""


def mjr_readPixels(rgb: Array | None, depth: Array | None, viewport: MjrRect, con: MjrContext) -> None:
    """The picture, lower rows first; depth is not drawn: asked for alone it raises, beside colours it is 1, as if nothing were near."""
    if rgb is None and depth is not None:
        raise NotImplementedError("rattleback.mujoco draws colours: depth is not supported")
    if rgb is not None:
        rgb.reshape(viewport.height, viewport.width, 3)[...] = _draw(con.scene, viewport.width, viewport.height)[::-1]
    if depth is not None:
        depth[...] = 1.0


def _draw(scene: MjvScene | None, width: int, height: int) -> npt.NDArray[np.uint8]:
    if scene is None or scene.view is None:
        raise RuntimeError("there is no scene: call mjv_updateScene and mjr_render first")
    if scene.flags[int(ENUMS["mjtRndFlag"].mjRND_SEGMENT)]:
        raise NotImplementedError("rattleback.mujoco draws colours: segmentation is not supported")
    data, camera, contacts = scene.view
    data.take_over()
    return draw_moment(data.simulation, width=width, height=height, camera=camera, time=None, follow=None, contacts=contacts, draft=False)


class Renderer:
    """Pictures of MjData: update_scene(data, camera), render()."""

    def __init__(self, model: MjModel, height: int = 240, width: int = 320, max_geom: int = 10000, font_scale: int = 150) -> None:
        if width > model.vis.global_.offwidth or height > model.vis.global_.offheight:
            raise ValueError(f"Image size {width}x{height} is larger than the frame buffer "
                             f"{model.vis.global_.offwidth}x{model.vis.global_.offheight}: raise model.vis.global_.offwidth and offheight")
        self.model, self.height, self.width = model, height, width
        self.scene = MjvScene(model, max_geom)

    def update_scene(self, data: MjData, camera: int | str | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """Takes a state, seen from a camera."""
        if not isinstance(camera, MjvCamera):
            made = MjvCamera()
            if isinstance(camera, str):
                camera = self.model.find("camera", camera)
            if camera >= self.model.ncam or camera < -1:
                raise ValueError(f"The camera id {camera} is out of range [-1, {self.model.ncam}).")
            if camera < 0:
                mjv_defaultFreeCamera(self.model, made)
            else:
                made.type, made.fixedcamid = int(_CAMERA.mjCAMERA_FIXED), int(camera)
            camera = made
        mjv_updateScene(self.model, data, scene_option or MjvOption(), None, camera, 0, self.scene)

    def render(self, *, out: Array | None = None) -> Array:
        """(height, width, 3), red, green and blue."""
        picture = _draw(self.scene, self.width, self.height)
        if out is None:
            return picture
        out[...] = picture
        return out

    def enable_depth_rendering(self) -> None:
        """Not supported."""
        raise NotImplementedError("rattleback.mujoco draws colours: depth is not supported")

    def enable_segmentation_rendering(self) -> None:
        """Not supported."""
        raise NotImplementedError("rattleback.mujoco draws colours: segmentation is not supported")

    def disable_depth_rendering(self) -> None:
        """It is never on."""

    def disable_segmentation_rendering(self) -> None:
        """It is never on."""

    def close(self) -> None:
        """Nothing to give back."""

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
