// Bad input: broken, foreign and malicious recordings end in a plain message, never in a blank page or a script that runs.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {call, close, count_colours, folder, hash_picture, open, path, run, start, stop} from './bench.mjs';
import {forge} from './recordings.mjs';

const kRest = [0, 0, 0, 1, 0, 0, 0];
const kScript = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">';
const kLong = 'x'.repeat(200000);
const kBackwards = '\u202egnp.exe\u202c \u05d0\u05d1\u05d2';

// One ball that falls; more bodies, shapes and frames on request.
function ball({names = ['ball'], shapes, frames, ...model} = {})
{
    const bodies = [{name: 'world', parent: -1, kind: 1, mass: 0}, ...names.map(name => ({name}))];
    const default_shapes = names.map((name, i) => ({name, type: 1, body: i + 1, size: [0.2, 0, 0]}));
    const poses = height => [kRest, ...names.map((name, i) => [i, 0, height, 1, 0, 0, 0])];
    const moments = [0, 0.1, 0.2].map(time => ({time, poses: poses(1 - time)}));
    return forge({bodies, shapes: shapes ?? default_shapes, ...model}, frames ?? moments);
}
function view(name, ...bytes)
{
    const files = bytes.map((content, i) => { writeFileSync(path(`${name}${i}.rec`), content); return `${name}${i}.rec`; });
    return call('view', ...files, '-o', `${name}.html`);
}

before(() => start());
after(stop);

test('names are text, whatever they hold', async () =>
{
    const names = [kScript, kLong, kBackwards, '\u0000\u001b[31m', '', 'a"b\'c`${1}'];
    assert.equal(view('names', ball({names, name: kScript, solver: kScript})).status, 0);
    const html = readFileSync(path('names.html'), 'utf8');
    assert.ok(!html.includes('<script>window.hacked'));
    assert.ok(!html.includes('<img src=x'));
    const page = await open('names.html#t=0', {width: 360});
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.title(), kScript);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    assert.equal(await page.locator('#follow option').count(), 1 + names.length);
    assert.ok(!(await page.locator('#follow').innerText()).includes('\u202e'), 'no character turns the text around it');
    assert.ok(await count_colours(page) > 20);
    await close(page);
});

test('a script that came in by other ways is not run', async () =>
{
    assert.equal(view('policy', ball()).status, 0);
    const html = readFileSync(path('policy.html'), 'utf8');
    writeFileSync(path('policy.html'), html.replace('<div id="app">', `<div id="app"><script>window.hacked = 1</script>`));
    const page = await open('policy.html#t=0');
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.ok(page.faults.every(fault => fault.includes('Content Security Policy')) && page.faults.length > 0);
    await page.context().close();
});

test('files that are no recordings are refused by name', () =>
{
    const good = ball();
    const cases = [['empty', Buffer.alloc(0)], ['foreign', Buffer.from('PK\u0003\u0004 not a recording at all, but long enough')],
                   ['model_cut', good.subarray(0, 100)], ['damaged', Buffer.concat([good.subarray(0, 60), Buffer.from([1, 2, 3, 4]), good.subarray(64)])]];
    for (const [name, bytes] of cases)
    {
        const answer = view(name, bytes);
        assert.equal(answer.status, 2, name);
        assert.match(answer.stderr, new RegExp(`${name}0\\.rec`), 'the message names the file');
        assert.ok(!existsSync(path(`${name}.html`)), 'and nothing is written');
    }
    for (const file of ['nothing_here.rec', folder, '/dev/zero'])
    {
        const answer = call('view', file, '-o', 'none.html');
        assert.equal(answer.status, 2, file);
        assert.ok(!existsSync(path('none.html')));
    }
    assert.equal(call('view', 'empty0.rec').status, 2, 'without -o');
    assert.match(view('no_frames', ball({frames: []})).stderr, /no frames/);
});

test('what a killed run left is shown with a notice', async () =>
{
    const bytes = ball();
    assert.equal(view('killed', bytes.subarray(0, bytes.length - 100)).status, 0);
    const page = await open('killed.html#t=0');
    assert.match(await page.locator('#notices').innerText(), /cut|ends|chunk/);
    assert.match(await page.locator('#readout').innerText(), /frame 1 of 2/);
    await close(page);
});

test('a run with NaN is shown up to there, and not at all when it begins with one', async () =>
{
    const poses = height => [kRest, [0, 0, height, 1, 0, 0, 0]];
    const frames = [{time: 0, poses: poses(1)}, {time: 0.1, poses: poses(0.9)}, {time: 0.2, poses: poses(NaN)}, {time: 0.3, poses: poses(0.8)}];
    assert.equal(view('nan', ball({frames})).status, 0);
    const page = await open('nan.html#t=0');
    assert.match(await page.locator('#notices').innerText(), /frame 2 cannot be drawn/);
    assert.match(await page.locator('#readout').innerText(), /frame 1 of 2/);
    await close(page);
    for (const bad of [[{time: 0, poses: poses(NaN)}], [{time: NaN, poses: poses(1)}], [{time: 0, poses: poses(1e300)}]])
    {
        const answer = view('nan_first', ball({frames: bad}));
        assert.equal(answer.status, 2);
        assert.match(answer.stderr, /cannot be drawn/);
    }
    const energies = [{time: 0, poses: poses(1)}, {time: 0.1, poses: poses(0.9), kinetic: NaN}, {time: 0.2, poses: poses(0.8), kinetic: Infinity}];
    assert.equal(view('nan_energy', ball({frames: energies})).status, 0);
    const gaps = await open('nan_energy.html#t=0.1');
    assert.match(await gaps.locator('#plot-energy output').innerText(), /–/);
    await close(gaps);
});

