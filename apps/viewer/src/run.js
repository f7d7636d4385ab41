// Run: one recording in memory. Frames come in packs; each pack holds poses as integers on a grid of its own.
import {blend_poses} from './pose.js';

export const kSeries = ['kinetic', 'potential', 'linear', 'angular', 'penetration', 'contacts', 'iterations', 'seconds'];
const kBadStatus = 2;  // diverged and what comes after it in StepStatus
const kGrid = 4294967295;

function append(old, added)
{
    const all = new Float64Array(old.length + added.length);
    all.set(old);
    all.set(added, old.length);
    return all;
}

function find_common_force(contact)
{
    const forces = [];
    for (let i = 6; i < contact.length; i += 10)
    {
        const force = Math.hypot(contact[i], contact[i + 1], contact[i + 2]);
        if (force > 0 && Number.isFinite(force)) forces.push(force);
    }
    forces.sort((a, b) => a - b);
    return forces.length ? forces[Math.floor(0.95 * (forces.length - 1))] : 0;
}

export class Run
{
    constructor(about, shapes, index)
    {
        this.about = about;
        this.index = index;
        this.shapes = shapes;  // arrays of the shapes and assets
        this.body_count = about.bodies.name.length;
        this.packs = [];
        this.frame_count = 0;
        this.time = new Float64Array(0);
        this.series = Object.fromEntries(kSeries.map(name => [name, new Float64Array(0)]));
        this.events = [];
        this.common_force = 0;  // [N] that 95 of 100 contact forces stay below
        this.has_contacts = false;
        this.next_ = new Float64Array(7 * this.body_count);
    }

    get label() { return this.about.label; }
    get begin() { return this.frame_count ? this.time[0] : 0; }
    get end() { return this.frame_count ? this.time[this.frame_count - 1] : 0; }
    total_energy(frame) { return this.series.kinetic[frame] + this.series.potential[frame]; }

    // Adds the frames of a pack.
    append(pack, arrays)
    {
        this.packs.push({pack, arrays, begin: this.frame_count});
        this.time = append(this.time, arrays.time);
        const met_world = Number.isNaN(this.series.linear.at(-1));
        for (const name of kSeries) this.series[name] = append(this.series[name], arrays[name]);
        // Once something outside gave momentum, there is no error to speak of any more.
        if (met_world) for (const name of ['linear', 'angular']) this.series[name].fill(NaN, this.frame_count);
        for (let i = 0; i < pack.frames; ++i) this.note_events(this.frame_count + i, arrays, i);
        this.has_contacts ||= arrays.contact.length > 0;
        this.common_force = Math.max(this.common_force, find_common_force(arrays.contact));
        this.frame_count += pack.frames;
    }

    note_events(frame, arrays, i)
    {
        const time = arrays.time[i], status = arrays.status[i];
        if (arrays.impact[i]) this.events.push({time, frame, kind: 'impact', run: this});
        if (status === 1) this.events.push({time, frame, kind: 'warning', run: this});
        if (status >= kBadStatus) this.events.push({time, frame, kind: 'divergence', run: this});
    }

    // The last frame that is not after `time`; the first where all are.
    find_frame(time)
    {
        const limit = time + 1e-9 * Math.max(1, Math.abs(time));
        let low = 0, high = this.frame_count;
        while (low < high)
        {
            const middle = (low + high) >> 1;
            if (this.time[middle] <= limit) low = middle + 1;
            else high = middle;
        }
        return Math.max(0, low - 1);
    }

    find_pack(frame)
    {
        let low = 0, high = this.packs.length - 1;
        while (low < high)
        {
            const middle = (low + high + 1) >> 1;
            if (this.packs[middle].begin <= frame) low = middle;
            else high = middle - 1;
        }
        return this.packs[low];
    }

    // Poses of all bodies in one frame: 7 numbers each.
    read_frame(frame, out)
    {
        const {pack, arrays, begin} = this.find_pack(frame);
        out.set(arrays.rest);
        const {moving, position, rotation} = arrays;
        const [lx, ly, lz] = pack.low;
        const sx = pack.extent[0] / kGrid, sy = pack.extent[1] / kGrid, sz = pack.extent[2] / kGrid;
        let p = (frame - begin) * moving.length * 3, q = (frame - begin) * moving.length * 4;
        for (let i = 0; i < moving.length; ++i, p += 3, q += 4)
        {
            const o = 7 * moving[i];
            out[o] = lx + sx * position[p];
            out[o + 1] = ly + sy * position[p + 1];
            out[o + 2] = lz + sz * position[p + 2];
            out[o + 3] = rotation[q];
            out[o + 4] = rotation[q + 1];
            out[o + 5] = rotation[q + 2];
            out[o + 6] = rotation[q + 3];
        }
    }

    // Poses at any moment. Between frames they are blended, or held when `blend` is off.
    read_time(time, out, blend = true)
    {
        if (this.frame_count === 0) return;
        const frame = this.find_frame(time);
        this.read_frame(frame, out);
        const from = this.time[frame], to = this.time[frame + 1];
        const part = (time - from) / (to - from);
        if (!blend || frame + 1 >= this.frame_count || !(part > 1e-6) || !(part < 1)) return;
        this.read_frame(frame + 1, this.next_);
        blend_poses(out, this.next_, part, this.body_count);
    }

    // Contacts of a frame: 10 numbers each, point, normal, force on the second body, distance; and for each the half
    // thickness of the smaller of the two shapes [m].
    contacts(frame)
    {
        if (this.frame_count === 0) return {contact: new Float32Array(0), size: new Float32Array(0)};
        const {arrays, begin} = this.find_pack(frame);
        const first = arrays.contact_begin[frame - begin], last = arrays.contact_begin[frame - begin + 1];
        return {contact: arrays.contact.subarray(10 * first, 10 * last), size: arrays.contact_size.subarray(first, last)};
    }

    // Points along the tendons of a frame: x, y, z, and 1 where a line begins.
    tendon_points(frame)
    {
        if (this.frame_count === 0) return new Float32Array(0);
        const {arrays, begin} = this.find_pack(frame);
        return arrays.tendon.subarray(4 * arrays.tendon_begin[frame - begin], 4 * arrays.tendon_begin[frame - begin + 1]);
    }

    // One of the numbers that the page holds for each frame, by its place in about.columns.
    column(index)
    {
        const values = [], width = this.about.columns.length;
        for (const {pack, arrays} of this.packs)
        {
            for (let i = 0; i < pack.frames; ++i) values.push(arrays.values[width * i + index]);
        }
        return values;
    }

    // A coordinate of a body's position in every frame [m].
    position(body, axis)
    {
        const poses = new Float64Array(7 * this.body_count);
        return Array.from(this.time, (time, frame) =>
        {
            this.read_frame(frame, poses);
            return poses[7 * body + axis];
        });
    }

    // Can this run be laid over the other one?
    matches(other)
    {
        const mine = this.about.bodies.name, others = other.about.bodies.name;
        return this.about.fingerprint === other.about.fingerprint ||
               (mine.length === others.length && mine.every((name, i) => name === others[i]));
    }
}
