// SPDX-License-Identifier: BSD-3-Clause
// From a slider to the picture: node slider.js PAGE PLAYWRIGHT-FOLDER. The slider of mu of van der Pol's oscillator is moved
// 200 times, one after the other; the time is from its event to the last stroke of both figures, with one method and with three.
'use strict';

const { join, resolve } = require('path');
const [, , pageFile, tools] = process.argv;
const { chromium } = require(join(resolve(tools), 'node_modules', 'playwright-core'));

async function measure(browser, methods) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`file://${resolve(pageFile)}#simulate?model=vanderpol&${methods.map((m) => 'm=' + m).join('&')}`);
    await page.waitForFunction(() => window.lab?.simulate?.errors, null, { timeout: 60000 });
    const times = await page.evaluate(async () => {
        const simulate = window.lab.simulate, slider = document.querySelector('#params input[type=range]'), plot = document.querySelector('#phase'), out = [];
        simulate.judge = () => {}; // errors are found when the slider rests
        for (let k = 0; k < 220; k++) {
            const drawn = plot.dataset.drawn, began = performance.now();
            slider.value = 400 + (k * 37) % 200;
            slider.dispatchEvent(new Event('input'));
            while (plot.dataset.drawn === drawn) await new Promise((next) => { const channel = new MessageChannel(); channel.port1.onmessage = next; channel.port2.postMessage(0); });
            if (k >= 20) out.push(performance.now() - began);
        }
        return out.sort((a, b) => a - b);
    });
    await page.close();
    const at = (part) => times[Math.floor(part * times.length)].toFixed(1);
    console.log(`${methods.join(', ').padEnd(60)} median ${at(0.5)} ms, 90 % below ${at(0.9)} ms`);
    return Number(at(0.5));
}

async function main() {
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
    const one = await measure(browser, ['gear:rtol=1e-4']);
    await measure(browser, ['gear:rtol=1e-4', 'dopri5:rtol=1e-4', 'rodas4:rtol=1e-4']);
    await browser.close();
    process.exitCode = one < 16 ? 0 : 1;
}

main();
