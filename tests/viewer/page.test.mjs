// The page as it opens from disk: pictures, time, plots, keys, small screens.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {close, count_colours, hash_picture, open, path, run, start, stop} from './bench.mjs';
import {forge, read} from './recordings.mjs';

before(async () =>
{
    run('run', 'chain', '--seconds', '1', '--stride', '10', '--record', 'a.rec', '--json');
    run('run', 'chain', '--seconds', '1', '--stride', '10', '--record', 'b.rec', '--set', 'integrator=euler', '--json');
    run('run', 'pile', '--seconds', '0.2', '--set', 'ignore=contact', '--stride', '5', '--record', 'pile.rec', '--json');
    run('view', 'a.rec', 'b.rec', '-o', 'chain.html');
    run('view', 'pile.rec', '-o', 'pile.html');
    await start();
    shared = await open('chain.html#t=0');
});
after(async () =>
{
    await close(shared);
    await stop();
});

// The page of two chains, opened once; as it was at first but for the size of its window.
let shared;
async function reset()
{
    await shared.evaluate(() =>
    {
        window.rattleback.app.clock.play(false);
        window.rattleback.app.show_scene(0);
        document.activeElement.blur();
        scrollTo(0, 0);
    });
    return shared;
}

function multiply([ax, ay, az, aw, ai, aj, ak], [bx, by, bz, bw, bi, bj, bk])
{
    const turned = rotate([aw, ai, aj, ak], [bx, by, bz]);
    return [ax + turned[0], ay + turned[1], az + turned[2], aw * bw - ai * bi - aj * bj - ak * bk, aw * bi + ai * bw + aj * bk - ak * bj,
            aw * bj - ai * bk + aj * bw + ak * bi, aw * bk + ai * bj - aj * bi + ak * bw];
}
function rotate([w, x, y, z], v)
{
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}
// Largest difference between a matrix of the scene graph and a pose, axes scaled to unit length.
function difference(matrix, pose)
{
    let most = 0;
    for (let axis = 0; axis < 3; ++axis)
    {
        const column = matrix.slice(4 * axis, 4 * axis + 3), length = Math.hypot(...column);
        const expected = rotate(pose.slice(3), [0, 1, 2].map(k => (k === axis ? 1 : 0)));
        for (let k = 0; k < 3; ++k) most = Math.max(most, Math.abs(column[k] / length - expected[k]));
        most = Math.max(most, Math.abs(matrix[12 + axis] - pose[axis]));
    }
    return most;
}

test('a page from disk draws something and asks nobody for anything', async () =>
{
    const page = await open('chain.html#t=0.5');
    assert.ok(await count_colours(page) > 20, 'the picture is not blank');
    assert.equal(await page.title(), 'chain');
    assert.ok(readFileSync(path('chain.html')).length < 2 * 1024 * 1024);
    assert.match(await page.locator('#readout').innerText(), /0\.500 s of 1\.000 s/);
    await close(page);
});

test('every pose in the scene graph is that of the recording to 1e-6', async () =>
{
    for (const [name, file] of [['chain', 'a.rec'], ['pile', 'pile.rec']])
    {
        const recording = read(readFileSync(path(file)));
        const page = await open(`${name}.html#t=0`);
        for (const frame of [0, 7, recording.frames.length - 1])
        {
            const {time, poses} = recording.frames[frame];
            const matrices = await page.evaluate(([t, count]) =>
            {
                window.rattleback.seek(t);
                window.rattleback.draw();
                return Array.from({length: count}, (unused, shape) => window.rattleback.shape_matrix(0, shape));
            }, [time, recording.shapes.length]);
            let compared = 0;
            recording.shapes.forEach((shape, i) =>
            {
                if (shape.type === 'plane') return;  // planes have no matrix among the shapes
                const pose = multiply(poses[shape.body], shape.pose);
                assert.ok(difference(matrices[i], pose) < 1e-6, `${file}: ${shape.name} in frame ${frame}`);
                ++compared;
            });
            assert.ok(compared >= 20);
        }
        await close(page);
    }
});

