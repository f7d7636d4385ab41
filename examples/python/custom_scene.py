"""A scene of one's own: a domino line; the first is pushed, the last falls."""
import numpy as np

import rattleback as rb

builder = rb.ModelBuilder("dominoes")
builder.add_ground()
half = (0.004, 0.012, 0.024)
for i in range(12):
    body = builder.add_body(name=f"domino {i}", position=(0.03 * i, 0, half[2]))
    builder.add_shape(body, rb.Box(half_extents=half), density=600, colour=(0.9, 0.2 + 0.06 * i, 0.2, 1))
model = builder.build()

sim = rb.Simulation(model, solver="convex", dt=1e-3)
first = sim.body["domino 0"]
sim.run_steps(50, lambda: first.torque.__setitem__(1, 2e-3))
first.torque[:] = 0
sim.run_for(2.0)
tilts = [2 * np.arccos(min(1, abs(sim.body[f"domino {i}"].rotation[0]))) for i in range(12)]
print(f"{sum(tilt > 0.5 for tilt in tilts)} of 12 dominoes have fallen")
