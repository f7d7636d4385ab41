// The page of `bench accuracy --figures`: every figure is there, complete in itself, readable, with the paper beside it.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {call, close, open, path, start, stop} from './bench.mjs';

// Two solvers and three tests are enough for a section of each kind and take seconds.
const kWords = ['bench', 'accuracy', '--figures', 'figures', '--quick', '--solver', 'pbdr,convex', '--test', '2,7'];

before(async () =>
{
    const made = call(...kWords);
    assert.equal(made.status, 0, made.stderr);
    await start();
});
after(stop);

test('figures and tables stand with the published numbers beside ours', async () =>
{
    const page = await open('figures/index.html', {width: 1280, height: 900});
    const sections = await page.locator('section').evaluateAll(all => all.map(one => one.id));
    assert.deepEqual(sections, ['fig2', 'fig3', 'fig5', 'fig6', 'fig9']);
    assert.equal(await page.locator('section svg').count(), sections.length);
    const heads = await page.locator('#fig9 .claims th').allInnerTexts();
    assert.deepEqual(heads, ['the paper says', 'published', 'here', '']);
    // 4 of 8 cells per side: 1074 degrees / (n^2 - 1) with n = 4 is 71.6 degrees
    await page.locator('#fig6 summary').click();
    const row = await page.locator('#fig6 .numbers tr', {hasText: '64'}).first().innerText();
    assert.match(row, /^64\s+71\.\d\s+71\.6$/);
    // without MuJoCo what compares with it is not judged
    assert.equal(await page.locator('#fig5 .claims tr', {hasText: 'MuJoCo'}).locator('.not_run').count(), 1);
    await close(page);
});

test('words are inside their drawings and do not run into each other', async () =>
{
    const page = await open('figures/index.html', {width: 1280, height: 900});
    const faults = await page.evaluate(() =>
    {
        const found = [];
        for (const svg of document.querySelectorAll('section svg'))
        {
            const frame = svg.getBoundingClientRect();
            const boxes = [...svg.querySelectorAll('text')].filter(t => t.textContent).map(t => [t.textContent, t.getBoundingClientRect()]);
            boxes.forEach(([words, a], i) =>
            {
                if (a.left < frame.left - 1 || a.right > frame.right + 1 || a.top < frame.top - 1 || a.bottom > frame.bottom + 1) found.push(`outside: ${words}`);
                for (const [other, b] of boxes.slice(i + 1))
                {
                    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    if (wide > 2 && high > 4) found.push(`${words} over ${other}`);
                }
            });
        }
        return found;
    });
    assert.deepEqual(faults, []);
    await close(page);
});

test('a second call runs nothing again and writes the same page but for saying so', async () =>
{
    const first = readFileSync(path('figures/index.html'), 'utf8'), runs = readFileSync(path('figures/runs.jsonl'), 'utf8');
    const again = call(...kWords);
    assert.equal(again.status, 0, again.stderr);
    assert.doesNotMatch(again.stderr, /measuring: 1 of/);
    assert.equal(readFileSync(path('figures/runs.jsonl'), 'utf8'), runs);
    const second = readFileSync(path('figures/index.html'), 'utf8');
    const strip = text => text.replace(/<ul>[^]*?<\/ul>/, '');
    assert.equal(strip(second), strip(first));
    assert.match(second, /(\d+) runs, \1 of them read/);
});
