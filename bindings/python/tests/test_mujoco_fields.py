"""Every array of rattleback.mujoco's MjModel and MjData beside MuJoCo's own, on one rich model; run where MuJoCo is installed
(bindings/python/test_clients). What the documentation calls zeros is zeros, and everything else is MuJoCo's."""
import numpy as np
import pytest

import rattleback.mujoco as ours
from rattleback.mujoco._support import list_zeros

theirs = pytest.importorskip("mujoco")
if theirs is ours:
    pytest.skip("MuJoCo itself is not there", allow_module_level=True)

XML = """<mujoco model="rich"><option timestep="0.002" gravity="0 0.3 -9.81"/>
<asset><material name="mat" rgba="0.1 0.2 0.3 1" specular="0.2"/>
  <hfield name="h" nrow="3" ncol="3" size="1 1 .1 .1" elevation="0 .1 0 .2 .5 .1 0 0 1"/></asset>
<worldbody><light name="sun" pos="0 0 3" dir="0 0 -1" directional="true"/><light mode="targetbody" target="a" pos="1 1 3"/>
  <camera name="c0" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/><camera name="c1" mode="targetbody" target="b" pos="1 0 1"/>
  <geom name="floor" type="plane" size="5 5 1"/><geom type="hfield" hfield="h" pos="3 3 0"/>
  <body name="a" pos="0 0 .25"><freejoint/><geom name="block" type="box" size=".1 .15 .2" friction="0.7 .01 .001" margin=".01"/>
    <camera name="c2" mode="trackcom" pos="0 -1 0"/><camera name="c3" mode="track" pos="0 -1 .3" euler="80 0 0"/><light mode="trackcom" pos="0 0 1"/>
    <site name="s0" pos="0 0 .2"/>
    <body name="b" pos=".2 0 0" gravcomp="0.5"><joint name="j1" axis="0 1 0" range="-30 40" stiffness="2 .3 .1" springref="10" damping=".3" armature=".01"
        frictionloss=".02" actuatorfrcrange="-5 5"/><geom name="gb" type="capsule" size=".04" fromto="0 0 0 .3 0 0" group="1"/>
      <site name="s1" pos=".3 0 0" type="box" size=".01 .02 .03"/>
      <body name="c" pos=".3 0 0"><joint name="j2" type="slide" axis="1 0 0" range="-.1 .2"/><joint name="j3" type="hinge" axis="0 0 1" pos="0 .02 0"/>
        <geom type="ellipsoid" size=".02 .03 .04"/></body></body>
    <body name="d" pos="-.2 0 0"><joint name="jb" type="ball" damping=".1" stiffness="1"/><geom type="cylinder" size=".05 .11"/></body></body>
  <body name="m" mocap="true" pos="1 1 1"><geom size=".05" contype="0" conaffinity="0"/></body>
  <body name="e" pos="2 0 1"><joint name="jr" type="hinge" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
<contact><pair geom1="floor" geom2="gb" condim="4" friction=".5 .5 .01 .001 .001"/><exclude body1="a" body2="c"/></contact>
<tendon><fixed name="tf" stiffness="3" damping=".2"><joint joint="j1" coef="2"/><joint joint="j2" coef="-1"/></fixed></tendon>
<equality><joint joint1="j3" joint2="j1" polycoef="0 .5 0 0 0"/><weld body1="e" body2="m" active="false"/></equality>
<actuator><motor name="m1" joint="j1" gear="3" ctrlrange="-1 1"/><position joint="j3" kp="5" kv=".1"/><velocity joint="jr" kv="2"/>
  <general tendon="tf" dyntype="filter" dynprm=".1" gainprm="2"/><motor site="s1" gear="0 0 1 0 0 0"/><motor joint="jb" gear="1 2 3"/></actuator>
<sensor><jointpos joint="j1"/><gyro site="s1" noise=".1"/><touch site="s1"/><framepos objtype="body" objname="b" reftype="site" refname="s0"/>
  <subtreecom body="a"/><tendonpos tendon="tf"/><actuatorfrc actuator="m1"/><clock/></sensor>
<keyframe><key name="k" time="1" qpos="0 0 1 1 0 0 0 .1 0 0 1 0 0 0 .2" ctrl="1 0 0 0 0 0"/></keyframe></mujoco>"""
# How MuJoCo computes, not what: trees of boxes, order of factors, sleep, names by hash, flags for the renderer.
OTHER = {"names_map", "names", "paths", "geom_rgba", "qacc_warmstart", "qfrc_inverse", "efc_AR", "xiquat", "plugin_attr", "history"}


def make_pair(module):
    """A model and its data after a forward pass in a random state."""
    model = module.MjModel.from_xml_string(XML)
    data, source = module.MjData(model), np.random.default_rng(0)
    qpos = np.array(data.qpos)
    module.mj_integratePos(model, qpos, 0.1 * source.normal(size=model.nv), 1.0)
    data.qpos[:], data.qvel[:] = qpos, source.normal(size=model.nv)
    data.ctrl[:] = 0.3 * source.normal(size=model.nu)
    data.act[:] = 0.2
    module.mj_forward(model, data)
    module.mj_subtreeVel(model, data)
    module.mj_rnePostConstraint(model, data)
    return model, data


@pytest.mark.parametrize("kind", ["model", "data"])
def test_every_array_is_mujoco_s_or_said_to_be_zeros(kind):
    first, second = (pair[kind == "data"] for pair in (make_pair(ours), make_pair(theirs)))
    zeros, compared, wrong = set(list_zeros(kind)), 0, []
    for name in (ours._tables.MODEL_ARRAYS if kind == "model" else ours._tables.DATA_ARRAYS):
        if name in OTHER or not hasattr(second, name) or isinstance(getattr(second, name), bytes):
            continue
        found, expected = np.asarray(getattr(first, name)), np.asarray(getattr(second, name))
        if name in zeros:
            if found.any():
                wrong.append(f"{name} is no zeros")
        elif found.shape != expected.shape or not np.allclose(found, expected, atol=1e-6, rtol=1e-6):
            wrong.append(name)
        else:
            compared += bool(expected.any())
    assert not wrong
    assert compared > (100 if kind == "model" else 45)
