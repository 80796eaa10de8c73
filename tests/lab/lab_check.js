// SPDX-License-Identifier: BSD-3-Clause
// The lab in Debian's Chromium: node lab_check.js PAGE NATIVE-PROGRAM PLAYWRIGHT-FOLDER. Prints "ok WHAT" and "not ok WHAT".
// The page is opened from file:// and from a server on loopback; its numbers are compared with those of the program that is
// built without LAPACK, which has the same arithmetic.
'use strict';

const { execFileSync } = require('child_process');
const { createServer } = require('http');
const { mkdtempSync, readFileSync, rmSync } = require('fs');
const { tmpdir } = require('os');
const { join, resolve } = require('path');
const [, , pageFile, native, tools] = process.argv;
const { chromium } = require(join(resolve(tools), 'node_modules', 'playwright-core'));

// f of these has sums, products, quotients and roots alone: the same bits.
const SAME_BITS = ['stiff2', 'stiff3c', 'crow_p8', 'lorenz', 'predator_prey', 'lotka_volterra', 'linear2', 'vanderpol', 'robertson', 'hires', 'orego', 'kaps', 'lienard', 'marginal4'];
// These have sines and exponentials, whose last bit differs between C libraries: up to times until which neither the problem
// nor a controller near its limit makes more of it.
const SAME_STEPS = [['duffing', 3], ['double_pendulum', 1], ['kpr', 0.3], ['crow_p2', 5], ['crow_p10', 0.5], ['crow_p4', null], ['quartercar_b', null]];
const METHODS = ['gear', 'dopri5', 'rodas4', 'radau', 'dop853', 'trapezoidal'];

let failed = 0;
function verdict(what, good, why = '') {
    if (!good) failed++;
    console.log(`${good ? 'ok' : 'not ok'} ${what}${good || why === '' ? '' : ': ' + why}`);
}
const program = (...words) => execFileSync(native, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

let browser;
async function open(address, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    page.complaints = [];
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) page.complaints.push(message.text()); });
    page.on('pageerror', (error) => page.complaints.push(error.message));
    if (options.before) await page.addInitScript(options.before);
    await page.goto(address);
    if (!options.broken) await page.waitForSelector('body[data-ready]', { timeout: 60000 });
    return page;
}
// Runs of the page as they are now, when the newest have come and errors are known.
const settled = (page) => page.waitForFunction(() => window.lab.simulate?.errors && !window.lab.core.current && !window.lab.core.waiting.size, null, { timeout: 60000 });
const results = (page) => page.evaluate(() => window.lab.simulate.results.map((r) => ({ name: r.row.name, steps: r.steps, status: r.status })));

async function everyView(where, address) {
    const page = await open(address);
    await settled(page);
    verdict(`${where}: the runs of the first view succeed`, (await results(page)).every((r) => r.status === 'ok' && r.steps > 0));
    for (const [view, canvases] of [['stability', 5], ['papers', 9]]) {
        await page.click(`nav a[href="#${view}"]`);
        await page.waitForFunction(([name, count]) => [...document.querySelectorAll(`#${name}-view canvas`)].filter((c) => c.dataset.drawn > 0).length === count, [view, canvases], { timeout: 60000 })
            .then(() => verdict(`${where}: all figures of ${view} are drawn`, true), (error) => verdict(`${where}: all figures of ${view} are drawn`, false, error.message));
    }
    await page.waitForFunction(() => /Critical clearing time 0\.1/.test(document.querySelector('#story-crow .words').textContent), null, { timeout: 60000 }).catch(() => {});
    const words = await page.textContent('#story-crow .words');
    const cct = JSON.parse(program('power', 'cct', 'wscc9', '--fault-bus', '8', '--trip', '8-9', '--model', 'classical', '--window', '2', '--json'));
    const expected = cct.cct.toFixed(4);
    verdict(`${where}: the critical clearing time is that of the program`, words.includes(`${expected} s`), `${words} (${expected})`);
    verdict(`${where}: no errors in the console`, page.complaints.length === 0, page.complaints.join('; '));
    verdict(`${where}: nothing is asked of a network`, (await page.evaluate(() => performance.getEntriesByType('resource').filter((r) => /^http/.test(r.name)).length)) === 0);
    await page.context().close();
}

