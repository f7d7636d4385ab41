// MuJoCo's npm build as an oracle: a line of JSON in, a line of JSON out.
//
// usage: node oracle.mjs FOLDER, below which npm installed @mujoco/mujoco
//
//   {"load": "model.xml"}     -> {"version", "size": {"nq": 28, ...}, "field": {"body_mass": [...], ...}}
//   {"set": {"field": [...]}} -> {}, overwrites arrays of the loaded model
//   {"evaluate": {"q": [...], "v", "act", "input", "joint_force", "body_wrench", "mocap_pos", "mocap_quat"}}
//                             -> the smooth dynamics at that state; what is left out keeps its initial value
//   whatever goes wrong       -> {"error": "why"}
import {readFileSync, readdirSync, statSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';

const kSizes = ['nq', 'nv', 'nu', 'na', 'nout', 'nbody', 'njnt', 'ngeom', 'nsite', 'ntendon', 'neq', 'nkey', 'nmocap'];
const kFields = ['body_mass', 'body_inertia', 'body_ipos', 'qpos0', 'dof_armature', 'dof_damping', 'actuator_gainprm',
                 'actuator_biasprm'];
// Where each part of a request goes in mjData.
const kInputs = {
    q: 'qpos', v: 'qvel', act: 'act', input: 'ctrl', joint_force: 'qfrc_applied', body_wrench: 'xfrc_applied',
    mocap_pos: 'mocap_pos', mocap_quat: 'mocap_quat',
};
const kOutputs = ['xpos', 'xquat', 'qfrc_bias', 'qfrc_passive', 'qfrc_actuator', 'qacc_smooth', 'ten_length',
                  'actuator_length', 'actuator_force', 'act_dot'];
const kLargestTree = 256 * 1024 * 1024;  // [bytes] of files beside a model

let mujoco, model, data;

// Copies a folder into the file system of the WASM module, which sees no other. Links to folders are not followed: they
// may go round in circles. Returns how many bytes are left of the limit.
function mount(folder, target, left)
{
    mujoco.FS.mkdirTree(target);
    for (const entry of readdirSync(folder, {withFileTypes: true}))
    {
        const from = join(folder, entry.name), to = `${target}/${entry.name}`;
        if (entry.isDirectory()) left = mount(from, to, left);
        const about = statSync(from, {throwIfNoEntry: false});
        if (!about?.isFile()) continue;
        left -= about.size;
        if (left < 0) throw new Error(`the files beside the model are more than ${kLargestTree} bytes`);
        mujoco.FS.writeFile(to, readFileSync(from));
    }
    return left;
}

function load(path)
{
    const file = resolve(path), folder = `/${++load.count}`;
    data?.delete();
    model?.delete();
    data = model = undefined;
    mount(dirname(file), folder, kLargestTree);
    model = mujoco.MjModel.from_xml_path(`${folder}/${basename(file)}`);
    // Only the smooth part: no constraints, nothing asleep, no implicit metric.
    const {mjDSBL_CONSTRAINT, mjDSBL_CONTACT, mjDSBL_SENSOR} = mujoco.mjtDisableBit;
    model.opt.disableflags |= mjDSBL_CONSTRAINT.value | mjDSBL_CONTACT.value | mjDSBL_SENSOR.value;
    model.opt.enableflags &= ~mujoco.mjtEnableBit.mjENBL_SLEEP.value;
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER.value;
    data = new mujoco.MjData(model);
    return {
        version: mujoco.mj_versionString(),
        size: Object.fromEntries(kSizes.map(name => [name, model[name]])),
        field: Object.fromEntries(kFields.map(name => [name, Array.from(model[name])])),
    };
}
load.count = 0;

function put(values, target, name)
{
    if (target?.length !== values.length) throw new Error(`${name} has ${target?.length} entries, not ${values.length}`);
    target.set(values);
}

function evaluate(request)
{
    mujoco.mj_resetData(model, data);
    for (const [name, values] of Object.entries(request)) put(values, data[kInputs[name]], name);
    mujoco.mj_forward(model, data);
    const mass = new mujoco.DoubleBuffer(Math.max(1, model.nv * model.nv));
    try
    {
        if (model.nv > 0) mujoco.mj_fullM(model, data, mass);
        const answer = Object.fromEntries(kOutputs.map(name => [name, Array.from(data[name])]));
        answer.M = Array.from(mass.GetView()).slice(0, model.nv * model.nv);
        return answer;
    }
    finally
    {
        mass.delete();
    }
}

function answer(request)
{
    if (request.load !== undefined) return load(request.load);
    if (model === undefined) throw new Error('no model is loaded');
    for (const [name, values] of Object.entries(request.set ?? {})) put(values, model[name], name);
    return request.evaluate === undefined ? {} : evaluate(request.evaluate);
}

const build = join(resolve(process.argv[2]), 'node_modules/@mujoco/mujoco/mujoco.js');
const {default: start} = await import(pathToFileURL(build));
mujoco = await start({print: text => console.error(text), printErr: text => console.error(text)});
for await (const line of createInterface({input: process.stdin}))
{
    let reply;
    try
    {
        reply = answer(JSON.parse(line));
    }
    catch (error)
    {
        reply = {error: String(error?.message ?? error).trim()};
    }
    process.stdout.write(JSON.stringify(reply) + '\n');
}
