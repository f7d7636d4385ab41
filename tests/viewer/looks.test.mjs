// A page of a model with an appearance: textures, the model's lights and sky, and its cameras in a menu.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {close, count_colours, hash_picture, open, path, run, start, stop} from './bench.mjs';

const kDressed = `<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
    <texture name="c" type="cube" builtin="flat" rgb1="0 1 0" rgb2="1 1 0" width="8"/>
    <texture name="s" type="skybox" builtin="gradient" rgb1="0.3 0.5 0.7" rgb2="0 0 0" width="32"/>
    <material name="m" texture="t" texrepeat="2 2"/><material name="n" texture="c" shininess="0.9"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" type="directional"/><light pos="1 -1 2" dir="-1 1 -2"/>
    <geom type="plane" size="0 0 1" material="m"/>
    <camera name="above" pos="0 0 3"/><camera name="flat" projection="orthographic" fovy="2" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <body name="box" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.3" material="n"/>
      <camera name="chase" mode="track" pos="0 -2 0.5" xyaxes="1 0 0 0 0.3 1"/></body>
  </worldbody></mujoco>`;

before(async () =>
{
    writeFileSync(path('dressed.xml'), kDressed);
    run('run', 'dressed.xml', '--seconds', '0.2', '--stride', '10', '--record', 'dressed.rec', '--json');
    run('view', 'dressed.rec', '-o', 'dressed.html');
    await start();
});
after(stop);

// Where the camera stands and how it is turned.
function find_camera(page)
{
    return page.evaluate(() =>
    {
        const {camera} = window.rattleback.app.viewports;
        return {position: camera.position.toArray(), rotation: camera.quaternion.toArray(), fov: camera.fov};
    });
}

test('textures are drawn, and the menu lists the cameras of the model', async () =>
{
    const page = await open('dressed.html#t=0');
    await page.waitForFunction(() => [...window.rattleback.app.viewports.scenes[0].looks.textures.values()].every(
        texture => (texture.images?.length === 6 ? texture.images[0] : texture.image)?.width > 0));
    assert.ok(await count_colours(page) > 50);
    assert.deepEqual(await page.locator('#camera option').allInnerTexts(), ['free', 'above', 'flat', 'chase']);
    const free = await hash_picture(page);
    await page.selectOption('#camera', {label: 'above'});
    await page.evaluate(() => window.rattleback.app.draw());
    const {position, fov} = await find_camera(page);
    assert.deepEqual(position, [0, 0, 3]);
    assert.equal(fov, 45);
    assert.notEqual(await hash_picture(page), free);
    await page.selectOption('#camera', {label: 'free'});
    assert.equal((await find_camera(page)).fov, 38);
    await close(page);
});

test('a tracking camera keeps its distance and its rotation', async () =>
{
    const page = await open('dressed.html#t=0.2');
    await page.selectOption('#camera', {label: 'chase'});
    const near = await page.evaluate(() =>
    {
        const {app} = window.rattleback;
        app.draw();
        const pose = app.viewports.scenes[0].poses, {position} = app.viewports.camera;
        return [position.x - pose[7], position.y - pose[8], position.z - pose[9]];
    });
    [0, -2, 0.5].forEach((wanted, k) => assert.ok(Math.abs(near[k] - wanted) < 1e-6));
    await close(page);
});