// One comparison of a run in the page with the same run of the program.
function compare(model, method, here, there, exact) {
    const what = `${model} by ${method}: ${exact ? 'the same bits' : 'the same steps, end values within 1e-3 of the tolerance'}`;
    if (here.status !== 'ok') return verdict(what, false, here.message);
    const last = here.end, names = Object.keys(there.x);
    const off = names.findIndex((name, i) => (exact ? !Object.is(last[i], there.x[name]) : !(Math.abs(last[i] - there.x[name]) <= 1e-3 * 1e-6 * (1 + Math.abs(there.x[name])))));
    const steps = here.steps === there.stats.steps && here.rejected === there.stats.rejected;
    verdict(what, off < 0 && steps, off < 0 ? `${here.steps} steps, not ${there.stats.steps}` : `${names[off]} is ${last[off]}, not ${there.x[names[off]]}`);
}

async function sameNumbers(page) {
    for (const [model, t1] of [...SAME_BITS.map((name) => [name, null]), ...SAME_STEPS]) {
        const runs = await page.evaluate(async ([model, t1, methods]) => {
            const result = await window.lab.core.ask('check', { model: { name: model }, problem: { set: '', init: '', t1 }, calls: methods.map((m) => ['run', 0, m, '', 1e-6, 0, 0, 100]) });
            return result.answers.map((r) => ({ status: r.status, message: r.message, steps: r.steps, rejected: r.rejected, end: r.rows ? [...r.numbers.slice((r.rows - 1) * r.width + 2, r.rows * r.width)] : [] }));
        }, [model, t1, METHODS]);
        const end = t1 === null ? [] : ['--t1', String(t1)];
        METHODS.forEach((method, i) => compare(model, method, runs[i], JSON.parse(program('run', model, '--method', method, '--rtol', '1e-6', '--json', ...end)), SAME_BITS.includes(model)));
    }
}

async function wrongModel(page) {
    await page.click('#edit');
    await page.fill('#text', "par a=1\nx'=-a*x+b\ninit x=1\ndone\n");
    await page.waitForSelector('#notes .error');
    const text = await page.textContent('#notes .error');
    verdict('a wrong model: line, column and caret are shown', /line 2, column 9/.test(text) && /\n {8}\^/.test(text), text);
    verdict('a wrong model: the line is marked', (await page.textContent('#lines .wrong')) === '2');
    await page.evaluate(() => window.lab.simulate.run()); // as a slider that is let go late does: it was an error of the page
    await page.fill('#text', "par a=1\nx'=-a*x\ninit x=1\n@ total=2\ndone\n");
    await page.waitForFunction(() => window.lab.simulate.results?.[0]?.numbers?.length && window.lab.simulate.built.states.length === 1 && !document.querySelector('#notes .error'));
    await settled(page);
    verdict('a model that was mended runs', (await results(page)).every((r) => r.status === 'ok'));
}

async function links(page, address) {
    await page.fill('#params .number', '3');
    await page.press('#params .number', 'Enter');
    await page.waitForFunction(() => /a(%3D|=)3/.test(location.hash));
    await settled(page);
    const before = await results(page), link = await page.evaluate(() => location.href.split('#')[0] + linkOf('simulate', window.lab.simulate.query()));
    const other = await open(link);
    await settled(other);
    verdict('a link carries the whole state', JSON.stringify(await results(other)) === JSON.stringify(before) && (await other.inputValue('#params .number')) === '3' && (await other.inputValue('#text')).includes('total=2'), address);
    await other.context().close();
}

