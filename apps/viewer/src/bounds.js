// Bounds: how large a run is, so that the camera can look at all of it.
import {multiply_poses} from './pose.js';
import {kShape} from './shape_type.js';

const kMostFrames = 40;
const kReach = 2.2;  // parts of a run that leave for farther than this many first radii are not waited for

// Half the size of a shape about its own origin [m].
function reach_of(run, shape)
{
    const {shape_type, shape_size, shape_asset} = run.shapes;
    const [a, b, c] = shape_size.subarray(3 * shape, 3 * shape + 3);
    switch (shape_type[shape])
    {
        case kShape.plane: return 0;
        case kShape.sphere: return a;
        case kShape.capsule: return a + b;
        case kShape.cylinder: return Math.hypot(a, b);
        case kShape.box:
        case kShape.ellipsoid: return Math.hypot(a, b, c);
        case kShape.height_field:
        {
            const field = run.about.height_fields[shape_asset[shape]];
            return Math.hypot(field.half_x, field.half_y);
        }
        default:
        {
            const vertices = run.shapes[`mesh${shape_asset[shape]}_vertices`];
            let most = 0;
            for (let i = 0; i < vertices.length; i += 3)
            {
                most = Math.max(most, Math.hypot(vertices[i], vertices[i + 1], vertices[i + 2]));
            }
            return most;
        }
    }
}

function box_of(run, poses, reaches)
{
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const pose = new Float64Array(7);
    reaches.forEach((reach, shape) =>
    {
        if (!(reach > 0)) return;
        multiply_poses(pose, 0, poses, 7 * run.shapes.shape_body[shape], run.shapes.shape_pose, 7 * shape);
        for (let k = 0; k < 3; ++k)
        {
            low[k] = Math.min(low[k], pose[k] - reach);
            high[k] = Math.max(high[k], pose[k] + reach);
        }
    });
    return {low, high};
}

// {center, radius, low, high} [m] of what is drawn in these runs.
export function find_bounds(runs)
{
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (const run of runs)
    {
        if (run.frame_count === 0) continue;
        const poses = new Float64Array(7 * run.body_count);
        const reaches = Array.from(run.shapes.shape_type, (type, shape) => reach_of(run, shape));
        run.read_frame(0, poses);
        const first = box_of(run, poses, reaches);
        if (!Number.isFinite(first.low[0])) continue;
        const middle = first.low.map((entry, k) => (entry + first.high[k]) / 2);
        const most = kReach * Math.max(1e-3, Math.hypot(...first.low.map((entry, k) => first.high[k] - entry)) / 2);
        const every = Math.max(1, Math.floor(run.frame_count / kMostFrames));
        for (let frame = 0; frame < run.frame_count; frame += every)
        {
            run.read_frame(frame, poses);
            const box = box_of(run, poses, reaches);
            for (let k = 0; k < 3; ++k)
            {
                low[k] = Math.min(low[k], Math.max(box.low[k], middle[k] - most));
                high[k] = Math.max(high[k], Math.min(box.high[k], middle[k] + most));
            }
        }
    }
    if (!Number.isFinite(low[0])) return {center: [0, 0, 0], radius: 1, low: [-1, -1, -1], high: [1, 1, 1]};
    const center = low.map((entry, k) => (entry + high[k]) / 2);
    const radius = Math.hypot(...low.map((entry, k) => high[k] - entry)) / 2;
    return {center, radius: Math.max(radius, 1e-3), low, high};
}