test('scrubbing moves both viewports to the same moment', async () =>
{
    const page = await reset();
    const last = () => page.evaluate(() => { window.rattleback.draw(); return [0, 1].map(run => window.rattleback.shape_matrix(run, 19)); });
    const before_scrub = await last();
    await page.locator('#scrubber').fill('0.6');
    assert.match(await page.locator('#readout').innerText(), /0\.600 s/);
    const moved = await last();
    const recordings = ['a.rec', 'b.rec'].map(name => read(readFileSync(path(name))));
    for (const viewport of [0, 1])
    {
        const {frames, shapes} = recordings[viewport];
        const frame = frames.find(item => Math.abs(item.time - 0.6) < 1e-9);
        assert.ok(difference(moved[viewport], multiply(frame.poses[shapes[19].body], shapes[19].pose)) < 1e-6);
        assert.ok(difference(before_scrub[viewport], multiply(frame.poses[shapes[19].body], shapes[19].pose)) > 1e-2);
    }
    const link = page.waitForFunction(() => location.hash === '#t=0.6');
    await link;
    await page.evaluate(() => { location.hash = '#t=0.2'; });
    await page.waitForFunction(() => document.getElementById('readout').innerText.startsWith('0.200 s'));
});

test('one camera turns all viewports', async () =>
{
    const page = await reset();
    const camera = () => page.evaluate(() => window.rattleback.app.viewports.camera.position.toArray());
    const first = await camera();
    const box = await page.locator('.panel').nth(1).boundingBox();
    await page.mouse.move(box.x + 100, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 120, {steps: 4});
    await page.mouse.up();
    assert.notDeepEqual(await camera(), first);
    assert.equal(await page.evaluate(() => window.rattleback.app.viewports.scenes.length), 2);
    await page.locator('#fit').click();
    assert.deepEqual((await camera()).map(entry => entry.toFixed(9)), first.map(entry => entry.toFixed(9)));
});

test('playing goes on by itself, and not for people who want no motion', async () =>
{
    const calm = await open('chain.html');
    assert.equal(await calm.evaluate(() => window.rattleback.app.clock.playing), false);
    await close(calm);
    const lively = await open('chain.html', {motion: 'no-preference'});
    await lively.waitForFunction(() => window.rattleback.app.clock.time > 0.05);
    await lively.keyboard.press('Space');
    const stopped = await lively.evaluate(() => window.rattleback.app.clock.time);
    await lively.waitForTimeout(150);
    assert.equal(await lively.evaluate(() => window.rattleback.app.clock.time), stopped);
    await close(lively);
});

test('every control is reached by Tab, has a name and shows its focus', async () =>
{
    const page = await reset();
    const wanted = await page.locator('button:visible:enabled, select:visible:enabled, input:visible, .panel').count();
    const seen = new Set();
    for (let i = 0; i < wanted + 3; ++i)
    {
        await page.keyboard.press('Tab');
        const about = await page.evaluate(() =>
        {
            const element = document.activeElement, style = getComputedStyle(element);
            const name = element.getAttribute('aria-label') || element.innerText || element.closest('label')?.innerText || '';
            return {key: [...document.querySelectorAll('*')].indexOf(element), name: name.trim(), body: element === document.body,
                    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2};
        });
        if (about.body) continue;
        seen.add(about.key);
        assert.ok(about.name, `control ${about.key} has no name`);
        assert.ok(about.outline, `focus of '${about.name}' is not visible`);
    }
    assert.ok(seen.size >= wanted, `${seen.size} of ${wanted} controls were reached`);
});

test('keys step, jump, switch and turn', async () =>
{
    const page = await reset();
    const time = () => page.evaluate(() => window.rattleback.app.clock.time);
    const frames = read(readFileSync(path('a.rec'))).frames;
    await page.keyboard.press('ArrowRight');
    assert.equal(await time(), frames[1].time);
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await time(), frames[11].time);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await time(), frames[10].time);
    await page.keyboard.press('End');
    assert.equal(await time(), frames.at(-1).time);
    const plain = await hash_picture(page);
    await page.keyboard.press('m');
    assert.equal(await page.locator('#switch-center_of_mass').getAttribute('aria-pressed'), 'true');
    assert.notEqual(await hash_picture(page), plain, 'centres of mass are drawn');
    await page.keyboard.press('m');
    await page.keyboard.press('o');
    assert.notEqual(await hash_picture(page), plain, 'outlines are drawn');
    await page.keyboard.press('o');
    assert.equal(await hash_picture(page), plain, 'and taken away again');
    await page.keyboard.press('g');
    assert.notEqual(await hash_picture(page), plain, 'the ghost is drawn');
    await page.keyboard.press('?');
    assert.ok(await page.locator('dialog').isVisible());
    await page.keyboard.press('Escape');
    await page.locator('.panel').first().focus();
    const camera = () => page.evaluate(() => window.rattleback.app.viewports.camera.position.toArray().join());
    const still = await camera();
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await camera(), still);
    assert.equal(await time(), frames.at(-1).time, 'arrows in a viewport leave the time alone');
    await page.keyboard.press('2');
    assert.equal(await page.locator('.panel').count(), 1);
});

