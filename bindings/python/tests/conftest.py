"""Models that several tests use."""
import pytest

import rattleback as rb

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -2"/>
    <body name="upper" pos="0 0 0">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-2 2" limited="true"/>
      <geom name="bone" type="capsule" size="0.05 0.3" pos="0 0 -0.3"/>
      <body name="lower" pos="0 0 -0.6">
        <joint name="elbow" type="hinge" axis="0 1 0"/>
        <geom name="forearm" type="capsule" size="0.04 0.25" pos="0 0 -0.25"/>
        <site name="hand" pos="0 0 -0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="shoulder_motor" joint="shoulder"/><motor name="elbow_motor" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/><framepos name="tip" objtype="site" objname="hand"/></sensor>
  <keyframe><key name="bent" qpos="0.5 1" ctrl="0.1 0.2"/></keyframe>
</mujoco>
"""


@pytest.fixture
def arm():
    """Two links with motors, sensors and a keyframe."""
    return rb.parse_mjcf(ARM)


@pytest.fixture
def box():
    """A box of 8 kg, half a metre above the ground."""
    builder = rb.ModelBuilder("box")
    builder.add_ground(name="floor")
    body = builder.add_body(name="box", position=(0, 0, 0.6))
    builder.add_shape(body, rb.Box(half_extents=(0.1, 0.1, 0.1)), name="side", density=1000)
    return builder.build()
