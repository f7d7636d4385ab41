// Where WebGL is missing the page is still readable.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {close, open, run, start, stop} from './bench.mjs';

before(async () =>
{
    run('run', 'double_pendulum', '--seconds', '0.5', '--stride', '10', '--record', 'a.rec', '--json');
    run('view', 'a.rec', '-o', 'a.html');
    await start('--disable-3d-apis');
});
after(stop);

test('without WebGL positions are shown as numbers, and plots work', async () =>
{
    const page = await open('a.html#t=0');
    assert.match(await page.locator('#text-view').innerText(), /cannot draw in 3D/);
    const numbers = () => page.locator('#text-view tbody').innerText();
    const first = await numbers();
    await page.locator('#scrubber').fill('0.4');
    await page.waitForFunction(old => document.querySelector('#text-view tbody').innerText !== old, first);
    assert.ok(await page.locator('#plot-energy canvas').isVisible());
    await close(page);
});
