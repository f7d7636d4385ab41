// Bounds: how large a run is, so that the camera can look at all of it.
import {multiply_poses} from './pose.js';
import {kShape} from './shape_type.js';

const kMostFrames = 40;
const kStragglers = 0.03;  // part of the shapes on each side that need not be in the picture
const kMoments = 0.2;      // part of the time in which a crowd may be larger than the picture
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

// The box around all shapes but the few that are farthest out: of a crowd nobody waits for those that roll away.
function box_of(run, poses, reaches)
{
    const lows = [[], [], []], highs = [[], [], []];
    const pose = new Float64Array(7);
    reaches.forEach((reach, shape) =>
    {
        if (!(reach > 0)) return;
        multiply_poses(pose, 0, poses, 7 * run.shapes.shape_body[shape], run.shapes.shape_pose, 7 * shape);
        for (let k = 0; k < 3; ++k)
        {
            lows[k].push(pose[k] - reach);
            highs[k].push(pose[k] + reach);
        }
    });
    const left_out = Math.floor(kStragglers * lows[0].length);
    const from_end = (list, order) => list.sort(order)[left_out] ?? NaN;
    return {low: lows.map(list => from_end(list, (a, b) => a - b)), high: highs.map(list => from_end(list, (a, b) => b - a))};
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
        const boxes = [];
        for (let frame = 0; frame < run.frame_count; frame += every)
        {
            run.read_frame(frame, poses);
            boxes.push(box_of(run, poses, reaches));
        }
        // A crowd is looked at where it is most of the time; a few bodies wherever they go.
        const left_out = reaches.length * kStragglers >= 1 ? Math.floor(kMoments * boxes.length) : 0;
        for (let k = 0; k < 3; ++k)
        {
            const lows = boxes.map(box => box.low[k]).sort((a, b) => a - b), highs = boxes.map(box => box.high[k]).sort((a, b) => b - a);
            low[k] = Math.min(low[k], Math.max(lows[left_out], middle[k] - most));
            high[k] = Math.max(high[k], Math.min(highs[left_out], middle[k] + most));
        }
    }
    if (!Number.isFinite(low[0])) return {center: [0, 0, 0], radius: 1, low: [-1, -1, -1], high: [1, 1, 1]};
    const center = low.map((entry, k) => (entry + high[k]) / 2);
    const radius = Math.hypot(...low.map((entry, k) => high[k] - entry)) / 2;
    return {center, radius: Math.max(radius, 1e-3), low, high};
}
