"""Simulation and Batch: the compiled classes, with names as keys, pictures and pickling."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy.typing as npt

from . import _core
from ._elements import Actuator, Body, ElementsOf, Equality, Joint, Sensor, Shape, Site
from ._progress import Progress
from ._program import Page, draw_moment, draw_worlds, make_folder, make_page


class Simulation(_core.Simulation):
    """A Model in motion: one world, run by one solver."""

    body = ElementsOf(Body, "bodies", "Bodies by name: sim.body['torso'].position.")
    joint = ElementsOf(Joint, "joints", "Joints by name: sim.joint['knee'].q.")
    shape = ElementsOf(Shape, "shapes", "Shapes by name.")
    site = ElementsOf(Site, "sites", "Sites by name: sim.site['hand'].position.")
    actuator = ElementsOf(Actuator, "actuators", "Actuators by name: sim.actuator['motor'].input = 1.")
    sensor = ElementsOf(Sensor, "sensors", "Sensors by name: sim.sensor['imu'].value.")
    equality = ElementsOf(Equality, "equalities", "Equality constraints by name: sim.equality['magnet'].active = 0.")

    def render(self, width: int = 640, height: int = 480, *, camera: str | None = None, follow: str | None = None,
               contacts: bool = False, draft: bool = False, layer: str = "colour") -> npt.NDArray[Any]:
        """The world as it is now, by the engine's own rasteriser.

        layer: "colour" is red, green, blue, uint8 (height, width, 3); "depth" the distance along the camera's axis [m], float32 (height,
        width), inf where nothing is; "segmentation" the index of the shape, int32 (height, width), -1 where none is. Depth and shape are those
        of the ray through the middle of the pixel; see-through shapes count as solid.
        camera: name of a camera of the model, or where it stands: "yaw,pitch[,distance[,x,y,z]]" in degrees and metres.
        follow: body that the camera looks at. contacts: points and force arrows. draft: plainer light, several times as fast.
        """
        return draw_moment(self, width=width, height=height, camera=camera, time=None, follow=follow, contacts=contacts, draft=draft, layer=layer)

    def run_for(self, seconds: float, before_step: Callable[[], object] | None = None, *, progress: bool = False) -> _core.StepReport:
        """The nearest whole number of steps to `seconds`, as _core.Simulation.run_for; progress: with a bar on standard error."""
        if not progress:
            return super().run_for(seconds, before_step)
        count = round(seconds / self.dt)
        report = super().run_for(0.0)
        bar, done = Progress(seconds, " s"), 0
        while done < count:
            part = min(max(1, count // 100), count - done)
            report = self.run_steps(part, before_step)
            done += part
            bar(round(done * self.dt, 9))
            if not report.committed:
                break
        return report

    def view(self, seconds: float = 5.0, *, fps: float = 60.0, progress: bool = False) -> Page:
        """Runs on for so many seconds and shows them as a moving page, inline in a notebook."""
        bar = Progress(seconds, " s") if progress else None
        every = max(1, round(1 / (fps * self.dt)))
        with make_folder() as folder:
            file = os.path.join(folder, "run.rec")
            with _core.Recorder(file, self, contacts=True) as recorder:
                recorder.append()
                for _ in range(round(seconds / (every * self.dt))):
                    report = self.run_steps(every)
                    recorder.append(report)
                    if bar is not None:
                        bar(min(seconds, self.time))
                    if not report.committed:
                        break
            return make_page([file])

    def __reduce__(self) -> tuple[Any, ...]:
        return _continue, (self.model, self.solver, self.parameters, self.dt, self.snapshot())

    def __copy__(self) -> Simulation:
        return _continue(self.model, self.solver, self.parameters, self.dt, self.snapshot())

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.__copy__()


def _continue(model: _core.Model, solver: str, parameters: dict[str, Any], dt: float, snapshot: _core.Snapshot) -> Simulation:
    """A simulation that goes on from a snapshot."""
    simulation = Simulation(model, solver=solver, parameters=parameters, dt=dt)
    simulation.restore(snapshot)
    return simulation


class Batch(_core.Batch):
    """Many worlds of one Model, stepped on CPU threads; every array has a leading world dimension."""

    body = ElementsOf(Body, "bodies", "Bodies by name: sim.body['torso'].position.")
    joint = ElementsOf(Joint, "joints", "Joints by name: sim.joint['knee'].q.")
    shape = ElementsOf(Shape, "shapes", "Shapes by name.")
    site = ElementsOf(Site, "sites", "Sites by name: sim.site['hand'].position.")
    actuator = ElementsOf(Actuator, "actuators", "Actuators by name: sim.actuator['motor'].input = 1.")
    sensor = ElementsOf(Sensor, "sensors", "Sensors by name: sim.sensor['imu'].value.")
    equality = ElementsOf(Equality, "equalities", "Equality constraints by name: sim.equality['magnet'].active = 0.")

    def render(self, width: int = 160, height: int = 120, *, worlds: Sequence[int] | None = None, camera: str | None = None,
               follow: str | None = None, draft: bool = False, layer: str = "colour") -> npt.NDArray[Any]:
        """These worlds (None: all) as they are now, (n, height, width, 3) or (n, height, width); options as of Simulation.render."""
        chosen = range(self.world_count) if worlds is None else [int(world) for world in worlds]
        for world in chosen:
            if not 0 <= world < self.world_count:
                raise IndexError(f"render: world {world} of {self.world_count}")
        return draw_worlds(self, chosen, width=width, height=height, camera=camera, time=None, follow=follow, contacts=False, draft=draft, layer=layer)
