"""Simulation and Batch: the compiled classes, with names as keys, pictures and pickling."""
from __future__ import annotations

from typing import Any

from . import _core
from ._elements import Actuator, Body, ElementsOf, Equality, Joint, Sensor, Shape, Site


class Simulation(_core.Simulation):
    """A Model in motion: one world, run by one solver."""

    body = ElementsOf(Body, "bodies", "Bodies by name: sim.body['torso'].position.")
    joint = ElementsOf(Joint, "joints", "Joints by name: sim.joint['knee'].q.")
    shape = ElementsOf(Shape, "shapes", "Shapes by name.")
    site = ElementsOf(Site, "sites", "Sites by name: sim.site['hand'].position.")
    actuator = ElementsOf(Actuator, "actuators", "Actuators by name: sim.actuator['motor'].input = 1.")
    sensor = ElementsOf(Sensor, "sensors", "Sensors by name: sim.sensor['imu'].value.")
    equality = ElementsOf(Equality, "equalities", "Equality constraints by name: sim.equality['magnet'].active = 0.")

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