test('runs of different models stand side by side, without a ghost', async () =>
{
    const answer = view('mixed', ball(), ball({names: ['left', 'right'], fingerprint: 2}));
    assert.equal(answer.status, 0);
    assert.match(answer.stderr, /different models/);
    const page = await open('mixed.html#t=0');
    assert.match(await page.locator('#notices').innerText(), /different models.*ghost/);
    assert.equal(await page.locator('.panel').count(), 2);
    assert.ok(await page.locator('#ghost').isDisabled());
    await page.keyboard.press('g');
    assert.equal(await page.evaluate(() => window.rattleback.app.viewports.scenes.some(scene => scene.ghost)), false);
    await close(page);
});

test('every kind of shape is drawn', async () =>
{
    const corners = [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.3]];
    const triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    const meshes = [{vertices: corners, triangles, edges: [[0, 1], [1, 2], [2, 3]]}];
    const fields = [{rows: 3, columns: 4, half_x: 0.4, half_y: 0.3, base: 0.1, heights: [0, 0.1, 0, 0.1, 0.2, 0.1, 0, 0.1, 0, 0.1, 0, 0.1]}];
    const assets = {6: 0, 7: 0, 8: 0, 9: 0, 10: 0, 11: 0};
    const shapes = Array.from({length: 12}, (unused, type) => ({type, body: type === 0 ? 0 : type, asset: assets[type] ?? -1, size: [0.15, 0.2, 0.1]}));
    const names = shapes.slice(1).map((shape, i) => `body ${i}`);
    assert.equal(view('shapes', ball({names, shapes, meshes, fields})).status, 0);
    const page = await open('shapes.html#t=0');
    const drawn = await page.evaluate(() => Array.from({length: 12}, (unused, i) => window.rattleback.shape_matrix(0, i) !== null));
    assert.deepEqual(drawn, [false, ...new Array(11).fill(true)], 'all but the plane, which is a floor');
    assert.equal(await page.evaluate(() => window.rattleback.app.viewports.scenes[0].floors.length), 1);
    const whole = await hash_picture(page);
    const hidden = await page.evaluate(async () =>
    {
        const {scenes} = window.rattleback.app.viewports;
        return scenes[0].shapes.group.children.filter(object => object.visible && !scenes[0].shapes.outlines.includes(object)).length;
    });
    assert.ok(hidden >= 9);
    for (let i = 0; i < hidden; ++i)
    {
        const hide = on => page.evaluate(([index, visible]) =>
        {
            const {shapes} = window.rattleback.app.viewports.scenes[0];
            shapes.group.children.filter(object => !shapes.outlines.includes(object))[index].visible = visible;
        }, [i, on]);
        await hide(false);
        assert.notEqual(await hash_picture(page), whole, `drawing ${i} is seen`);
        await hide(true);
    }
    await close(page);
});

test('contacts, impacts, warnings and divergence are shown where they happen', async () =>
{
    const poses = height => [kRest, [0, 0, height, 1, 0, 0, 0]];
    const contact = {bodies: [0, 1], point: [0, 0, 0], force: [0, 0, 9.81]};
    const frames = [{time: 0, poses: poses(1)}, {time: 0.1, poses: poses(0.5)},
                    {time: 0.2, poses: poses(0.2), contacts: [contact], penetration: 0.001, iterations: 50},
                    {time: 0.3, poses: poses(0.2), contacts: [contact], status: 1}, {time: 0.3, poses: poses(0.2), status: 2}];
    assert.equal(view('events', ball({contacts: true, frames})).status, 0);
    const page = await open('events.html#t=0');
    const events = await page.locator('#events').innerText();
    assert.match(events, /1 impact/);
    assert.match(events, /1 warning/);
    assert.match(events, /1 divergence/);
    await page.keyboard.press('n');
    assert.equal(await page.evaluate(() => window.rattleback.app.clock.time), 0.2);
    const with_contacts = await hash_picture(page);
    await page.keyboard.press('c');
    assert.notEqual(await hash_picture(page), with_contacts, 'points and arrows are drawn');
    assert.ok(await page.locator('#plot-penetration').isVisible());
    const inked = await page.evaluate(() =>
    {
        const canvas = document.querySelector('.ticks');
        return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some(value => value > 0);
    });
    assert.ok(inked, 'ticks are drawn');
    await close(page);
});

test('collision shapes of group 3 are seen on request only', async () =>
{
    const shapes = [{type: 1, body: 1, size: [0.2, 0, 0]}, {type: 3, body: 1, size: [0.3, 0.3, 0.3], group: 3}];
    assert.equal(view('groups', ball({shapes})).status, 0);
    const page = await open('groups.html#t=0');
    const hidden = await hash_picture(page);
    await page.keyboard.press('o');
    assert.notEqual(await hash_picture(page), hidden);
    await close(page);
});

test('a page whose data was damaged says so', async () =>
{
    assert.equal(view('whole', ball()).status, 0);
    const html = readFileSync(path('whole.html'), 'utf8');
    const damages = {json: html.replace(/id="page-data">\{/, 'id="page-data">{{'), block: html.replace('id="block-1"', 'id="other"'),
                     format: html.replace('"format":1', '"format":7'), data: html.replace(/(id="block-1">).{40}/, '$1')};
    for (const [name, text] of Object.entries(damages))
    {
        writeFileSync(path(`damaged_${name}.html`), text);
        const page = await open(`damaged_${name}.html`);
        assert.match(await page.locator('[role=alert]').innerText(), /page/i, name);
        await page.context().close();
    }
});
