// Markers: contact points and forces, sized by what touches and faded by force; tendons; centres of mass.
import * as THREE from 'three';
import {mergeGeometries} from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import {rotate} from './pose.js';

const kPointColour = 0xd55e00, kForceColour = 0xe69f00, kCenterColour = 0x0072b2, kWholeColour = 0xcc79a7, kTendonColour = 0xb5483a;
const kPointPart = 0.16;      // radius of a contact point, as a part of the half thickness of the smaller shape
const kFaintest = 0.12;       // opacity of a contact without force
const kMostOfScene = 0.012;   // radius of a contact point at most, as a part of the scene's

// An arrow of length one along z.
function arrow_geometry()
{
    const shaft = new THREE.CylinderGeometry(0.35, 0.35, 0.75, 10).translate(0, 0.375, 0);
    const head = new THREE.ConeGeometry(1, 0.25, 14).translate(0, 0.875, 0);
    return mergeGeometries([shaft, head]).rotateX(Math.PI / 2);
}

// Each instance has an opacity of its own.
function add_fading(material)
{
    material.transparent = true;
    material.onBeforeCompile = shader =>
    {
        shader.vertexShader = `attribute float fade;\nvarying float faded;\n${shader.vertexShader}`.replace(
            '#include <begin_vertex>', '#include <begin_vertex>\nfaded = fade;');
        shader.fragmentShader = `varying float faded;\n${shader.fragmentShader}`.replace(
            '#include <color_fragment>', '#include <color_fragment>\ndiffuseColor.a *= faded;');
    };
    material.customProgramCacheKey = () => 'fading';
}

// Instances whose number changes from frame to frame.
class Crowd
{
    constructor(group, geometry, colour, {on_top = false, fading = false} = {})
    {
        this.group = group;
        this.geometry = geometry;
        this.material = new THREE.MeshBasicMaterial({color: colour, depthTest: !on_top, transparent: on_top, depthWrite: !fading,
                                                     opacity: on_top ? 0.85 : 1});
        this.on_top = on_top;
        this.fading = fading;
        if (fading) add_fading(this.material);
        this.reserve(16);
    }

    reserve(count)
    {
        if (this.mesh)
        {
            this.group.remove(this.mesh);
            this.mesh.dispose();
        }
        if (this.fading)
        {
            this.geometry = this.geometry.clone();
            this.geometry.setAttribute('fade', new THREE.InstancedBufferAttribute(new Float32Array(count), 1));
        }
        this.mesh = new THREE.InstancedMesh(this.geometry, this.material, count);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = this.on_top ? 10 : 0;
        this.group.add(this.mesh);
    }

    // write(i, matrix) fills one instance; with fading it gives the opacity back.
    fill(count, write)
    {
        if (count > this.mesh.instanceMatrix.count) this.reserve(2 * count);
        const matrix = new THREE.Matrix4();
        for (let i = 0; i < count; ++i)
        {
            const opacity = write(i, matrix);
            this.mesh.setMatrixAt(i, matrix);
            if (this.fading) this.geometry.attributes.fade.setX(i, opacity);
        }
        if (this.fading) this.geometry.attributes.fade.needsUpdate = true;
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
        this.points = new Crowd(this.group, ball, kPointColour, {on_top: true, fading: true});
        this.forces = new Crowd(this.group, arrow_geometry(), kForceColour, {fading: true});
        this.centers = new Crowd(this.group, ball, kCenterColour, {on_top: true});
        this.whole = new Crowd(this.group, ball, kWholeColour, {on_top: true});
        this.tendons = new Crowd(this.group, new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), kTendonColour);
        this.center_ = new Float64Array(3);
    }

    update(frame, poses, {contacts, center_of_mass})
    {
        const none = {contact: new Float32Array(0), size: new Float32Array(0)};
        this.show_contacts(contacts ? this.run.contacts(frame) : none);
        this.show_tendons(this.run.tendon_points(frame));
        this.show_centers(center_of_mass ? poses : null);
    }

    show_contacts({contact, size})
    {
        const count = contact.length / 10, common = Math.max(this.run.common_force, 1e-30);
        const radius_of = i => Math.min(kPointPart * size[i], kMostOfScene * this.radius);
        const force_of = i => Math.hypot(contact[10 * i + 6], contact[10 * i + 7], contact[10 * i + 8]);
        const opacity_of = i => Math.max(kFaintest, Math.min(1, Math.sqrt(force_of(i) / common)));
        this.points.fill(count, (i, matrix) =>
        {
            const radius = radius_of(i);
            matrix.makeScale(radius, radius, radius).setPosition(contact[10 * i], contact[10 * i + 1], contact[10 * i + 2]);
            return opacity_of(i);
        });
        const up = new THREE.Vector3(0, 0, 1), force = new THREE.Vector3(), turn = new THREE.Quaternion();
        const at = new THREE.Vector3(), scale = new THREE.Vector3();
        this.forces.fill(count, (i, matrix) =>
        {
            force.set(contact[10 * i + 6], contact[10 * i + 7], contact[10 * i + 8]);
            // Rare larger forces are cut at twice the length of the largest common one.
            const length = 0.25 * this.radius * Math.min(force.length() / common, 2);
            const width = Math.min(radius_of(i), 0.2 * length);
            turn.setFromUnitVectors(up, length > 0 ? force.normalize() : up);
            at.set(contact[10 * i], contact[10 * i + 1], contact[10 * i + 2]);
            matrix.compose(at, turn, scale.set(width, width, Math.max(length, 1e-9)));
            return opacity_of(i);
        });
    }

    // `points`: x, y, z and whether a line begins, per point.
    show_tendons(points)
    {
        const ends = [];
        for (let i = 1; i < points.length / 4; ++i) if (points[4 * i + 3] === 0) ends.push(i);
        const from = new THREE.Vector3(), to = new THREE.Vector3(), turn = new THREE.Quaternion(), scale = new THREE.Vector3();
        const up = new THREE.Vector3(0, 0, 1), width = 0.006 * this.radius;
        this.tendons.fill(ends.length, (k, matrix) =>
        {
            from.fromArray(points, 4 * (ends[k] - 1));
            to.fromArray(points, 4 * ends[k]);
            const length = from.distanceTo(to);
            turn.setFromUnitVectors(up, length > 0 ? to.clone().sub(from).divideScalar(length) : up);
            matrix.compose(from.add(to).multiplyScalar(0.5), turn, scale.set(width, width, Math.max(length, 1e-9)));
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
        for (const crowd of [this.points, this.forces, this.centers, this.whole, this.tendons])
        {
            crowd.mesh.dispose();
            crowd.material.dispose();
        }
    }
}
