// SPDX-License-Identifier: BSD-3-Clause
// Begins: the module, the lists, and the view that the address names.
'use strict';

const views = { simulate: Simulate, stability: Stability, papers: null }, opened = {};

function showView(core) {
    const { view, query } = readLink(), name = view in views ? view : 'simulate';
    for (const other of Object.keys(views)) {
        $('#' + other + '-view').hidden = other !== name;
        const tab = $(`nav a[href="#${other}"]`);
        if (other === name) tab.setAttribute('aria-current', 'page');
        else tab.removeAttribute('aria-current');
    }
    if (opened[name]) return;
    opened[name] = true;
    if (name === 'papers') openPapers(core, query);
    else window.lab[name] = new views[name](core, query);
}

async function main() {
    if (typeof WebAssembly !== 'object' || typeof Worker !== 'function') {
        fatal('This browser has no WebAssembly or no Workers, which the lab runs on. A browser of 2021 or later has both; the program `geartrain` does the same without.');
        return;
    }
    const core = new Core(bytesOf($('#module').textContent), $('#worker').textContent);
    window.lab = { core };
    core.onBusy = (busy) => { $('#busy').hidden = !busy; if (!busy) $('#how-far').textContent = ''; };
    core.onProgress = ({ t, steps }) => { $('#how-far').textContent = `t = ${shortNumber(t, 4)}, ${shortNumber(steps, 3)} steps`; };
    const lists = await core.ask('lists', { calls: [['catalogue']] });
    if (!lists?.answers?.length) { fatal(lists?.failed ?? 'The module did not answer.'); return; }
    [catalogue] = lists.answers;
    $('#version').textContent = catalogue.version;
    window.addEventListener('hashchange', () => showView(core));
    showView(core);
    document.body.dataset.ready = 'yes';
}

main();
