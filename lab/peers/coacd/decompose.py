# Cuts a mesh into convex parts with CoACD: decompose.py SOURCE.obj STEM COUNT writes STEM-000.obj, STEM-001.obj, ...
# The seed is fixed: the same mesh gives the same parts.
import sys

import coacd


def read(path):
    vertices, triangles = [], []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            words = line.split()
            if words and words[0] == "v":
                vertices.append([float(word) for word in words[1:4]])
            elif words and words[0] == "f":
                triangles.append([int(word) - 1 for word in words[1:4]])
    return vertices, triangles


def write(path, vertices, triangles):
    with open(path, "w", encoding="ascii") as file:
        for x, y, z in vertices:
            file.write(f"v {x:.9g} {y:.9g} {z:.9g}\n")
        for a, b, c in triangles:
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")


def main():
    source, stem, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    import numpy

    vertices, triangles = read(source)
    coacd.set_log_level("error")
    mesh = coacd.Mesh(numpy.array(vertices), numpy.array(triangles))
    parts = coacd.run_coacd(mesh, threshold=0.05, max_convex_hull=count, seed=0)
    for i, (part_vertices, part_triangles) in enumerate(parts):
        write(f"{stem}-{i:03}.obj", part_vertices, part_triangles)


main()
