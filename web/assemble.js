// SPDX-License-Identifier: BSD-3-Clause
// One page of all parts: node web/assemble.js WASM PAGE. From file:// a page may neither fetch a file nor start a
// Worker from one, so the module (base64) and the Worker's script are inside it.
'use strict';

const { readFileSync, readdirSync, writeFileSync } = require('fs');
const { join } = require('path');
const [, , wasm, page] = process.argv;
const top = join(__dirname, '..');
const text = (...path) => readFileSync(join(top, ...path), 'utf8');
// Inside a script element nothing may look like its end.
const inScript = (source) => source.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');

const models = Object.fromEntries(readdirSync(join(top, 'models')).filter((name) => name.endsWith('.ode'))
    .map((name) => [name.replace('.ode', ''), text('models', name)]));
const power = { grid: text('cases', 'wscc9.m'), machines: text('cases', 'wscc9.csv') };
const scripts = ['plot', 'core', 'methods', 'simulate', 'stability', 'papers', 'main'].map((name) => text('web', `lab_${name}.js`).replace(/^'use strict';\n/m, ''));

writeFileSync(page, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Geartrain lab</title>
<link rel="icon" href="data:,">
<style>
${text('web', 'lab.css')}</style>
</head>
<body>
${text('web', 'lab.html')}
<script type="text/plain" id="module">${readFileSync(wasm).toString('base64')}</script>
<script type="text/plain" id="worker">
${inScript(text('web', 'lab_worker.js'))}</script>
<script>
'use strict';
const MODEL_TEXTS = ${inScript(JSON.stringify(models))};
const POWER_CASE = ${inScript(JSON.stringify(power))};
${inScript(scripts.join('\n'))}</script>
</body>
</html>
`);
