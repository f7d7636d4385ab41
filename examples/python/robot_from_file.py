"""A robot from a file: two links that hang, start from a keyframe, and swing."""
import tempfile
from pathlib import Path

import rattleback as rb

ROBOT = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.5"/>
      <body name="lower" pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.4"/>
        <site name="hand" pos="0 0 -0.4"/>
      </body>
    </body>
  </worldbody>
  <sensor><framepos name="hand" objtype="site" objname="hand"/></sensor>
  <keyframe><key name="raised" qpos="1.2 0.4"/></keyframe>
</mujoco>
"""

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "arm.xml"
    file.write_text(ROBOT)
    model = rb.load_model(file)  # MJCF or URDF; a mistake in it is said with line and column

print(model)
print("auto means", *rb.choose_solver(model), sep=": ")
sim = rb.Simulation(model)
sim.reset("raised")
start = sim.energy().total
sim.run_for(1.0)
print(f"elbow {sim.joint['elbow'].q[0]:.3f} rad, hand {sim.sensor['hand'].value.round(3).tolist()} m")
print(f"damping took {start - sim.energy().total:.2f} J")
