// The report of ./run: every scene with every solver, moving, with its table.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {close, count_colours, open, run, start, stop} from './bench.mjs';

let showcase, solvers;

before(async () =>
{
    showcase = JSON.parse(run('run', '--showcase', '--report', 'report', '--json'));
    solvers = JSON.parse(run('solvers', '--json')).map(solver => solver.name);
    await start();
});
after(stop);

test('every scene shows its runs, its table and how to make it again', async () =>
{
    const page = await open('report/index.html#t=0.5');
    const scenes = [...new Set(showcase.runs.map(item => item.scene))];
    assert.equal(await page.locator('.tabs button').count(), scenes.length);
    for (const scene of scenes)
    {
        await page.locator('.tabs button', {hasText: scene}).click();
        const runs = showcase.runs.filter(item => item.scene === scene);
        assert.equal(await page.locator('.panel').count(), Math.min(4, runs.filter(item => item.runs).length));
        assert.equal(await page.locator('.report tbody tr').count(), solvers.length);
        const commands = await page.locator('.commands code').allInnerTexts();
        assert.deepEqual(commands, runs.map(item => item.command));
        const notices = await page.locator('#notices').innerText();
        for (const item of runs.filter(refused => !refused.runs)) assert.ok(notices.includes(item.solver), `${scene}: ${item.solver}`);
        assert.ok(await count_colours(page) > 20, scene);
    }
    await page.evaluate(() => { location.hash = '#t=1&scene=chain'; });
    await page.waitForFunction(() => document.querySelector('.tabs [aria-current]').innerText === 'chain');
    await close(page);
});

test('it opens with a robot, and everything that moves is in the picture of every run', async () =>
{
    const page = await open('report/index.html#t=0', {width: 1280, height: 900});
    assert.equal(await page.locator('.tabs [aria-current]').innerText(), 'quadruped');
    for (const scene of new Set(showcase.runs.map(item => item.scene)))
    {
        await page.locator('.tabs button', {hasText: scene}).click();
        const {bodies, share, reach, weightless, grids} = await page.evaluate(() =>
        {
            const {app} = window.rattleback, {scenes, camera} = app.viewports;
            let inside = 0, all = 0, most = 0;
            for (const time of [0, app.clock.end])
            {
                app.clock.seek(time);
                app.draw();
                for (const {run, poses} of scenes)
                {
                    for (let body = 1; body < run.body_count; ++body)
                    {
                        const place = camera.position.clone().fromArray(poses, 7 * body).project(camera);
                        ++all;
                        if (Math.abs(place.x) <= 1 && Math.abs(place.y) <= 1) ++inside;
                        most = Math.max(most, Math.abs(place.x), Math.abs(place.y));
                    }
                }
            }
            return {bodies: scenes[0].run.body_count - 1, share: inside / all, reach: most, weightless: app.all_runs[0].about.weightless, grids: scenes.filter(item => item.grid || item.floors.length).length};
        });
        // the camera takes in most places of the whole run; who drifts is near its edge at the end
        assert.ok(share > 0.8, `${scene}: ${share} of the bodies are in the picture`);
        // the place of a body that turns where it is says nothing of how large it is drawn
        if (bodies > 1) assert.ok(reach > 0.3, `${scene} fills its picture: ${reach}`);
        if (weightless) assert.equal(grids, 0, `${scene}: no floor where there is no down`);
    }
    await close(page);
});

test('the table says which precision a solver ran in, and the particles run the pile', async () =>
{
    const {runs} = showcase;
    const of = (scene, solver) => runs.find(item => item.scene === scene && item.solver === solver);
    for (const solver of ['pbd', 'pbdr', 'refined']) assert.equal(of('pile', solver).runs, true, solver);
    assert.equal(of('t_handle', 'pbd').precision, 'float');
    assert.equal(of('t_handle', 'convex').precision, 'double');
    const page = await open('report/index.html#t=0&scene=t_handle');
    const rows = await page.locator('.report tbody tr').allInnerTexts();
    assert.ok(rows.find(row => row.startsWith('pbd\t')).includes('float'));
    await close(page);
});