async function exportsOf(page) {
    const [csv] = await Promise.all([page.waitForEvent('download'), page.click('#csv')]);
    const rows = readFileSync(await csv.path(), 'utf8').trim().split('\n');
    verdict('CSV: a header and rows of all methods', rows[0] === 'method,t,h,x,y' && rows.some((r) => r.startsWith('gear,')) && rows.some((r) => r.startsWith('dopri5,')), rows[0]);
    const [svg] = await Promise.all([page.waitForEvent('download'), page.click('#svg')]);
    const text = readFileSync(await svg.path(), 'utf8');
    verdict('SVG: a well-formed picture', await page.evaluate((source) => { const d = new DOMParser().parseFromString(source, 'image/svg+xml'); return !d.querySelector('parsererror') && d.querySelectorAll('path').length > 4; }, text));
    const command = await page.textContent('#shell'), folder = mkdtempSync(join(tmpdir(), 'lab'));
    const table = execFileSync('sh', ['-c', command.replace(/^geartrain/, resolve(native))], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    rmSync(folder, { recursive: true });
    const shown = await results(page);
    verdict('the shell command does the same', shown.every((r) => new RegExp(`^${r.name} .*\\b${r.steps}\\b`, 'm').test(table)), table);
}

async function stopping(page) {
    await page.evaluate(() => { Object.assign(window.lab.simulate.methods.rows[0], { name: 'rk4', mode: 'h', value: 1e-8 }); window.lab.simulate.methods.changed(true); });
    await page.waitForSelector('#busy:not([hidden])');
    await page.waitForFunction(() => /steps/.test(document.querySelector('#how-far').textContent));
    await page.evaluate(() => { window.lab.simulate.judge(); });
    await page.click('#stop');
    await page.waitForFunction(() => document.querySelector('#message').textContent === 'stopped');
    verdict('a run of 10^9 steps is stopped', await page.isHidden('#busy'));
    await page.waitForTimeout(500);
    verdict('and what waited behind it does not begin', await page.evaluate(() => window.lab.core.ready && !window.lab.core.current && !window.lab.core.waiting.size));
    await page.evaluate(() => { Object.assign(window.lab.simulate.methods.rows[0], { name: 'gear', mode: 'rtol', value: 1e-4 }); window.lab.simulate.methods.changed(true); });
    await settled(page);
    verdict('and the next run goes on', (await results(page)).every((r) => r.status === 'ok'));
}

async function hands(page) {
    const canvas = await page.locator('#phase'), start = () => page.evaluate(() => window.lab.simulate.built.states.map((s) => s.x0));
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox(), before = await start();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2 - 30, { steps: 4 });
    await page.mouse.up();
    await settled(page);
    const dragged = await start();
    verdict('the starting point is dragged', dragged[0] !== before[0] && dragged[1] !== before[1]);
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((x) => window.lab.simulate.built.states[0].x0 !== x, dragged[0]);
    verdict('and moved by arrow keys', true);
    await page.locator('#params input[type=range]').first().focus();
    const value = await page.inputValue('#params .number');
    await page.keyboard.press('ArrowRight');
    verdict('a slider moves by arrow keys', (await page.inputValue('#params .number')) !== value);
    await settled(page);
    await page.click('#advise');
    await page.waitForSelector('#advice dd', { timeout: 60000 });
    verdict('advice comes in words', /dopri5 needs about/.test(await page.textContent('#advice')));
}

async function narrow(address) {
    for (const view of ['simulate', 'stability', 'papers']) {
        const page = await open(`${address}#${view}`, { viewport: { width: 400, height: 800 }, colorScheme: 'dark' });
        await page.waitForFunction((name) => [...document.querySelectorAll(`#${name}-view canvas`)].some((c) => c.dataset.drawn > 0), view);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        verdict(`${view} fits 400 pixels`, wide <= 400, `${wide} pixels wide`);
        if (view === 'simulate') verdict('dark where the reader prefers it', await page.evaluate(() => getComputedStyle(document.body).backgroundColor === 'rgb(22, 27, 32)'));
        await page.context().close();
    }
}

async function refusals(address) {
    const page = await open(address, { before: () => { delete globalThis.WebAssembly; }, broken: true });
    await page.waitForSelector('#fatal:not([hidden])');
    verdict('a browser without WebAssembly is told so', /no WebAssembly/.test(await page.textContent('#fatal')));
    await page.context().close();
}

// A step of an exponential method holds many periods: 600 points beat with them, and cut off the tops of 34.
async function manyPeriods(page) {
    const { least, rows } = await page.evaluate(async () => {
        const job = { model: { text: "x'=v\nv'=-1e6*x\nx(0)=1\n@ total=3\n" }, problem: { set: '', init: '', t1: 3 }, calls: [['run', 0, 'exprb32', '', 0, 0.1, 100000, 600]] };
        const [run] = (await window.lab.core.ask('many periods', job)).answers, top = new Array(100).fill(0);
        for (let k = 0; k < run.rows; k++) {
            const column = Math.min(99, Math.floor(run.numbers[k * run.width] / 3 * 100));
            top[column] = Math.max(top[column], run.numbers[k * run.width + 2]);
        }
        return { least: Math.min(...top), rows: run.rows };
    });
    verdict('every one of a hundred columns has the amplitude of 477 periods', least > 0.99, `${least} of ${rows} rows`);
}

async function main() {
    const server = createServer((request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(pageFile)));
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
    const onDisk = 'file://' + resolve(pageFile), served = `http://127.0.0.1:${server.address().port}/`;
    await everyView('from disk', onDisk);
    await everyView('from a server', served);
    const page = await open(onDisk);
    await settled(page);
    await sameNumbers(page);
    await manyPeriods(page);
    await exportsOf(page);
    await hands(page);
    await stopping(page);
    await wrongModel(page);
    await links(page, onDisk);
    verdict('no errors in the console in all that', page.complaints.length === 0, page.complaints.join('; '));
    await narrow(onDisk);
    await refusals(onDisk);
    await browser.close();
    server.close();
    process.exitCode = failed ? 1 : 0;
}

main().catch((error) => {
    console.log(`not ok the checks came to their end: ${error.message}`);
    browser?.close();
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 2000).unref();
});
