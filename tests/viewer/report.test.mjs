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
        for (const item of runs.filter(refused => !refused.runs)) assert.ok(notices.includes(`${item.solver} refuses`));
        assert.ok(await count_colours(page) > 20, scene);
    }
    await page.evaluate(() => { location.hash = '#t=1&scene=chain'; });
    await page.waitForFunction(() => document.querySelector('.tabs [aria-current]').innerText === 'chain');
    await close(page);
});
