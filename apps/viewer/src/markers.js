// Markers: contact points, contact forces as arrows, and centres of mass.
import * as THREE from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {rotate} from './pose.js';

const kPointColour = 0xd55e00, kForceColour = 0xe69f00, kCenterColour = 0x0072b2, kWholeColour = 0xcc79a7;

// An arrow of length one along z.
function arrow_geometry()
{
    const shaft = new THREE.CylinderGeometry(0.35, 0.35, 0.75, 10).translate(0, 0.375, 0);
    const head = new THREE.ConeGeometry(1, 0.25, 14).translate(0, 0.875, 0);
    return mergeGeometries([shaft, head]).rotateX(Math.PI / 2);
}

// Instances whose number changes from frame to frame.
class Crowd
{
    constructor(group, geometry, colour, on_top)
    {
        this.group = group;
        this.geometry = geometry;
        this.material = new THREE.MeshBasicMaterial({color: colour, depthTest: !on_top, transparent: on_top,
                                                     opacity: on_top ? 0.85 : 1});
        this.on_top = on_top;
        this.reserve(16);
    }

    reserve(count)
    {
        if (this.mesh)
        {
            this.group.remove(this.mesh);
            this.mesh.dispose();
        }
        this.mesh = new THREE.InstancedMesh(this.geometry, this.material, count);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = this.on_top ? 10 : 0;
        this.group.add(this.mesh);
    }

    // write(i, matrix) fills one instance.
    fill(count, write)
    {
        if (count > this.mesh.instanceMatrix.count) this.reserve(2 * count);
        const matrix = new THREE.Matrix4();
        for (let i = 0; i < count; ++i)
        {
            write(i, matrix);
            this.mesh.setMatrixAt(i, matrix);
        }
        this.mesh.count = count;
        this.mesh.visible = count > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}

export class Markers
{
    constructor(run, radius)
    {
        this.run = run;
        this.radius = radius;
        this.group = new THREE.Group();
        const ball = new THREE.SphereGeometry(1, 12, 8);
        this.points = new Crowd(this.group, ball, kPointColour, true);
        this.forces = new Crowd(this.group, arrow_geometry(), kForceColour, false);
        this.centers = new Crowd(this.group, ball, kCenterColour, true);
        this.whole = new Crowd(this.group, ball, kWholeColour, true);
        this.center_ = new Float64Array(3);
    }

    update(frame, poses, {contacts, center_of_mass})
    {
        this.show_contacts(contacts ? this.run.contacts(frame) : new Float32Array(0));
        this.show_centers(center_of_mass ? poses : null);
    }

    show_contacts(contact)
    {
        const size = 0.008 * this.radius;
        const count = contact.length / 10;
        this.points.fill(count, (i, matrix) =>
        {
            matrix.makeScale(size, size, size).setPosition(contact[10 * i], contact[10 * i + 1], contact[10 * i + 2]);
        });
        const longest = 0.5 * this.radius / Math.max(this.run.largest_force, 1e-30);
        const up = new THREE.Vector3(0, 0, 1), force = new THREE.Vector3(), turn = new THREE.Quaternion();
        const at = new THREE.Vector3(), scale = new THREE.Vector3();
        this.forces.fill(count, (i, matrix) =>
        {
            force.set(contact[10 * i + 6], contact[10 * i + 7], contact[10 * i + 8]);
            const length = force.length() * longest;
            const width = Math.min(size, 0.2 * length);
            turn.setFromUnitVectors(up, length > 0 ? force.normalize() : up);
            at.set(contact[10 * i], contact[10 * i + 1], contact[10 * i + 2]);
            matrix.compose(at, turn, scale.set(width, width, Math.max(length, 1e-9)));
        });
    }

    show_centers(poses)
    {
        const {kind, mass, center} = this.run.about.bodies;
        const shown = [];
        if (poses) for (let b = 1; b < mass.length; ++b) if (kind[b] === 'dynamic' && mass[b] > 0) shown.push(b);
        const size = 0.012 * this.radius, c = this.center_, sum = [0, 0, 0];
        let total = 0;
        this.centers.fill(shown.length, (i, matrix) =>
        {
            const b = shown[i], o = 7 * b;
            rotate(c, 0, poses[o + 3], poses[o + 4], poses[o + 5], poses[o + 6], center[3 * b], center[3 * b + 1],
                   center[3 * b + 2]);
            for (let k = 0; k < 3; ++k)
            {
                c[k] += poses[o + k];
                sum[k] += mass[b] * c[k];
            }
            total += mass[b];
            matrix.makeScale(size, size, size).setPosition(c[0], c[1], c[2]);
        });
        this.whole.fill(shown.length > 1 ? 1 : 0, (i, matrix) =>
        {
            matrix.makeScale(1.8 * size, 1.8 * size, 1.8 * size).setPosition(...sum.map(entry => entry / total));
        });
    }

    dispose()
    {
        for (const crowd of [this.points, this.forces, this.centers, this.whole])
        {
            crowd.mesh.dispose();
            crowd.material.dispose();
        }
    }
}
