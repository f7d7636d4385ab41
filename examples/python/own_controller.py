"""A controller of one's own: computed torque makes an arm follow a sine, exactly where the model is right."""
import numpy as np

import rattleback as rb

builder = rb.ModelBuilder("arm")
builder.settings.dt = 1e-3
parent: rb.BodyId = rb.WORLD
joints = []
for name in ("upper", "lower"):
    link = builder.add_body(name=name, parent=parent, position=(0, 0, 0 if parent == rb.WORLD else -0.5))
    joint = builder.add_joint(link, name=name, axis=(0, 1, 0), initial_velocity=0.5)
    builder.add_shape(link, rb.Capsule(radius=0.04, half_length=0.25), position=(0, 0, -0.25))
    builder.add_motor(joint, name=name)
    parent = link
    joints.append(joint)

sim = rb.Simulation(builder.build(), solver="smooth")
dynamics = rb.Dynamics(sim.model)


def control() -> None:
    """Inverse dynamics of the wanted acceleration, and springs for what is left."""
    t = sim.time
    wanted, rate, acceleration = 0.5 * np.sin(t), 0.5 * np.cos(t), -0.5 * np.sin(t)
    dynamics.update(sim.state)
    sim.control.input = dynamics.inverse(acceleration + 100 * (wanted - sim.state.q) + 20 * (rate - sim.state.v))


sim.run_for(2.0, control)
error = np.abs(sim.state.q - 0.5 * np.sin(sim.time)).max()
print(f"after {sim.time:.1f} s the joints are {error * 1e3:.2f} mrad off")
