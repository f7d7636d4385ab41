"""MuJoCo's pictures by Rattleback's rasteriser: scenes, cameras and contexts as programs make them, mjr_readPixels, Renderer.

There is no OpenGL: a context remembers what to draw, and it is drawn when pixels are read."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .._program import draw_moment
from ._data import MjData
from ._model import MjModel
from ._structs import Struct
from ._tables import ENUMS

Array = npt.NDArray[Any]
_CAMERA = ENUMS["mjtCamera"]


class MjvCamera(Struct):
    """Where the picture is taken from."""

    def __init__(self) -> None:
        self.type = int(_CAMERA.mjCAMERA_FREE)
        self.fixedcamid = self.trackbodyid = -1
        self.lookat = np.zeros(3)
        self.distance, self.azimuth, self.elevation = 2.0, 90.0, -45.0
        self.orthographic = 0


class MjvOption(Struct):
    """What is drawn; only contact points and forces are heeded."""

    def __init__(self) -> None:
        self.label = self.frame = self.flex_layer = 0
        self.bvh_depth = 1
        for name in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin"):
            setattr(self, name + "group", np.array([1, 1, 1, 0, 0, 0], dtype=np.uint8))
        self.flags = np.zeros(int(ENUMS["mjtVisFlag"].mjNVISFLAG), dtype=np.uint8)


class MjvPerturb(Struct):
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


class MjvGeom(Struct):
    """A decoration of a scene; not drawn."""

    def __init__(self) -> None:
        self.type = self.objtype = self.category = 0
        self.dataid = self.objid = self.matid = self.segid = self.texid = -1
        self.size, self.pos, self.mat, self.rgba = np.zeros(3), np.zeros(3), np.eye(3), np.ones(4)
        self.emission = self.reflectance = self.camdist = self.modelrbound = 0.0
        self.specular = self.shininess = 0.5
        self.texuniform = self.texcoord = self.transparent = 0
        self.castshadow, self.texrepeat = 1, np.zeros(2)
        self.label = ""


class MjvGLCamera(Struct):
    """A camera of the graphics library; not used."""

    def __init__(self) -> None:
        self.pos, self.forward, self.up = np.zeros(3), np.array([0.0, 1, 0]), np.array([0.0, 0, 1])
        self.frustum_center = self.frustum_width = self.frustum_bottom = self.frustum_top = self.frustum_near = self.frustum_far = 0.0
        self.orthographic = 0


class MjvScene:
    """What mjv_updateScene saw."""

    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None:
        self.maxgeom, self.ngeom = int(maxgeom), 0
        self.geoms = [MjvGeom() for _ in range(min(int(maxgeom), 100))]
        self.camera = (MjvGLCamera(), MjvGLCamera())
        self.flags = np.zeros(int(ENUMS["mjtRndFlag"].mjNRNDFLAG), dtype=np.uint8)
        self.enabletransform, self.scale, self.translate, self.rotate = 0, 1.0, np.zeros(3), np.array([1.0, 0, 0, 0])  # from the model to a room
        self.view: tuple[MjData, str, bool] | None = None
        self.range = 0.0, 1.0  # nearest and farthest depth [m]


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
        name = m.list_full_names("camera")[cam.fixedcamid]
        if not name:
            raise ValueError(f"camera {cam.fixedcamid} has no name: rattleback.mujoco draws from named cameras")
        return name
    where = d.xipos[cam.trackbodyid] if cam.type == _CAMERA.mjCAMERA_TRACKING else cam.lookat
    # MuJoCo says where the camera looks, we say where it stands.
    yaw, pitch = float(cam.azimuth) - 180.0, float(np.clip(-cam.elevation, -89.9, 89.9))
    return ",".join(repr(float(x)) for x in (yaw, pitch, cam.distance, *where))


def mjv_defaultCamera(cam: MjvCamera) -> None:
    """As a new one."""
    vars(cam).update(MjvCamera().__dict__)


def mjv_defaultOption(opt: MjvOption) -> None:
    """As a new one."""
    vars(opt).update(MjvOption().__dict__)


def mjv_defaultPerturb(pert: MjvPerturb) -> None:
    """As a new one."""
    vars(pert).update(MjvPerturb().__dict__)


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
    scn.range = m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent
    fixed = cam.type == _CAMERA.mjCAMERA_FIXED
    orthographic = bool(m.cam_projection[cam.fixedcamid]) if fixed else bool(cam.orthographic)
    for eye in scn.camera:
        eye.orthographic = int(orthographic)
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
    """The picture, lower rows first; with the flag mjRND_SEGMENT the colours are 1 + the geom's number, red lowest (mjRND_IDCOLOR).
    Depth as a graphics library keeps it: by con.readDepthMap 0 near and 1 far, or the other way round."""
    if rgb is not None:
        target = rgb.reshape(viewport.height, viewport.width, 3)
        if con.scene is not None and con.scene.flags[int(ENUMS["mjtRndFlag"].mjRND_SEGMENT)]:
            numbers = _draw(con.scene, viewport.width, viewport.height, "segmentation")[::-1] + 1
            target[...] = np.stack([numbers >> shift & 255 for shift in (0, 8, 16)], axis=-1)
        else:
            target[...] = _draw(con.scene, viewport.width, viewport.height)[::-1]
    if depth is not None:
        seen = _draw(con.scene, viewport.width, viewport.height, "depth")[::-1].astype(np.float64)
        scene = con.scene
        assert scene is not None  # or _draw would have raised
        near, far = scene.range
        seen = np.clip(seen, near, far)
        beyond = (far - seen) / (far - near) * (1.0 if scene.camera[0].orthographic else near / seen)
        zero_far = int(con.readDepthMap) == int(ENUMS["mjtDepthMap"].mjDEPTH_ZEROFAR)
        depth.reshape(viewport.height, viewport.width)[...] = beyond if zero_far else 1 - beyond


def _draw(scene: MjvScene | None, width: int, height: int, layer: str = "colour") -> Array:
    if scene is None or scene.view is None:
        raise RuntimeError("there is no scene: call mjv_updateScene and mjr_render first")
    data, camera, contacts = scene.view
    data.take_over()
    return draw_moment(data.simulation, width=width, height=height, camera=camera, time=None, follow=None,
                       contacts=contacts and layer == "colour", draft=False, layer=layer)


class Renderer:
    """Pictures of MjData: update_scene(data, camera), render()."""

    def __init__(self, model: MjModel, height: int = 240, width: int = 320, max_geom: int = 10000, font_scale: int = 150) -> None:
        if width > model.vis.global_.offwidth or height > model.vis.global_.offheight:
            raise ValueError(f"Image size {width}x{height} is larger than the frame buffer "
                             f"{model.vis.global_.offwidth}x{model.vis.global_.offheight}: raise model.vis.global_.offwidth and offheight")
        self.model, self.height, self.width = model, height, width
        self.scene = MjvScene(model, max_geom)
        self._layer, self._closed, self._gl_context = "colour", False, None

    def update_scene(self, data: MjData, camera: int | str | MjvCamera = -1, scene_option: MjvOption | None = None) -> None:
        """Takes a state, seen from a camera."""
        made = camera if isinstance(camera, MjvCamera) else MjvCamera()
        if not isinstance(camera, MjvCamera):
            if isinstance(camera, str):
                if camera not in self.model.list_names("camera"):
                    raise ValueError(f'The camera "{camera}" does not exist.')
                camera = self.model.find("camera", camera)
            if camera >= self.model.ncam or camera < -1:
                raise ValueError(f"The camera id {camera} is out of range [-1, {self.model.ncam}).")
            if camera < 0:
                mjv_defaultFreeCamera(self.model, made)
            else:
                made.type, made.fixedcamid = int(_CAMERA.mjCAMERA_FIXED), int(camera)
        mjv_updateScene(self.model, data, scene_option or MjvOption(), None, made, 0, self.scene)

    def render(self, *, out: Array | None = None) -> Array:
        """Red, green and blue, uint8 (height, width, 3); or depth [m], float32 (height, width), at most that of the far plane; or number and
        mjtObj of what is seen, int32 (height, width, 2), -1 where nothing is."""
        if self._closed:
            raise RuntimeError("render cannot be called after close.")
        shape = (self.height, self.width) + {"colour": (3,), "depth": (), "segmentation": (2,)}[self._layer]
        if out is not None and out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        picture = _draw(self.scene, self.width, self.height, self._layer)
        if self._layer == "depth":
            picture = np.minimum(picture, np.float32(self.scene.range[1]))
        elif self._layer == "segmentation":
            picture = np.stack([picture, np.where(picture < 0, -1, int(ENUMS["mjtObj"].mjOBJ_GEOM))], axis=-1).astype(np.int32)
        if out is None:
            return picture
        out[...] = picture
        return out

    def enable_depth_rendering(self) -> None:
        """render() gives depth."""
        self._layer = "depth"

    def enable_segmentation_rendering(self) -> None:
        """render() gives numbers and kinds."""
        self._layer = "segmentation"

    def disable_depth_rendering(self) -> None:
        """render() gives colours."""
        self._layer = "colour"

    def disable_segmentation_rendering(self) -> None:
        """render() gives colours."""
        self._layer = "colour"

    def close(self) -> None:
        """Nothing to give back; no pictures afterwards."""
        self._closed = True

    def __del__(self) -> None:
        self._closed = True

    def __enter__(self) -> Renderer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
