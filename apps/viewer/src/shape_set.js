// ShapeSet: everything that a run draws, as few instanced meshes as there are kinds of shapes.
import * as THREE from 'three';
import {height_field_geometry, mesh_geometry, point_geometry, segment_geometry, unit_geometry} from './geometry.js';
import {multiply_poses, write_matrix} from './pose.js';
import {kCollisionGroup, kShape} from './shape_type.js';

const kUpsideDown = [0, 0, 0, 1, 0, 0, 0];  // half a turn about x
const kGhostOpacity = 0.28;

// Where the parts of a solid are, each a unit solid moved along z, perhaps turned over, and scaled.
function find_parts(type, size)
{
    const [a, b, c] = size;
    switch (type)
    {
        case kShape.sphere: return [{unit: 'sphere', scale: [a, a, a]}];
        case kShape.box: return [{unit: 'box', scale: [a, b, c]}];
        case kShape.ellipsoid: return [{unit: 'sphere', scale: [a, b, c]}];
        case kShape.cylinder: return [{unit: 'cylinder', scale: [a, a, b]}];
        case kShape.capsule:
            return [{unit: 'tube', scale: [a, a, b]}, {unit: 'dome', scale: [a, a, a], z: b},
                    {unit: 'dome', scale: [a, a, a], z: -b, over: true}];
        default: return [];
    }
}

export class ShapeSet
{
    // `ghost`: a colour, or nothing. Ghosts are translucent and of one colour.
    constructor(run, {ghost, looks} = {})
    {
        this.run = run;
        this.ghost = ghost;
        this.looks = ghost ? null : looks;
        this.group = new THREE.Group();
        this.buckets = new Map();
        this.singles = [];
        this.outlines = [];  // meshes that only the switch "collision shapes" shows
        this.assets = new Map();
        this.pose_ = new Float64Array(7);
        const types = run.shapes.shape_type;
        this.has_collision_group = run.shapes.shape_group.some(group => group >= kCollisionGroup);
        for (let shape = 0; shape < types.length; ++shape) this.add_shape(shape, types[shape]);
        for (const bucket of this.buckets.values()) this.finish(bucket);
    }

    add_shape(shape, type)
    {
        const {shape_size, shape_colour} = this.run.shapes;
        const opacity = this.ghost ? kGhostOpacity : shape_colour[4 * shape + 3];
        if (opacity <= 0 || type === kShape.plane) return;
        if (type === kShape.points || type === kShape.segments) return this.add_single(shape, type, opacity);
        for (const part of find_parts(type, shape_size.subarray(3 * shape, 3 * shape + 3)))
        {
            this.add_instance(shape, part.unit, () => unit_geometry(part.unit), opacity, part);
        }
        const asset = this.run.shapes.shape_asset[shape];
        if (type === kShape.height_field)
        {
            const make = () =>
                height_field_geometry(this.run.about.height_fields[asset], this.run.shapes[`field${asset}_heights`]);
            this.add_instance(shape, `field${asset}`, make, opacity, {two_sided: true});
        }
        if (type === kShape.hull || type === kShape.mesh || type === kShape.surface)
        {
            this.add_instance(shape, `mesh${asset}`, () => mesh_geometry(this.run.shapes, asset), opacity,
                              {two_sided: type === kShape.surface, mesh: true});
        }
    }

    local_pose(shape, part)
    {
        const local = new Float64Array(7);
        const own = this.run.shapes.shape_pose;
        const part_pose = part.over ? [...kUpsideDown] : [0, 0, 0, 0, 0, 0, 1];
        part_pose[2] = part.z ?? 0;
        multiply_poses(local, 0, own, 7 * shape, part_pose, 0);
        return local;
    }

    add_instance(shape, name, make, opacity, part)
    {
        const outline = !this.ghost && this.run.shapes.shape_group[shape] >= kCollisionGroup;
        const step = Math.ceil(10 * Math.min(1, opacity)) / 10;
        const look = outline ? null : this.looks?.of_shape(shape);
        // Of flat textures that repeat by the metre each size of a shape has a material of its own.
        const size = part.scale ?? [1, 1, 1];
        const scale = look && [0, 1].map(k => look.repeat[k] * (look.uniform ? size[k] : 1));
        const key = `${name}|${step}|${part.two_sided ? 2 : 1}|${outline ? 'outline' : ''}|${look ? [look.index, ...scale] : ''}`;
        if (!this.buckets.has(key))
        {
            if (!this.assets.has(name)) this.assets.set(name, make());
            this.buckets.set(key, {geometry: this.assets.get(name), opacity: step, two_sided: part.two_sided, outline, look, scale,
                                   shapes: [], bodies: [], locals: [], scales: []});
        }
        const bucket = this.buckets.get(key);
        bucket.shapes.push(shape);
        bucket.bodies.push(this.run.shapes.shape_body[shape]);
        bucket.locals.push(...this.local_pose(shape, part));
        bucket.scales.push(...(part.scale ?? [1, 1, 1]));
    }