test('the camera follows a body', async () =>
{
    const page = await reset();
    await page.locator('#follow').selectOption({index: 20});
    const target = () => page.evaluate(() => { window.rattleback.draw(); return window.rattleback.app.viewports.controls.target.toArray(); });
    await page.evaluate(() => window.rattleback.seek(0.5));
    const {frames} = read(readFileSync(path('a.rec')));
    const frame = frames.find(item => Math.abs(item.time - 0.5) < 1e-9);
    (await target()).forEach((entry, k) => assert.ok(Math.abs(entry - frame.poses[20][k]) < 1e-6));
});

test('plots show the recorded numbers, share the cursor and are saved', async () =>
{
    const page = await open('chain.html#t=0', {height: 1400});
    const {frames} = read(readFileSync(path('a.rec')));
    const over = page.locator('#plot-energy .u-over');
    const box = await over.boundingBox();
    await over.scrollIntoViewIfNeeded();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    const cursors = await page.evaluate(() => window.rattleback.app.plots.charts.map(chart => chart.plot.cursor.left));
    assert.ok(cursors.length >= 2 && cursors.every(left => Math.abs(left - cursors[0]) < 1), `one cursor: ${cursors}`);
    assert.match(await page.locator('#plot-energy output').first().innerText(), /\d/);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const clicked = await page.evaluate(() => window.rattleback.app.clock.time);
    assert.ok(Math.abs(clicked - 0.5) < 0.02, `a click in the middle goes to ${clicked}`);
    await page.locator('#log').click();
    assert.match(await page.locator('#plot-energy figcaption').innerText(), /error/);
    const [csv] = await Promise.all([page.waitForEvent('download'), page.locator('#save-csv').click()]);
    const lines = readFileSync(await csv.path(), 'utf8').trim().split('\n');
    assert.equal(lines.length, 1 + 2 * frames.length);
    frames.forEach((frame, i) =>
    {
        const [label, time, energy] = lines[1 + i].split(',');
        assert.equal(label, '"a.rec"');
        assert.equal(Number(time), frame.time);
        assert.equal(Number(energy), frame.energy);
    });
    const [png] = await Promise.all([page.waitForEvent('download'), page.locator('#save-plots').click()]);
    assert.deepEqual([...readFileSync(await png.path()).subarray(1, 4)], [...Buffer.from('PNG')]);
    await close(page);
});

test('nothing sticks out at 360 and at 1920 pixels, dark or light', async () =>
{
    for (const [width, scheme] of [[360, 'light'], [1920, 'dark']])
    {
        const page = await open('chain.html#t=0', {width, height: 740, scheme});
        const widths = await page.evaluate(() => ({page: document.documentElement.scrollWidth,
            out: [...document.querySelectorAll('button, select, input, .panel, .plot, canvas')].filter(item => item.getBoundingClientRect().right > innerWidth + 1).length}));
        assert.equal(widths.page, width);
        assert.equal(widths.out, 0);
        const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        const sum = paper.match(/\d+/g).map(Number).reduce((a, b) => a + b);
        assert.ok(scheme === 'dark' ? sum < 150 : sum > 600, paper);
        assert.ok(await count_colours(page) > 20);
        await close(page);
    }
});

test('any coordinate, speed or position can be plotted by its name', async () =>
{
    const page = await open('pile.html#t=0');
    const {frames} = read(readFileSync(path('pile.rec')));
    const speed = await page.locator('#add-plot option').evaluateAll(list => list.map(item => item.value).find(id => id.startsWith('v:') && id.endsWith('.vz')));
    for (const id of [speed, 'position:3.z']) await page.locator('#add-plot').selectOption(id);
    assert.equal(await page.locator('.plot').count(), await page.evaluate(() => window.rattleback.app.plots.charts.length));
    const [first, second] = await page.evaluate(() => window.rattleback.app.plots.charts.slice(0, 2).map(chart => Array.from(chart.tables[0])));
    frames.forEach((frame, i) =>
    {
        assert.ok(Math.abs(first[i] - frame.poses[3][2]) < 1e-6, 'the height of body 3');
        assert.ok(Math.abs(second[i] + 9.81 * frame.time) < 1e-5, 'a body that falls freely');  // floats of about 2 m/s
    });
    const title = page.locator('.plot').first();
    await title.getByRole('button').click();
    assert.equal(await page.evaluate(() => window.rattleback.app.plots.charts.some(chart => chart.kind.id === 'position:3.z')), false, 'taken away');
    await close(page);
});

