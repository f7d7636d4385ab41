// Where the cameras and lights of a model are: MuJoCo's modes, as lab/render/model_camera.cpp has them.
import * as THREE from 'three';

function body_position(poses, body) { return new THREE.Vector3(...poses.subarray(7 * body, 7 * body + 3)); }
function body_rotation(poses, body) { return new THREE.Quaternion(...poses.subarray(7 * body + 3, 7 * body + 7)); }

// Centre of mass of a body and all that hangs on it.
function find_subtree_center(run, body, poses)
{
    const {parent, mass, center} = run.about.bodies;
    const sum = new THREE.Vector3(), inside = new Set();
    let total = 0;
    for (let i = body; i < parent.length; ++i)
    {
        if (i !== body && !inside.has(parent[i])) continue;
        inside.add(i);
        const place = new THREE.Vector3(...center.slice(3 * i, 3 * i + 3)).applyQuaternion(body_rotation(poses, i))
            .add(body_position(poses, i));
        sum.addScaledVector(place, mass[i]);
        total += mass[i];
    }
    return total > 0 ? sum.divideScalar(total) : body_position(poses, body);
}

// What a tracking camera or light keeps its distance to, or what a looking one looks at.
export function find_follow_point(run, mode, body, poses)
{
    return mode.endsWith('com') ? find_subtree_center(run, body, poses) : body_position(poses, body);
}

// Place and rotation without the look at a target; of lights the rotation of what they turn with.
export function find_mode_pose(run, {mode, body, pose, reference}, poses)
{
    const position = new THREE.Vector3(...reference.slice(0, 3)), rotation = new THREE.Quaternion(...reference.slice(3, 7));
    if (mode.startsWith('track')) return {position: position.add(find_follow_point(run, mode, body, poses)), rotation};
    const turn = body_rotation(poses, body);
    position.set(...pose.slice(0, 3)).applyQuaternion(turn).add(body_position(poses, body));
    return {position, rotation: turn.clone().multiply(new THREE.Quaternion(...pose.slice(3, 7)))};
}

// The frame of a camera in the world; it looks along -z.
export function find_camera_pose(run, camera, poses)
{
    const found = find_mode_pose(run, camera, poses);
    if (!camera.mode.startsWith('target') || camera.target < 0) return found;
    const z = found.position.clone().sub(find_follow_point(run, camera.mode, camera.target, poses));
    if (z.length() < 1e-12) return found;
    z.normalize();
    const x = new THREE.Vector3(0, 0, 1).cross(z);
    if (x.length() < 1e-12) x.set(1, 0, 0);
    x.normalize();
    const y = z.clone().cross(x).normalize();
    return {position: found.position, rotation: new THREE.Quaternion().setFromRotationMatrix(new THREE.Matrix4().makeBasis(x, y, z))};
}
