// Recordings as docs/recordings.md lays them out, read and written without the library.
import {crc32} from './crc32.mjs';

class Writer
{
    parts = [];
    add(size, write)
    {
        const part = Buffer.alloc(size);
        write(part);
        this.parts.push(part);
        return this;
    }
    i32(...values) { for (const value of values) this.add(4, part => part.writeInt32LE(value)); return this; }
    u64(value) { return this.add(8, part => part.writeBigUInt64LE(BigInt(value))); }
    f32(...values) { for (const value of values) this.add(4, part => part.writeFloatLE(value)); return this; }
    f64(...values) { for (const value of values) this.add(8, part => part.writeDoubleLE(value)); return this; }
    text(text)
    {
        const bytes = Buffer.from(text, 'utf8');
        this.u64(bytes.length);
        this.parts.push(bytes);
        return this;
    }
    list(items, write)
    {
        this.u64(items.length);
        for (const item of items) write(item);
        return this;
    }
    bytes() { return Buffer.concat(this.parts); }
}

class Reader
{
    constructor(bytes) { this.bytes = bytes; this.at = 0; }
    i32() { return this.bytes.readInt32LE((this.at += 4) - 4); }
    u64() { return Number(this.bytes.readBigUInt64LE((this.at += 8) - 8)); }
    f32() { return this.bytes.readFloatLE((this.at += 4) - 4); }
    f64() { return this.bytes.readDoubleLE((this.at += 8) - 8); }
    many(count, read) { return Array.from({length: count}, read); }
    text() { const size = this.u64(); return this.bytes.toString('utf8', this.at, this.at += size); }
    list(read) { return this.many(this.u64(), read); }
    f64s(count) { return this.many(count, () => this.f64()); }
}

function model_bytes(model)
{
    const out = new Writer();
    out.text(model.name ?? 'forged').u64(model.fingerprint ?? 1).text('0.1.0').text(model.solver ?? 'smooth');
    out.list([], () => {});
    out.f64(0.002, 0, 0, -9.81).i32(0, model.contacts ? 1 : 0, 0, 0, 0, 0);
    out.list(model.bodies, body => out.text(body.name).i32(body.parent ?? 0, body.kind ?? 0).f64(body.mass ?? 1, 0, 0, 0));
    out.list([], () => {}).list([], () => {});
    out.list(model.shapes, shape => out.text(shape.name ?? '').i32(shape.type, shape.body)
        .f64(...(shape.pose ?? [0, 0, 0, 1, 0, 0, 0]), ...(shape.size ?? [0.1, 0.1, 0.1])).i32(shape.asset ?? -1)
        .f32(...(shape.colour ?? [0.5, 0.6, 0.7, 1])).i32(shape.group ?? 0));
    out.list(model.meshes ?? [], mesh => out.text('mesh').list(mesh.vertices, vertex => out.f64(...vertex))
        .list(mesh.triangles ?? [], triangle => out.i32(...triangle)).list(mesh.edges ?? [], edge => out.i32(...edge)));
    out.list(model.fields ?? [], field => out.text('field').i32(field.rows, field.columns)
        .f64(field.half_x, field.half_y, field.base).list(field.heights, height => out.f64(height)));
    return out.bytes();
}

function frame_bytes(model, frame)
{
    const out = new Writer();
    const contacts = frame.contacts ?? [];
    out.f64(frame.time).u64(frame.step ?? Math.round((frame.time || 0) / 0.002));
    out.f64(frame.kinetic ?? 1, frame.potential ?? 2, 0, 0, 0, 0, 0, 0);
    out.i32(frame.status ?? 0, frame.iterations ?? 0).f64(0).i32(frame.contact_count ?? contacts.length, -1).f64(frame.penetration ?? 0);
    out.i32(0, contacts.length ? 2 : 0).f64(...new Array(10).fill(frame.seconds ?? 0)).u64(contacts.length);
    for (const pose of frame.poses) out.f64(...pose);
    for (let i = 0; i < model.bodies.length; ++i) out.f64(0, 0, 0, 0, 0, 0);
    for (const contact of contacts)
    {
        out.i32(...contact.bodies, ...(contact.shapes ?? [0, 0])).f64(...contact.point, 0, 1, 0, 0, 0, 1, 1, 0, 0, contact.distance ?? -0.001)
            .f64(1, 0, 0, 0).u64(contact.feature ?? 0).f64(...contact.force, 0, 0, 0);
    }
    return out.bytes();
}

function chunk(kind, count, payload)
{
    const head = Buffer.alloc(32);
    head.write(kind, 0, 'latin1');
    head.writeBigUInt64LE(BigInt(payload.length), 8);
    head.writeBigUInt64LE(BigInt(count), 16);
    head.writeUInt32LE(crc32(payload), 24);
    head.writeUInt32LE(crc32(head.subarray(0, 28)), 28);
    return Buffer.concat([head, payload]);
}

// A file: {bodies, shapes, meshes, fields, contacts} and frames {time, poses: [[x y z w x y z] per body], ...}.
export function forge(model, frames)
{
    const head = Buffer.alloc(32);
    head.write('RBRECD\r\n', 0, 'latin1');
    head.writeUInt32LE(1, 8);
    head.write('0.1.0', 16, 'latin1');
    head.writeUInt32LE(crc32(head.subarray(0, 28)), 28);
    const chunks = frames.map(frame => chunk('FRMS', 1, frame_bytes(model, frame)));
    return Buffer.concat([head, chunk('MODL', 0, model_bytes(model)), ...chunks]);
}

// {bodies, shapes: [{type, body, pose}], frames: [{time, energy, poses}]} of a file without forces and contacts.
export function read(bytes)
{
    const frames = [];
    let model;
    for (let at = 32; at < bytes.length;)
    {
        const size = Number(bytes.readBigUInt64LE(at + 8)), count = Number(bytes.readBigUInt64LE(at + 16));
        const payload = new Reader(bytes.subarray(at + 32, at + 32 + size));
        if (!model) model = read_model(payload);
        else for (let i = 0; i < count; ++i) frames.push(read_frame(payload, model, i * size / count));
        at += 32 + size;
    }
    return {...model, frames};
}

function read_model(file)
{
    file.text();
    file.u64();
    file.text();
    file.text();
    file.list(() =>
    {
        file.text();
        const kind = file.i32();
        return kind === 2 ? file.f64() : kind === 3 ? file.text() : file.i32();
    });
    file.f64s(4);
    file.text();  // enumerators are texts
    file.i32();
    const counts = file.many(4, () => file.i32());
    const bodies = file.list(() => { const name = file.text(); file.i32(); file.text(); file.f64s(4); return name; });
    file.list(() => { file.text(); file.text(); file.many(3, () => file.i32()); });
    const actuators = file.list(() => file.text());
    const shapes = file.list(() =>
    {
        const name = file.text(), type = file.text(), body = file.i32(), pose = file.f64s(7), size = file.f64s(3);
        file.i32();
        file.many(4, () => file.f32());
        file.i32();
        return {name, type, body, pose, size};
    });
    return {counts, bodies, actuators, shapes};
}

function read_frame(file, model, begin)
{
    file.at = begin;
    const time = file.f64();
    file.at = begin + 16;
    const energy = file.f64() + file.f64();
    file.at = begin + 208 + 8 * (model.counts[0] + model.counts[1] + model.counts[2]);
    return {time, energy, poses: model.bodies.map(() => file.f64s(7))};
}
