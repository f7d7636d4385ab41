// What all browser tests need: the program, a temporary folder, a browser, and pages that must stay silent.
import assert from 'node:assert/strict';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const {chromium} = createRequire(join(process.env.RATTLEBACK_PACKAGES, 'node_modules', 'x.js'))('playwright-core');
export const program = process.env.RATTLEBACK_PROGRAM;
export const folder = mkdtempSync(join(tmpdir(), 'rattleback-viewer-'));
const kFlags = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
if (process.getuid?.() === 0) kFlags.push('--no-sandbox');
let browser;

export async function start(...flags)
{
    browser = await chromium.launch({executablePath: process.env.RATTLEBACK_BROWSER, args: [...kFlags, ...flags]});
}
export async function stop()
{
    await browser.close();
    rmSync(folder, {recursive: true});
}

export function path(name) { return join(folder, name); }
export function run(...words) { return execFileSync(program, words, {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']}); }
// {status, stdout, stderr} of a call that may fail.
export function call(...words) { return spawnSync(program, words, {cwd: folder, encoding: 'utf8'}); }

// Opens a page, by default a file of the folder. `faults` collects what it must not do.
export async function open(target, {width = 760, height = 520, scheme = 'light', motion = 'reduce', base} = {})
{
    const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme, reducedMotion: motion, acceptDownloads: true});
    context.setDefaultTimeout(120000);  // machines may be busy
    context.setDefaultNavigationTimeout(120000);
    const page = await context.newPage();
    page.faults = [];
    page.on('pageerror', error => page.faults.push(`error: ${error.message}`));
    page.on('console', message =>
    {
        // Software rendering reports that reading pixels is slow; everything else is ours.
        if (['error', 'warning'].includes(message.type()) && !message.text().includes('GPU stall')) page.faults.push(`console: ${message.text()}`);
    });
    const home = base ?? pathToFileURL(folder).href;
    page.on('request', request =>
    {
        if (!request.url().startsWith(home) && !/^(data|blob):/.test(request.url())) page.faults.push(`request: ${request.url()}`);
    });
    await page.goto(base ? `${base}${target}` : `${home}/${target}`);
    return page;
}
export async function close(page)
{
    assert.deepEqual(page.faults, []);
    await page.context().close();
}

// Pixels of a viewport's picture: how many colours, roughly.
export function count_colours(page)
{
    return page.evaluate(() =>
    {
        window.rattleback.draw();
        const gl = window.rattleback.app.viewports.renderer.getContext();
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        const seen = new Set();
        for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] >> 3) << 10 | (pixels[i + 1] >> 3) << 5 | pixels[i + 2] >> 3);
        return seen.size;
    });
}
// A number that changes with the picture.
export function hash_picture(page)
{
    return page.evaluate(() =>
    {
        window.rattleback.draw();
        const gl = window.rattleback.app.viewports.renderer.getContext();
        const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        return pixels.reduce((sum, value, i) => (sum + value * (i % 8191 + 1)) % 4294967291, 0);
    });
}
