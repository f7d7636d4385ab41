// Draw calls, script time per frame and page size for 100, 1,000 and 10,000 boxes.
// usage: tests/viewer/run figures.mjs build/release/rattleback build/release/tests/viewer
import {readFileSync, writeFileSync} from 'node:fs';
import {open, path, run, start, stop} from './bench.mjs';

// Boxes in a cube, in free fall.
function make_model(count)
{
    const side = Math.ceil(Math.cbrt(count)), bodies = [];
    for (let i = 0; i < count; ++i)
    {
        const place = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)].map(cell => 0.3 * (cell - side / 2));
        bodies.push(`<body pos="${place[0]} ${place[1]} ${place[2] + 0.3 * side}"><freejoint/><geom type="box" size=".1 .08 .06" rgba="${0.3 + 0.5 * (i % 7) / 6} .5 ${0.8 - 0.5 * (i % 5) / 4} 1"/></body>`);
    }
    return `<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="0 0 1" pos="0 0 -6"/>${bodies.join('')}</worldbody></mujoco>`;
}

await start();
console.log('boxes  draw calls  with shadows  script [ms per frame]  page [MB]  before data [MB]  frames');
for (const count of [100, 1000, 10000])
{
    writeFileSync(path('boxes.xml'), make_model(count));
    const {recording} = JSON.parse(run('run', 'boxes.xml', '--steps', '60', '--set', 'ignore=contact', '--record', 'boxes.rec', '--json'));
    run('view', 'boxes.rec', '-o', 'boxes.html');
    const page = await open('boxes.html#t=0', {width: 960, height: 540});
    const figures = await page.evaluate(async () =>
    {
        const {app} = window.rattleback;
        const measure = shadows =>
        {
            app.settings.shadows = shadows;
            const times = [];
            for (let i = 0; i < 40; ++i)
            {
                app.clock.time = app.clock.end * (i + 0.5) / 40;  // between frames: the dearest case
                const begin = performance.now();
                app.draw();
                times.push(performance.now() - begin);
            }
            times.sort((a, b) => a - b);
            return {calls: window.rattleback.figures().draw_calls, median: times[20], least: times[0]};
        };
        measure(false);
        return {plain: measure(false), shadows: measure(true)};
    });
    const html = readFileSync(path('boxes.html'), 'utf8');
    const bare = html.replace(/<script type=[^>]*>[^<]*<\/script>/g, '');
    const row = [count, figures.plain.calls, figures.shadows.calls, `${figures.plain.median.toFixed(2)} (least ${figures.plain.least.toFixed(2)})`,
                 (html.length / 1e6).toFixed(1), (bare.length / 1e6).toFixed(2), recording.frames];
    console.log(row.map((cell, i) => String(cell).padStart([5, 10, 12, 22, 9, 16, 6][i])).join('  '));
    await page.context().close();
}
await stop();
