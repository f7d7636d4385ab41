#!/usr/bin/env python3
# Bounds, area and volume of mesh files by trimesh, for tests/external/mesh_match_test.cpp.
# usage: trimesh_oracle.py FOLDER          writes solids in every format that trimesh writes, and a line for each
#        trimesh_oracle.py < FILES         a file per line; an empty line of output where trimesh cannot read it
# A line: the path, a tab, six bounds, area, and signed pyramids from the origin, of all parts together.
import logging
import os
import sys

import numpy
import trimesh


def describe(path, mesh):
    a, b, c = mesh.triangles.transpose((1, 0, 2))
    pyramids = (a * numpy.cross(b, c)).sum() / 6  # from the origin: a volume where the mesh is closed
    numbers = [*mesh.triangles.reshape(-1, 3).min(axis=0), *mesh.triangles.reshape(-1, 3).max(axis=0), mesh.area, pyramids]
    print(path + "\t" + " ".join(repr(float(x)) for x in numbers))


def make_solids():
    turned = trimesh.transformations.euler_matrix(0.3, -0.7, 1.1)
    turned[:3, 3] = [0.4, -0.2, 0.1]
    bar = trimesh.creation.box((1, 0.2, 0.1), transform=turned)
    yield "ball", trimesh.creation.icosphere(subdivisions=2, radius=0.3)
    yield "bar", bar
    yield "ring", trimesh.creation.torus(0.5, 0.1)
    yield "pin", trimesh.creation.capsule(height=0.4, radius=0.1)
    yield "open", trimesh.Trimesh(bar.vertices, bar.faces[:9], process=False)
    inside_out = bar.copy()
    inside_out.invert()
    yield "inside_out", inside_out


def main():
    logging.disable(logging.CRITICAL)  # it tells where it misses a faster library
    if len(sys.argv) > 1:
        for name, mesh in make_solids():
            for ending in ("stl", "stl_ascii", "obj", "off", "dae", "glb"):
                path = os.path.join(sys.argv[1], f"{name}_{ending}.{ending.split('_')[0]}")
                mesh.export(path, file_type=ending)
                describe(path, mesh)
        # Parts that are moved, in one scene.
        scene = trimesh.Scene()
        for i, (name, mesh) in enumerate(list(make_solids())[:3]):
            place = trimesh.transformations.rotation_matrix(0.5 * i, [1, i, 2])
            place[:3, 3] = [i, 0.5, -0.2 * i]
            scene.add_geometry(mesh, node_name=name, geom_name=name, transform=place)
        for ending in ("glb", "gltf"):
            folder = os.path.join(sys.argv[1], "scene_" + ending)
            os.mkdir(folder)
            path = os.path.join(folder, "scene." + ending)
            if ending == "gltf":
                for name, data in trimesh.exchange.gltf.export_gltf(scene).items():
                    with open(os.path.join(folder, name if name != "model.gltf" else "scene.gltf"), "wb") as file:
                        file.write(data)
            else:
                scene.export(path)
            describe(path, scene.to_geometry())
        return
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            mesh = trimesh.load_mesh(path, process=False)
            mesh = mesh.to_geometry() if isinstance(mesh, trimesh.Scene) else mesh
            describe(path, mesh) if numpy.isfinite(mesh.bounds).all() else print()
        except Exception:  # whatever it cannot read
            print()


if __name__ == "__main__":
    main()
