// Geometries that many shapes share: unit solids that instances scale, and the meshes and terrains of a recording.
import * as THREE from 'three';
import {toCreasedNormals} from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const kAround = 32;
const kCrease = 0.7;                // [rad]; sharper edges of meshes stay edges
const kLargestCreased = 300000;     // triangles; beyond that all normals are smooth, which is quicker
const kDark = 0.7;                 // tone of every second sector: one sees round things turn

// Every second sector of a round solid is a little darker. Triangles get corners of their own.
function add_sectors(geometry, with_halves)
{
    const solid = geometry.toNonIndexed();
    const position = solid.getAttribute('position');
    const colour = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; i += 3)
    {
        let x = 0, y = 0, z = 0;
        for (let k = i; k < i + 3; ++k)
        {
            x += position.getX(k);
            y += position.getY(k);
            z += position.getZ(k);
        }
        const quarter = (x > 0) === (y > 0);
        colour.fill(quarter !== (with_halves && z > 0) ? 1 : kDark, 3 * i, 3 * i + 9);
    }
    solid.setAttribute('color', new THREE.BufferAttribute(colour, 3));
    return solid;
}

// Three turns its solids about y, we about z.
function upright(geometry) { return geometry.rotateX(Math.PI / 2); }

const kMakers = {
    box: () => new THREE.BoxGeometry(2, 2, 2),
    sphere: () => add_sectors(upright(new THREE.SphereGeometry(1, kAround, 20)), true),
    tube: () => add_sectors(upright(new THREE.CylinderGeometry(1, 1, 2, kAround, 1, true)), false),
    dome: () => add_sectors(upright(new THREE.SphereGeometry(1, kAround, 10, 0, 2 * Math.PI, 0, Math.PI / 2)), false),
    cylinder: () => add_sectors(upright(new THREE.CylinderGeometry(1, 1, 2, kAround)), false),
};
const made = new Map();

// One of box, sphere, tube, dome, cylinder: half sizes are one.
export function unit_geometry(name)
{
    if (!made.has(name)) made.set(name, kMakers[name]());
    return made.get(name);
}

// Places in a texture: those of the file, one for each corner, or from above over the mesh's size.
function with_places(geometry, places)
{
    const position = geometry.getAttribute('position');
    if (places?.length === 2 * position.count)
    {
        geometry.setAttribute('uv', new THREE.BufferAttribute(places, 2));
        return geometry;
    }
    geometry.computeBoundingBox();
    const half = geometry.boundingBox.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const uv = new Float32Array(2 * position.count);
    for (let i = 0; i < position.count; ++i)
    {
        uv[2 * i] = 0.5 * position.getX(i) / Math.max(half.x, 1e-9) - 0.5;
        uv[2 * i + 1] = -0.5 * position.getY(i) / Math.max(half.y, 1e-9) - 0.5;
    }
    geometry.setAttribute('uv', new THREE.BufferAttribute(uv, 2));
    return geometry;
}

export function mesh_geometry(shapes, asset)
{
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(shapes[`mesh${asset}_vertices`], 3));
    const triangles = shapes[`mesh${asset}_triangles`];
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    const places = shapes[`mesh${asset}_places`];
    if (triangles.length / 3 < kLargestCreased) return with_places(toCreasedNormals(geometry, kCrease), places);
    geometry.computeVertexNormals();
    return with_places(places ? geometry.toNonIndexed() : geometry, places);
}

export function segment_geometry(shapes, asset)
{
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(shapes[`mesh${asset}_vertices`], 3));
    geometry.setIndex(new THREE.BufferAttribute(shapes[`mesh${asset}_edges`], 1));
    return geometry;
}

export function point_geometry(shapes, asset)
{
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(shapes[`mesh${asset}_vertices`], 3));
    return geometry;
}

// Corners of a ring around the grid, counter-clockwise from above.
function rim(rows, columns)
{
    const corners = [];
    for (let c = 0; c < columns; ++c) corners.push(c);
    for (let r = 1; r < rows; ++r) corners.push(r * columns + columns - 1);
    for (let c = columns - 2; c >= 0; --c) corners.push((rows - 1) * columns + c);
    for (let r = rows - 2; r >= 0; --r) corners.push(r * columns);
    return corners;
}

// The terrain's surface with smooth normals, and walls down to its base.
export function height_field_geometry(field, heights)
{
    const {rows, columns, half_x, half_y, base} = field;
    const points = [], triangles = [];
    for (let r = 0; r < rows; ++r)
    {
        for (let c = 0; c < columns; ++c)
        {
            const x = half_x * (2 * c / (columns - 1) - 1), y = half_y * (2 * r / (rows - 1) - 1);
            points.push(x, y, heights[r * columns + c]);
            if (r === 0 || c === 0) continue;
            // cut from (r - 1, c - 1) to (r, c), as cut_grid in src/geometry/height_field.cpp and MuJoCo do
            const here = r * columns + c, below = here - columns;
            triangles.push(below - 1, below, here, below - 1, here, here - 1);
        }
    }
    const ring = rim(rows, columns), first = rows * columns;
    for (const corner of ring)
    {
        const [x, y, z] = points.slice(3 * corner, 3 * corner + 3);
        points.push(x, y, z, x, y, -base);
    }
    for (let i = 0; i + 1 < ring.length; ++i)
    {
        const top = first + 2 * i;
        triangles.push(top, top + 1, top + 3, top, top + 3, top + 2);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    geometry.setIndex(triangles);
    geometry.computeVertexNormals();
    return geometry;
}