test('momentum errors are shown where nothing but gravity acts from outside', async () =>
{
    const free = await open('pile.html#t=0');
    const errors = await free.evaluate(() => Array.from(window.rattleback.app.all_runs[0].series.linear));
    assert.ok(Math.max(...errors) < 1e-6, `bodies that fall keep |P - M g t|: ${Math.max(...errors)}`);  // of 400 kg m/s, rounded
    await close(free);
    const anchored = await reset();
    assert.ok(await anchored.evaluate(() => window.rattleback.app.all_runs[0].series.linear.every(Number.isNaN)));
    assert.equal(await anchored.locator('#plot-linear, #plot-angular').count(), 0);
    assert.match(await anchored.locator('#momentum-note').innerText(), /^No momentum errors/);
});

// A ball of 1 cm on a plate of 1 m, both over a floor; from the second frame on it touches the plate, then the plate the floor.
function write_touching(name)
{
    const bodies = [{name: 'world', parent: -1, kind: 1, mass: 0}, {name: 'ball', kind: 0, mass: 1}, {name: 'plate', kind: 0, mass: 1}];
    const shapes = [{type: 0, body: 0, colour: [0.5, 0.5, 0.5, 1]}, {type: 1, body: 1, size: [0.01, 0, 0], colour: [0.6, 0.65, 0.7, 1]},
                    {type: 3, body: 2, size: [1, 1, 0.5], colour: [0.25, 0.5, 1, 1]}];
    const poses = [[0, 0, 0, 1, 0, 0, 0], [0, 0, 1.01, 1, 0, 0, 0], [0, 0, 0.5, 1, 0, 0, 0]];
    const ball = {bodies: [2, 1], shapes: [2, 1], point: [0, 0, 1], force: [0, 0, 10]};
    const floor = {bodies: [0, 2], shapes: [0, 2], point: [0, 0, 0], force: [0, 0, 0.1]};
    const frames = [[], [ball], [ball, floor]].map((contacts, i) => ({time: 0.1 * i, poses, contacts}));
    writeFileSync(path(name), forge({bodies, shapes, contacts: true}, frames));
}

test('contact points are as small as what touches, and faint where little force acts', async () =>
{
    write_touching('touch.rec');
    run('view', 'touch.rec', '-o', 'touch.html');
    const page = await open('touch.html#t=0.2');
    const {radii, fades} = await page.evaluate(() =>
    {
        window.rattleback.draw();
        const {mesh, geometry} = window.rattleback.app.viewports.scenes[0].markers.points;
        return {radii: [0, 1].map(i => mesh.instanceMatrix.array[16 * i]), fades: [0, 1].map(i => geometry.attributes.fade.getX(i))};
    });
    assert.ok(radii[0] < 0.0025, `the ball of 1 cm is not hidden by ${radii[0]}`);
    assert.ok(radii[1] > 3 * radii[0], 'the plate is larger');
    assert.ok(fades[0] === 1 && fades[1] < 0.2, `${fades}`);
    const momentum = await page.evaluate(() => window.rattleback.app.all_runs[0].series.linear.map(Number.isNaN).join());
    assert.equal(momentum, '0,0,1', 'the floor ends the momentum error, the plate does not');
    const colours = await page.evaluate(() =>
    {
        const {shapes} = window.rattleback.app.all_runs[0];
        return Array.from(shapes.shape_colour, value => Math.round(255 * value));
    });
    assert.deepEqual(colours.slice(0, 8), [0xd8, 0xda, 0xdc, 255, 0x4c, 0x7e, 0xb0, 255], 'shapes without a colour get those of rattleback render');
    assert.deepEqual(colours.slice(8), [64, 128, 255, 255]);
    const count = await page.evaluate(() =>
    {
        const {markers} = window.rattleback.app.viewports.scenes[0];
        markers.show_tendons(Float32Array.from([0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 2, 0, 0, 1, 2, 0, 1, 0]));
        const length = Math.hypot(...markers.tendons.mesh.instanceMatrix.array.subarray(8, 11));
        return [markers.tendons.mesh.count, length];
    });
    assert.deepEqual(count, [3, 1], 'two lines of a tendon: three pieces, the first 1 m long');
    await close(page);
});

test('on a phone all views and the buttons of time are on the first screen', async () =>
{
    const page = await open('chain.html#t=0', {width: 390, height: 844});
    const bottoms = await page.evaluate(() => [...document.querySelectorAll('.panel')].map(item => item.getBoundingClientRect().bottom));
    const top = await page.evaluate(() => document.querySelector('.transport').getBoundingClientRect().top);
    assert.equal(bottoms.length, 2);
    assert.ok(Math.max(...bottoms) <= top + 1 && top < 844, `${bottoms} above ${top}`);
    await close(page);
});
