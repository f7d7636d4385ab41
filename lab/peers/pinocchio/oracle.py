# Pinocchio as an oracle of derivatives: reads a line of JSON, answers with a line of JSON, until the input ends.
#
# {"gravity": [3], "bodies": [{parent, pose, mass, inertia, inertial_pose, joints: [{type, position, axis, v, q0}]}]}
#     builds the model, the world first, a body after its parent; poses are [x, y, z, qw, qx, qy, qz]; `v` and `q` are
#     where the joint's numbers begin. Answers {"version": text}.
# {"q": [], "v": [], "acceleration": [], "force": [], "armature": []}
#     answers {"inverse": {"value", "by_q", "by_v", "by_input"}, "forward": {the same}}, matrices row by row.
#
# All numbers are in the conventions of rattleback (docs/conventions.md). They differ from Pinocchio's for free joints:
# the linear velocity of ours is in world axes, Pinocchio's in body axes: w = T v with T = diag(R^T, 1) there. So
# w' = T a + n with n = (R^T v) x omega, joint forces are T^T of Pinocchio's, and directions of q change like velocities.
import json
import sys

import numpy as np
import pinocchio as pin


def placement(pose):
    x, y, z, qw, qx, qy, qz = pose
    return pin.SE3(pin.Quaternion(qw, qx, qy, qz).normalized().matrix(), np.array([x, y, z]))


def translation(p):
    return pin.SE3(np.eye(3), np.asarray(p, float))


def skew(x):
    return pin.skew(np.asarray(x, float))


def list_depth_first(bodies):
    """Each branch whole before the next: the derivatives and M of Pinocchio take the dofs of a subtree to be adjacent."""
    children = [[] for _ in bodies]
    for number, body in enumerate(bodies[1:], 1):
        children[body["parent"]].append(number)
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(children[order[-1]]))
    return order


