#!/usr/bin/env python3
# Mass matrix and bias of a URDF robot by Pinocchio, for tests/external/urdf_match_test.cpp.
# usage: pinocchio_oracle.py ROBOT.urdf fixed|free < STATES
# A line of STATES is one state: "NAME q v" for each joint with one coordinate, separated by tabs; of a free base
# "root_joint" with 7 and 6 numbers as Rattleback has them (velocity of the origin along world axes, turning about body axes).
# For each: a line of the names in the order of v, a line of M row by row, a line of the bias, all in those coordinates.
import sys

import numpy
import pinocchio

path, base = sys.argv[1:]
if base == "free":
    model = pinocchio.buildModelFromUrdf(path, pinocchio.JointModelFreeFlyer())
else:
    model = pinocchio.buildModelFromUrdf(path)
data = model.createData()

for line in sys.stdin:
    words = line.rstrip("\n").split("\t")
    q, v = pinocchio.neutral(model), numpy.zeros(model.nv)
    turn, shift = numpy.eye(model.nv), numpy.zeros(model.nv)
    names = [""] * model.nv
    while words and words[0]:
        name = words.pop(0)
        joint = model.joints[model.getJointId(name)]
        if name == "root_joint":
            pose, speed = numpy.array(words[:7], float), numpy.array(words[7:13], float)
            words = words[13:]
            w, x, y, z = pose[3:]
            rotation = pinocchio.Quaternion(w, x, y, z).toRotationMatrix()
            q[:7] = [*pose[:3], x, y, z, w]
            v[:3], v[3:6] = rotation.T @ speed[:3], speed[3:]
            # Pinocchio's velocities are turn @ ours, its accelerations those of ours and shift besides.
            turn[:3, :3] = rotation.T
            shift[:3] = -numpy.cross(v[3:6], v[:3])
            names[:6] = ["root_joint"] * 6
            continue
        angle, speed = float(words.pop(0)), float(words.pop(0))
        if joint.nq == 2:
            q[joint.idx_q], q[joint.idx_q + 1] = numpy.cos(angle), numpy.sin(angle)
        else:
            q[joint.idx_q] = angle
        v[joint.idx_v] = speed
        names[joint.idx_v] = name
    mass = pinocchio.crba(model, data, q)
    mass = numpy.triu(mass) + numpy.triu(mass, 1).T
    bias = pinocchio.nonLinearEffects(model, data, q, v)
    print("\t".join(names))
    print(" ".join(float.hex(float(x)) for x in (turn.T @ mass @ turn).ravel()))
    print(" ".join(float.hex(float(x)) for x in turn.T @ (bias + mass @ shift)))
