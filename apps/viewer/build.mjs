// Bundles the page: one classic script, one style sheet, one template, as a C++ source that the command line links.
// usage: node build.mjs OUTPUT.cpp OUTPUT.html, in a folder where `npm ci` put the packages
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const kLargestPage = 2 * 1024 * 1024;  // [bytes], before data
const here = dirname(fileURLToPath(import.meta.url));
const packages = join(process.cwd(), 'node_modules');
const esbuild = createRequire(join(packages, 'x.js'))('esbuild');

async function bundle(entry)
{
    const result = await esbuild.build({
        entryPoints: [join(here, 'src', entry)], bundle: true, minify: true, write: false, format: 'iife',
        target: 'es2021', charset: 'utf8', legalComments: 'none', nodePaths: [packages], logLevel: 'warning',
    });
    return result.outputFiles[0].text.trimEnd();
}

function hash(text) { return `sha256-${createHash('sha256').update(text).digest('base64')}`; }

// `{{name}}` in the template becomes its value. What has no value stays for the program to fill in.
function fill(template, values)
{
    return template.replace(/\{\{(\w+)\}\}/g, (marker, name) => values[name] ?? marker);
}

// The text as C++ string literals. Compilers limit their length, so there are many.
function to_cpp(text)
{
    const pieces = [];
    const bytes = Buffer.from(text, 'utf8');
    for (let at = 0; at < bytes.length; at += 8192)
    {
        let piece = '';
        for (const byte of bytes.subarray(at, at + 8192))
        {
            const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
            piece += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
        }
        pieces.push(`    "${piece}"`);
    }
    return '// Made by apps/viewer/build.mjs from the page and its packages.\n#include "apps/cli/viewer_bundle.h"\n\n' +
           'namespace rattleback::cli\n{\n\nViewerBundle viewer_bundle()\n{\n    static constexpr char kPage[] =\n' +
           `${pieces.join('\n')};\n    return {{kPage, sizeof kPage - 1}, {}};\n}\n\n}  // namespace rattleback::cli\n`;
}

const [cpp_file, html_file] = process.argv.slice(2);
const notice = 'three.js (MIT, three.js authors) and uPlot (MIT, Leon Sorokin) are bundled here.';
const script = `/* Rattleback viewer, Apache-2.0. ${notice} */\n${await bundle('main.js')}`;
const style = await bundle('style.css');
if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style)) throw new Error('the bundle would end its own element');
const template = readFileSync(join(here, 'page.html'), 'utf8');
const page = fill(template, {script, style, script_hash: hash(script), style_hash: hash(style)});
for (const marker of ['{{title}}', '{{connect}}', '{{data}}'])
{
    if (page.split(marker).length !== 2) throw new Error(`${marker} must be in the page once`);
}
if (Buffer.byteLength(page) > kLargestPage) throw new Error(`the page has ${Buffer.byteLength(page)} bytes`);
writeFileSync(html_file, page);
writeFileSync(cpp_file, to_cpp(page));
