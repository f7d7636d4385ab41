#!/usr/bin/env python3
# Bounds of mesh files by Coal, which reads them with Assimp, for tests/external/urdf_match_test.cpp.
# usage: coal_oracle.py < FILES    a file per line; for each a line with six numbers, or an empty one where it cannot be read
import sys

import coal
import numpy

for line in sys.stdin:
    try:
        mesh = coal.MeshLoader().load(line.rstrip("\n"), numpy.ones(3))
        mesh.computeLocalAABB()
        print(" ".join(repr(float(x)) for x in [*mesh.aabb_local.min_.ravel(), *mesh.aabb_local.max_.ravel()]))
    except Exception:  # whatever Assimp cannot read
        print()
