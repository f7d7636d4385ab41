# tools/check_certificate proves what is apart, and nothing else.
import json
import math
import unittest

from tool_test import ToolTest

FACES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
TIP_DOWN = [[0, 0, 0], [1, 0, 1], [0, 1, 1], [-1, -1, 1]]


def make_shape(name, body, **more):
    plain = {"name": name, "body": body, "plane": False, "radius": 0.0, "normal": [0, 0, 1], "faces": [], "edges": [], "points": []}
    return plain | more


def make_frame(time, pose, turn=(0, 0, 0)):
    return {"time": time, "bodies": [[0, 0, 0, 1, 0, 0, 0], pose], "turns": [[0, 0, 0], list(turn)]}


def about_z(angle):
    return [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]


class CheckCertificate(ToolTest):
    def check(self, shapes, frames):
        self.write("run.json", json.dumps({"shapes": shapes, "pairs": [[0, 1]], "frames": frames}))
        return self.run_tool("check_certificate", self.tree / "run.json")

    def sheet(self):
        return make_shape("sheet", 0, vertices=[[-5, -5, 0], [5, -5, 0], [0, 5, 0]], faces=[[0, 1, 2]])

    def tip(self):
        return make_shape("tip", 1, vertices=TIP_DOWN, faces=FACES)

    def test_a_tip_that_stops_above_a_sheet_is_proven(self):
        code, output = self.check([self.sheet(), self.tip()], [make_frame(0, [0, 0, 1, 1, 0, 0, 0]), make_frame(0.01, [0.1, 0, 1e-6, 1, 0, 0, 0])])
        self.assertEqual(code, 0, output)
        self.assertIn("proven: 1 steps", output)

    def test_a_tip_that_passes_a_sheet_between_two_states_is_not(self):
        code, output = self.check([self.sheet(), self.tip()], [make_frame(0, [0, 0, 1, 1, 0, 0, 0]), make_frame(0.01, [0, 0, -3, 1, 0, 0, 0])])
        self.assertEqual(code, 1, output)
        self.assertIn("'sheet' and 'tip' are not proven apart", output)

    def test_a_bar_that_sweeps_a_point_on_its_arc_is_not_proven_and_one_that_is_too_short_is(self):
        for length, expected in ((1.01, 1), (0.99, 0)):
            point = make_shape("point", 0, vertices=[[math.sqrt(0.5), math.sqrt(0.5), 0]], points=[0])
            bar = make_shape("bar", 1, vertices=[[0, 0, 0], [length, 0, 0]], edges=[[0, 1]])
            turn = (0, 0, math.pi / 2)
            code, output = self.check([point, bar], [make_frame(0, [0, 0, 0] + about_z(0), turn), make_frame(1, [0, 0, 0] + about_z(math.pi / 2))])
            self.assertEqual(code, expected, output)

    def test_a_bar_that_turns_round_a_point_beside_it_is_proven_however_many_pieces_that_takes(self):
        # The bar keeps its distance from the point while its ends turn by two radians: a direction holds until an end has
        # come nearer by that distance, 1e-4 / 0.3 rad. That is 6,000 pieces, and as many halves.
        for gap, expected in ((1e-4, 0), (-1e-4, 1)):
            point = make_shape("point", 0, vertices=[[0, 0, 0]], points=[0])
            bar = make_shape("bar", 1, vertices=[[1e-4, -0.3, 0], [gap, 0.3, 0]], edges=[[0, 1]])
            frames = [make_frame(0, [0, 0, 0] + about_z(0), (0, 0, 2)), make_frame(1, [0, 0, 0] + about_z(2))]
            code, output = self.check([point, bar], frames)
            self.assertEqual(code, expected, output)

    def test_what_is_no_number_proves_nothing(self):
        # As json writes them: NaN, Infinity, and what overflows; in the state, in a turn, as a vertex.
        for odd in (math.nan, math.inf, 1e300):
            for end, turn, tip in (
                ([0, 0, odd, 1, 0, 0, 0], (0, 0, 0), TIP_DOWN),
                ([0, 0, -3, 1, odd, 0, 0], (0, 0, 0), TIP_DOWN),
                ([0, 0, -3, 1, 0, 0, 0], (0, 0, odd), TIP_DOWN),
                ([0, 0, -3, 1, 0, 0, 0], (0, 0, 0), [[odd, 0, 0], *TIP_DOWN[1:]]),
            ):
                shape = make_shape("tip", 1, vertices=tip, faces=FACES)
                code, output = self.check([self.sheet(), shape], [make_frame(0, [0, 0, 1, 1, 0, 0, 0], turn), make_frame(0.01, end)])
                self.assertEqual(code, 2, output)
                self.assertIn("is no size of anything", output)

    def test_radii_and_planes_count(self):
        for height, expected in ((0.101, 0), (0.099, 1)):
            ground = make_shape("ground", 0, plane=True, vertices=[[0, 0, 0]])
            ball = make_shape("ball", 1, vertices=[[0, 0, 0]], points=[0], radius=0.1)
            code, output = self.check([ground, ball], [make_frame(0, [0, 0, 1, 1, 0, 0, 0]), make_frame(1, [0, 0, height, 1, 0, 0, 0])])
            self.assertEqual(code, expected, output)

    def test_a_state_alone_is_looked_at_with_radii_and_planes(self):
        ground = make_shape("ground", 0, plane=True, vertices=[[0, 0, 0]])
        other, ball = (make_shape("ball", body, vertices=[[0, 0, 0]], points=[0], radius=0.1) for body in (0, 1))
        for first, height, expected in ((ground, -5, 1), (ground, 0.101, 0), (other, 0.05, 1), (other, 0.201, 0)):
            code, output = self.check([first, ball], [make_frame(0, [0, 0, height, 1, 0, 0, 0])])
            self.assertEqual(code, expected, output)
        for frames in ([], [make_frame(0, [0, 0, 1, 0, 0, 0, 0])], [make_frame(0, [0, 0, 1, 2, 0, 0, 0])]):
            code, output = self.check([ground, ball], frames)
            self.assertEqual(code, 2, output)

    def test_what_creeps_by_the_rounding_of_turns_is_not_proven_to_stay(self):
        # A point 100 m out goes down, or a plane comes up there, by 9e-10 rad a step of which the turns say nothing.
        def about_y(angle):
            return [math.cos(angle / 2), 0, math.sin(angle / 2), 0]

        still, far = [1, 0, 0, 0], [100, 0, 0]
        bar = make_shape("bar", 1, vertices=[[99, 0, 0], far], edges=[[0, 1]])
        ground = make_shape("ground", 0, plane=True, vertices=[[0, 0, 0]])
        sheet = make_shape("sheet", 0, vertices=[[90, -5, 0], [110, -5, 0], [100, 5, 0]], faces=[[0, 1, 2]])
        for first, turns_first in ((sheet, False), (ground, False), (ground, True)):
            for height, expected in ((5e-8, False), (1e-5, True)):
                frames = []
                for i in range(12):
                    turn = about_y((-9e-10 if turns_first else 9e-10) * i)
                    frame = make_frame(0.01 * i, [0, 0, height] + (still if turns_first else turn))
                    if turns_first:
                        frame["bodies"][0] = [0, 0, 0, *turn]
                    frames.append(frame)
                code, output = self.check([first, bar], frames)
                self.assertEqual(code == 0, expected and not turns_first, output)

    def test_edges_of_no_face_and_points_of_no_edge_count_beside_faces(self):
        # A ball goes through a wire and a ball through a point, each beside a triangle of the same shape that is far away.
        far = [[9, 0, 0], [10, 0, 0], [9, 1, 0]]
        ball = make_shape("ball", 1, vertices=[[0, 0, 0]], points=[0], radius=0.1)
        for vertices, kind in (([[-1, 0, 0], [1, 0, 0]], {"edges": [[3, 4]]}), ([[0, 0, 0]], {"points": [3]})):
            mixed = make_shape("mixed", 0, vertices=far + vertices, faces=[[0, 1, 2]], **kind)
            for end, expected in ((-1, 1), (0.11, 0)):
                for shapes in ([mixed, ball], [ball | {"body": 0}, mixed | {"body": 1}]):
                    frames = [make_frame(0.01 * i, [0, 0, z, 1, 0, 0, 0]) for i, z in enumerate((1, end))]
                    code, output = self.check(shapes, frames)
                    self.assertEqual(code, expected, output)

    def test_bounds_are_proven_and_a_bound_that_is_too_large_is_named(self):
        # A tip comes down to 0.01 above a sheet, or beside a wall of points; a ball to 0.01 above a plane.
        ground = make_shape("ground", 0, plane=True, vertices=[[0, 0, 0]])
        ball = make_shape("ball", 1, vertices=[[0, 0, 0]], points=[0], radius=0.1)
        for first, second, lowest in ((self.sheet(), self.tip(), 0.01), (ground, ball, 0.11), (self.sheet(), ball, 0.11)):
            for bound, expected in ((0.0075, 0), (0.00999, 0), (0.0101, 1), (0.0225, 1), (50.0, 1)):
                frames = [make_frame(0.01 * i, [0, 0, z, 1, 0, 0, 0]) for i, z in enumerate((1, 0.5, lowest, 0.5))]
                for frame, claimed in zip(frames, (0.005, bound, 0.005)):
                    frame["bounds"] = [[0, 1, claimed]]
                code, output = self.check([first, second], frames)
                self.assertEqual(code, expected, output)
                names = f"'{first['name']}' and '{second['name']}'"
                if expected:
                    self.assertIn(f"step 1: {names} are not proven {bound:.6g} m apart", output)
                else:
                    self.assertIn(f"3 bounds; the least: 0.005 m, {names}, step 0", output)

    def test_a_bound_of_what_is_far_apart_is_not_taken_on_trust(self):
        for bound, expected in ((0.9, 0), (1.1, 1)):
            frames = [make_frame(0.01 * i, [0, 0, 1, 1, 0, 0, 0]) for i in range(2)]
            frames[0]["bounds"] = [[0, 1, bound]]
            code, output = self.check([self.sheet(), self.tip()], frames)
            self.assertEqual(code, expected, output)

    def test_bounds_that_are_none_or_of_other_pairs_are_refused(self):
        for bounds in ([[0, 1, -1e-3]], [[0, 1, math.nan]], [[1, 0, 0.1]], [[0, 2, 0.1]], [[0, 1, 0.5], [0, 1, 0.1]], [[0, 1]], [[0, 1, "1"]]):
            frames = [make_frame(0.01 * i, [0, 0, 1, 1, 0, 0, 0]) for i in range(2)]
            frames[0]["bounds"] = bounds
            code, output = self.check([self.sheet(), self.tip()], frames)
            self.assertEqual(code, 2, output)

    def test_a_bar_through_the_middle_of_a_plate_is_not_proven_and_one_beside_it_is(self):
        # No vertex is near a face and no edge near an edge: distances of features say nothing.
        plate = make_shape("plate", 0, vertices=[[-1, -1.3, 0], [1, -1, 0], [1, 1.5, 0], [-1, 1, 0]], faces=[[0, 1, 2], [0, 2, 3]])
        for x, expected in ((0.3, 1), (1.02, 0)):
            bar = make_shape("bar", 1, vertices=[[x, -0.2, -0.5], [x, -0.2, 0.5]], edges=[[0, 1]], radius=0.01)
            for shapes in ([plate, bar], [bar | {"body": 0}, plate | {"body": 1}]):
                for frames in (1, 2):
                    code, output = self.check(shapes, [make_frame(0.01 * i, [0, 0, 0.001 * i, 1, 0, 0, 0]) for i in range(frames)])
                    self.assertEqual(code, expected, output)
                    self.assertIn("an edge of 'bar' passes through a face of 'plate'" if expected else "proven", output)

    def test_an_edge_is_judged_to_the_last_bit(self):
        # It ends one bit beyond a plate that is turned by 1 rad, or one bit before: nearer than intervals can prove, but not through it.
        turned = about_z(1.0)
        plate = make_shape("plate", 0, vertices=[[-1, -1, 0], [1, -1, 0], [0, 2, 0]], faces=[[0, 1, 2]])
        for end, expected in ((5e-324, "'plate' and 'bar' are not proven apart"), (-5e-324, "an edge of 'bar' passes through a face of 'plate'")):
            bar = make_shape("bar", 1, vertices=[[0.1, 0.1, 1], [0.1, 0.1, end]], edges=[[0, 1]])
            code, output = self.check([plate, bar], [make_frame(0, [0, 0, 0] + turned)])
            self.assertEqual(code, 1, output)
            self.assertIn(expected, output)

    def test_what_begins_inside_a_solid_is_not_proven(self):
        def cube(half, flip=False, at=0):
            vertices = [[half * (2 * (i >> k & 1) - 1) for k in range(3)] for i in range(8)]
            faces = [[0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6]]
            return vertices, [[at + i for i in (face[::-1] if flip else face)] for face in faces]

        outer, faces = cube(1)
        inner, walls = cube(0.8, True, 8)
        solid = make_shape("solid", 0, vertices=outer, faces=faces)
        shell = make_shape("shell", 0, vertices=outer + inner, faces=faces + walls)
        small, sides = cube(0.05)
        ball = make_shape("ball", 1, vertices=[[0, 0, 0]], points=[0], radius=0.05)
        box = make_shape("box", 1, vertices=small, faces=sides)
        # Two parts, one of them inside.
        far = make_shape("box", 1, vertices=[[x + 3, y, z] for x, y, z in small] + small, faces=sides + cube(0.05, False, 8)[1])
        move = [make_frame(0, [0, 0, 0.2, 1, 0, 0, 0]), make_frame(0.01, [0, 0, 0.201, 1, 0, 0, 0])]
        for other in (ball, box, far):
            code, output = self.check([solid, other], move)
            self.assertEqual(code, 1, output)
            self.assertIn(f"'{other['name']}' lies inside 'solid'", output)
            # In the hollow of a box with walls, and in a box without a lid or one that is a sheet, it may be.
            open_box = make_shape("open", 0, vertices=outer, faces=faces[:-2])
            for around in (shell, open_box, solid | {"solid": False}):
                code, output = self.check([around, other], move)
                self.assertEqual(code, 0, output)

    def test_a_turn_that_does_not_lead_to_the_next_state_is_refused(self):
        code, output = self.check([self.sheet(), self.tip()], [make_frame(0, [0, 0, 1, 1, 0, 0, 0], (0, 0, 1)), make_frame(1, [0, 0, 1, 1, 0, 0, 0])])
        self.assertEqual(code, 2, output)
        self.assertIn("does not lead to the next state", output)


if __name__ == "__main__":
    unittest.main()
