// SPDX-License-Identifier: BSD-3-Clause
// Pictures of the lab to look at: node shots.js PAGE PLAYWRIGHT-FOLDER OUT
'use strict';

const { mkdirSync } = require('fs');
const { join, resolve } = require('path');
const [, , pageFile, tools, out] = process.argv;
const { chromium } = require(join(resolve(tools), 'node_modules', 'playwright-core'));

async function main() {
    mkdirSync(out, { recursive: true });
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
    for (const [width, colorScheme] of [[400, 'light'], [1280, 'light'], [1280, 'dark'], [2560, 'light']])
        for (const view of ['simulate', 'stability', 'papers']) {
            const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
            await page.goto(`file://${resolve(pageFile)}#${view}`);
            await page.waitForSelector('body[data-ready]');
            await page.waitForTimeout(500);
            await page.waitForFunction(() => !window.lab.core.current && !window.lab.core.waiting.size, null, { timeout: 60000 });
            await page.waitForTimeout(800);
            await page.screenshot({ path: join(out, `${view}-${width}-${colorScheme}.png`), fullPage: true });
            await page.close();
        }
    await browser.close();
    console.log(`the pictures are in ${out}`);
}

main();
