// `rattleback view --serve`: loopback only, its own page only, nothing but its page, and frames as they are written.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readFileSync, renameSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {after, before, test} from 'node:test';
import {call, close, count_colours, folder, open, path, program, run, start, stop} from './bench.mjs';

let server, port, whole, half, total;

before(async () =>
{
    total = JSON.parse(run('run', 'double_pendulum', '--seconds', '2', '--stride', '2', '--record', 'whole.rec', '--json')).recording.frames;
    whole = readFileSync(path('whole.rec'));
    const model_end = 64 + Number(whole.readBigUInt64LE(40));
    half = model_end + 32 + Number(whole.readBigUInt64LE(model_end + 8));  // after the first chunk of frames
    assert.ok(half < whole.length);
    writeFileSync(path('a.rec'), whole.subarray(0, half));
    writeFileSync(path('secret.txt'), 'the secret of the folder');
    server = spawn(program, ['view', '--serve', 'a.rec'], {cwd: folder, stdio: ['ignore', 'pipe', 'inherit']});
    const line = await new Promise(resolve => server.stdout.once('data', data => resolve(String(data))));
    port = Number(/http:\/\/127\.0\.0\.1:(\d+)\//.exec(line)[1]);
    await start();
});
after(async () =>
{
    server.kill();
    await stop();
});

// The raw answer to a raw request.
function ask(text, host = '127.0.0.1')
{
    return new Promise((resolve, reject) =>
    {
        const socket = connect(port, host, () => socket.write(text));
        let answer = '';
        socket.setTimeout(4000, () => socket.destroy());
        socket.on('data', data => { answer += data.toString('latin1'); });
        socket.on('close', () => resolve(answer));
        socket.on('error', reject);
    });
}
function get(target, ...headers)
{
    return ask([`GET ${target} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers, '', ''].join('\r\n'));
}
function status(answer) { return Number(answer.split(' ')[1] ?? 0); }

test('it listens on the loopback address only', () =>
{
    const hex = port.toString(16).toUpperCase().padStart(4, '0');
    const listening = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(file => readFileSync(file, 'utf8').split('\n'))
        .map(line => line.trim().split(/\s+/)).filter(words => words[1]?.endsWith(`:${hex}`) && words[3] === '0A');
    assert.deepEqual(listening.map(words => words[1]), [`0100007F:${hex}`]);
});

test('its page and frames come with a strict policy', async () =>
{
    const answer = await get('/');
    assert.equal(status(answer), 200);
    const policy = /Content-Security-Policy: (.*)\r/.exec(answer)[1];
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'sha256-/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.ok(!policy.includes('unsafe'));
    assert.match(answer, /X-Content-Type-Options: nosniff/);
    assert.equal(status(await ask(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)), 200);
});

test('foreign hosts, origins and methods are refused', async () =>
{
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1', `0.0.0.0:${port}`, `127.0.0.1:${port}.evil.example`, ''])
    {
        const answer = await ask(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        assert.ok([400, 403].includes(status(answer)), `host '${host}': ${answer.slice(0, 60)}`);
    }
    assert.ok([400, 403].includes(status(await ask('GET / HTTP/1.0\r\n\r\n'))), 'no host at all');
    assert.equal(status(await ask(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)), 403);
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`])
    {
        assert.equal(status(await get('/', `Origin: ${origin}`)), 403, origin);
    }
    assert.equal(status(await get('/', `Origin: http://127.0.0.1:${port}`)), 200);
    assert.equal(status(await get('/frames?run=0&from=0', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors')), 403);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'])
    {
        const answer = await ask(`${method} / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        assert.equal(status(answer), 405, method);
    }
});

test('no path leads to a file', async () =>
{
    const dots = ['..', '%2e%2e', '%252e%252e', '.%2e', '..%00', '..;', '%c0%ae%c0%ae', '....'];
    const slashes = ['/', '%2f', '%252f', '\\', '%5c', '//', '/./'];
    const files = ['etc/passwd', 'secret.txt', 'a.rec', 'proc/self/environ'];
    const targets = ['/secret.txt', '/a.rec', '/./a.rec', '//a.rec', '/%61.rec', '/etc/passwd', 'a.rec', 'file:///etc/passwd', '/index.html', '/frames/../secret.txt',
                     `http://127.0.0.1:${port}/secret.txt`, '/frames?run=../../etc/passwd&from=0', '/frames?run=0&from=/etc/passwd', '/frames?run=-1&from=0',
                     '/frames?run=1&from=0', '/frames?run=0&from=-1', '/frames?run=0&from=99999999999999999999', '/frames', '/frames?run=0&from=0&file=../../etc/passwd',
                     `/${'a'.repeat(9000)}`];
    for (const dot of dots) for (const slash of slashes) for (const file of files) for (const depth of [1, 3, 8]) targets.push(`/${(dot + slash).repeat(depth)}${file}`);
    assert.ok(targets.length >= 500);
    for (const target of targets)
    {
        const answer = await get(target);
        assert.ok([0, 400, 404, 409, 414].includes(status(answer)), `${target}: ${answer.slice(0, 40)}`);
        assert.ok(!/root:|the secret|RBRECD|PATH=/.test(answer), target);
    }
});

test('frames appear while the file is written, and a replaced file is noticed', async () =>
{
    const page = await open('/', {base: `http://127.0.0.1:${port}`});
    const frames = () => page.evaluate(() => window.rattleback.app.all_runs[0].frame_count);
    const first = await frames();
    assert.ok(first > 0 && first < total);
    assert.ok(await count_colours(page) > 20);
    writeFileSync(path('a.rec'), whole.subarray(half), {flag: 'a'});
    await page.waitForFunction(count => window.rattleback.app.all_runs[0].frame_count === count, total);
    await page.waitForFunction(count => document.getElementById('readout').innerText.includes(`frame ${count} of ${count}`), total);
    writeFileSync(path('new.rec'), whole);
    renameSync(path('new.rec'), path('a.rec'));
    await page.waitForFunction(() => document.getElementById('live').innerText.includes('replaced'));
    page.faults = page.faults.filter(fault => !fault.includes('409'));
    await close(page);
});

test('mistakes are explained', () =>
{
    assert.match(call('view', '--serve', 'none.rec').stderr, /none\.rec/);
    assert.match(call('view', '--serve', 'a.rec', '--port', String(port)).stderr, /cannot be used/);
    assert.match(call('view', '--serve', 'a.rec', '-o', 'x.html').stderr, /leave out -o/);
    assert.match(call('view', 'a.rec', '--port', '80', '-o', 'x.html').stderr, /belongs to --serve/);
    assert.equal(call('view', '--serve', 'a.rec', '--port', '70000').status, 2);
});