    make_material(bucket)
    {
        const seen_through = bucket.opacity < 1;
        const material = new THREE.MeshStandardMaterial({
            roughness: 0.62, metalness: 0, transparent: seen_through, opacity: bucket.opacity,
            depthWrite: !seen_through, wireframe: bucket.outline,
            // Sectors show how round things turn; a texture does that by itself.
            vertexColors: !this.ghost && !(bucket.look?.texture >= 0) && bucket.geometry.hasAttribute('color'),
            side: bucket.two_sided ? THREE.DoubleSide : THREE.FrontSide,
        });
        if (bucket.look) this.looks.dress(material, bucket.look, bucket.scale);
        return material;
    }

    colour_of(shape, colour)
    {
        if (this.ghost) return colour.set(this.ghost);
        const [r, g, b] = this.run.shapes.shape_colour.subarray(4 * shape, 4 * shape + 3);
        return colour.setRGB(r, g, b, THREE.SRGBColorSpace);
    }

    finish(bucket)
    {
        const count = bucket.shapes.length;
        const mesh = new THREE.InstancedMesh(bucket.geometry, this.make_material(bucket), count);
        mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        mesh.frustumCulled = false;  // its bounds would have to follow every frame
        mesh.castShadow = !this.ghost && !bucket.outline && bucket.opacity > 0.5;
        mesh.receiveShadow = mesh.castShadow;
        const colour = new THREE.Color();
        bucket.shapes.forEach((shape, i) => mesh.setColorAt(i, this.colour_of(shape, colour)));
        bucket.locals = Float64Array.from(bucket.locals);
        bucket.scales = Float64Array.from(bucket.scales);
        bucket.mesh = mesh;
        mesh.userData = {set: this, bucket};
        this.group.add(mesh);
        if (bucket.outline) this.outlines.push(mesh);
        else if (!this.ghost && !this.has_collision_group) this.add_outline(bucket);
    }

    // The same instances as lines, for models whose drawn shapes are the ones that collide.
    add_outline(bucket)
    {
        const material = new THREE.MeshBasicMaterial({wireframe: true, color: 0x111111, transparent: true, opacity: 0.45});
        const mesh = new THREE.InstancedMesh(bucket.geometry, material, bucket.shapes.length);
        mesh.instanceMatrix = bucket.mesh.instanceMatrix;
        mesh.frustumCulled = false;
        this.group.add(mesh);
        this.outlines.push(mesh);
    }

    add_single(shape, type, opacity)
    {
        const asset = this.run.shapes.shape_asset[shape];
        const color = this.colour_of(shape, new THREE.Color());
        const lines = type === kShape.segments;
        const geometry = lines ? segment_geometry(this.run.shapes, asset) : point_geometry(this.run.shapes, asset);
        const object = lines ? new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({color})) :
                               new THREE.Points(geometry, new THREE.PointsMaterial({color, size: 4, sizeAttenuation: false}));
        object.material.transparent = opacity < 1;
        object.material.opacity = opacity;
        object.matrixAutoUpdate = false;
        object.frustumCulled = false;
        this.group.add(object);
        this.singles.push({object, shape, body: this.run.shapes.shape_body[shape], local: this.local_pose(shape, {})});
    }

    // Moves everything to where the bodies are.
    update(poses)
    {
        const pose = this.pose_;
        for (const {mesh, bodies, locals, scales} of this.buckets.values())
        {
            const matrices = mesh.instanceMatrix.array;
            for (let i = 0; i < bodies.length; ++i)
            {
                multiply_poses(pose, 0, poses, 7 * bodies[i], locals, 7 * i);
                write_matrix(matrices, 16 * i, pose, 0, scales[3 * i], scales[3 * i + 1], scales[3 * i + 2]);
            }
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
        for (const {object, body, local} of this.singles)
        {
            multiply_poses(pose, 0, poses, 7 * body, local, 0);
            write_matrix(object.matrix.elements, 0, pose, 0, 1, 1, 1);
        }
    }

    show_outlines(on) { for (const mesh of this.outlines) mesh.visible = on; }

    // The matrix of a shape's first part as the scene graph holds it; for tests.
    matrix_of(shape)
    {
        for (const {mesh, shapes} of this.buckets.values())
        {
            const i = shapes.indexOf(shape);
            if (i >= 0) return Array.from(mesh.instanceMatrix.array.subarray(16 * i, 16 * i + 16));
        }
        const single = this.singles.find(item => item.shape === shape);
        return single ? [...single.object.matrix.elements] : null;
    }

    dispose()
    {
        for (const object of this.group.children)
        {
            object.material.dispose();
            if (object.isInstancedMesh) object.dispose();
        }
    }
}
