#!/usr/bin/env python3
# Distances of two triangle meshes by Coal, for tests/external/surface_distance_match_test.cpp. Standard input: per mesh
# a line with the coordinates of its vertices and one with the vertices of its triangles; then a line of 24 numbers per
# pose: rotation (by rows) and position of the first mesh, then of the second. For each pose a line with the distance.
import sys

import coal
import numpy


def read_mesh():
    vertices = numpy.array(sys.stdin.readline().split(), dtype=float).reshape(-1, 3)
    triangles = numpy.array(sys.stdin.readline().split(), dtype=int).reshape(-1, 3)
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(triangles), len(vertices))
    mesh.addVertices(vertices)
    for a, b, c in triangles:
        mesh.addTriangle(vertices[a], vertices[b], vertices[c])
    mesh.endModel()
    return mesh


def read_transform(numbers):
    return coal.Transform3s(numbers[:9].reshape(3, 3), numbers[9:])


first, second = read_mesh(), read_mesh()
for line in sys.stdin:
    numbers = numpy.array(line.split(), dtype=float)
    result = coal.DistanceResult()
    coal.distance(first, read_transform(numbers[:12]), second, read_transform(numbers[12:]), coal.DistanceRequest(), result)
    print(repr(float(result.min_distance)))