class Oracle:
    def __init__(self, description):
        self.model = model = pin.Model()
        model.gravity = pin.Motion(np.array(description["gravity"] + [0, 0, 0], float))
        self.joints = []  # (kind, index in Pinocchio, q, v, q0)
        bodies = description["bodies"]
        carriers = {0: (0, pin.SE3.Identity())}  # of each body: the joint that carries it, and the body in its frame
        for number in list_depth_first(bodies)[1:]:
            body = bodies[number]
            joint, frame = carriers[body["parent"]]
            frame = frame * placement(body["pose"])
            # each joint turns or moves what follows about its own anchor, in the frame that those before it moved
            for item in body["joints"]:
                kind, axis = item["type"], np.array(item["axis"], float)
                anchor = np.zeros(3) if kind == "free" else np.array(item["position"], float)
                made = {"hinge": lambda: pin.JointModelRevoluteUnaligned(axis), "ball": pin.JointModelSpherical,
                        "slide": lambda: pin.JointModelPrismaticUnaligned(axis), "free": pin.JointModelFreeFlyer}[kind]()
                base = pin.SE3.Identity() if kind == "free" else frame * translation(anchor)  # its q is the pose itself
                joint = model.addJoint(joint, made, base, f"joint{len(self.joints)}")
                frame = translation(-anchor)
                self.joints.append((kind, joint, item["q"], item["v"], item["q0"]))
            principal = placement(body["inertial_pose"])
            inertia = pin.Inertia(body["mass"], np.zeros(3), np.diag(body["inertia"]))
            if joint > 0:
                model.appendBodyToJoint(joint, inertia, frame * principal)
            carriers[number] = (joint, frame)
        self.data = model.createData()
        # where each of our dofs is in Pinocchio's order
        self.order = np.zeros(model.nv, int)
        for kind, joint, _, v, _ in self.joints:
            for i in range(model.joints[joint].nv):
                self.order[v + i] = model.joints[joint].idx_v + i

    def to_configuration(self, q):
        """Ours has quaternions w first, and hinge and slide coordinates that are q0 at the authored pose."""
        theirs = np.zeros(self.model.nq)
        for kind, joint, begin, _, q0 in self.joints:
            at = self.model.joints[joint].idx_q
            if kind in ("hinge", "slide"):
                theirs[at] = q[begin] - q0
                continue
            if kind == "free":
                theirs[at:at + 3] = q[begin:begin + 3]
                at, begin = at + 3, begin + 3
            w, x, y, z = q[begin:begin + 4]
            theirs[at:at + 4] = np.array([x, y, z, w]) / np.sqrt(w * w + x * x + y * y + z * z)
        return theirs

    def find_derivatives(self, q, v, acceleration, force, armature):
        model, data, n = self.model, self.data, self.model.nv
        ours = {"v": np.array(v), "a": np.array(acceleration), "f": np.array(force)}
        theirs = {name: np.empty(n) for name in ours}
        for name, values in ours.items():
            theirs[name][self.order] = values
        model.armature[self.order] = armature
        p = self.to_configuration(q)
        # T, n, and how T v, T a, T f, n and T^T x change with a rotation of the free body
        turn, bend = np.eye(n), np.zeros(n)
        bend_by_v, moved, bend_by_q = np.zeros((n, n)), {name: np.zeros((n, n)) for name in ours}, np.zeros((n, n))
        free = []
        for kind, joint, _, _, _ in self.joints:
            if kind != "free":
                continue
            at, q_at = model.joints[joint].idx_v, model.joints[joint].idx_q
            lin, rot = slice(at, at + 3), slice(at + 3, at + 6)
            r = pin.Quaternion(p[q_at + 6], *p[q_at + 3:q_at + 6]).matrix()
            free.append((lin, rot, r))
            turn[lin, lin] = r.T
            omega, local = theirs["v"][rot], {name: r.T @ theirs[name][lin] for name in ours}
            bend[lin] = np.cross(local["v"], omega)
            bend_by_v[lin, lin] = -skew(omega) @ r.T
            bend_by_v[lin, rot] = skew(local["v"])
            bend_by_q[lin, rot] = -skew(omega) @ skew(local["v"])
            for name in ours:
                moved[name][lin, rot] = skew(local[name])
        w, w_rate, load = turn @ theirs["v"], turn @ theirs["a"] + bend, turn @ theirs["f"]

        # inverse dynamics: tau = T^T rnea(q, T v, T a + n)
        by_q, by_v, mass = (np.array(m) for m in pin.computeRNEADerivatives(model, data, p, w, w_rate))
        mass = np.triu(mass) + np.triu(mass, 1).T
        value = pin.rnea(model, data, p, w, w_rate)
        inverse_q = turn.T @ (by_q @ turn + by_v @ moved["v"] + mass @ (moved["a"] + bend_by_q))
        for lin, rot, r in free:
            inverse_q[lin, rot] -= r @ skew(value[lin])
        inverse = (turn.T @ value, inverse_q, turn.T @ (by_v @ turn + mass @ bend_by_v), turn.T @ mass @ turn)

        # forward dynamics: a = T^T (aba(q, T v, T f) - n)
        by_q, by_v, weight = (np.array(m) for m in pin.computeABADerivatives(model, data, p, w, load))
        weight = np.triu(weight) + np.triu(weight, 1).T
        value = pin.aba(model, data, p, w, load) - bend
        forward_q = turn.T @ (by_q @ turn + by_v @ moved["v"] + weight @ moved["f"] - bend_by_q)
        for lin, rot, r in free:
            forward_q[lin, rot] -= r @ skew(value[lin])
        forward = (turn.T @ value, forward_q, turn.T @ (by_v @ turn - bend_by_v), turn.T @ weight @ turn)
        return {"inverse": self.to_answer(inverse), "forward": self.to_answer(forward)}

    def to_answer(self, parts):
        value, *matrices = parts
        grid = np.ix_(self.order, self.order)
        answer = {name: m[grid].ravel().tolist() for name, m in zip(("by_q", "by_v", "by_input"), matrices)}
        return {"value": value[self.order].tolist(), **answer}


def main():
    oracle = None
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if "bodies" in request:
                oracle = Oracle(request)
                answer = {"version": pin.__version__}
            else:
                answer = oracle.find_derivatives(**request)
        except Exception as failure:
            answer = {"error": repr(failure)}
        print(json.dumps(answer), flush=True)


main()
