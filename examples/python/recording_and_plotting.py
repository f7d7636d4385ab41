"""A run as numbers: record, read back, and draw a small plot in the terminal."""
import tempfile
from pathlib import Path

import numpy as np

import rattleback as rb

builder = rb.ModelBuilder("ball")
rubber = builder.add_material(restitution=0.8)
builder.add_ground(material=rubber)
ball = builder.add_body(name="ball", position=(0, 0, 1))
builder.add_shape(ball, rb.Sphere(radius=0.1), material=rubber)
sim = rb.Simulation(builder.build(), solver="avbd", dt=1e-3)

with tempfile.TemporaryDirectory() as folder:
    with rb.Recorder(Path(folder) / "ball.rec", sim) as recorder:
        while sim.time < 2:
            recorder.append(sim.run_steps(20))
    run = rb.load_recording(Path(folder) / "ball.rec")
    run.export(Path(folder) / "ball.csv")  # or .npz, .gltf
    height = run.body_pose[:, 1, 2]
    print(run)
for level in np.arange(0.95, 0, -0.1):
    print("".join("o" if abs(z - level) <= 0.05 else " " for z in height[::2]).rstrip())
