// SPDX-License-Identifier: BSD-3-Clause
// Simulate: a model with sliders, several methods overlaid, their errors and work, phase plane, advice, exports.
'use strict';

const SHOWN_STATES = 8;

class Simulate {
    constructor(core, query) {
        this.core = core;
        this.time = new Plot($('#time'), { hover: $('#time-at') });
        this.phase = new Plot($('#phase'), { hover: $('#phase-at'), drag: (at) => this.dragged(at) });
        this.read(query);
        this.controls();
        this.load();
    }
    // ---- the state, which a link carries ----
    read(query) {
        const text = query.get('text');
        this.model = text !== null ? { name: query.get('model') ?? 'model', text } : { name: query.get('model') ?? 'vanderpol' };
        this.set = new Map(query.getAll('set').map((pair) => pair.split('=')));
        this.init = new Map(query.getAll('init').map((pair) => pair.split('=')));
        this.t1 = query.has('t1') ? Number(query.get('t1')) : null;
        const rows = query.getAll('m').map((word) => readMethod(word, true)).filter(Boolean).slice(0, 6);
        this.startRows = rows.length ? rows : [{ name: 'gear', mode: 'rtol', value: 1e-4, options: '' }, { name: 'dopri5', mode: 'rtol', value: 1e-4, options: '' }];
        this.columns = query.get('y')?.split(',') ?? null;
        this.axes = query.get('phase')?.split(',') ?? null;
    }
    query() {
        const query = new URLSearchParams();
        query.set('model', this.model.name);
        if (this.model.text !== undefined) query.set('text', this.model.text);
        for (const [name, value] of this.set) query.append('set', `${name}=${value}`);
        for (const [name, value] of this.init) query.append('init', `${name}=${value}`);
        if (this.t1 !== null) query.set('t1', this.t1);
        this.methods.toQuery(query);
        if (this.columns) query.set('y', this.columns.join(','));
        if (this.axes) query.set('phase', this.axes.join(','));
        return query;
    }
    job(calls) {
        const pairs = (map) => [...map].map(([name, value]) => `${name}=${value}`).join(', ');
        return { model: this.model, problem: { set: pairs(this.set), init: pairs(this.init), t1: this.t1 }, calls };
    }
    // ---- controls ----
    controls() {
        const models = $('#model');
        models.replaceChildren(element('option', { value: '', textContent: 'your own text' }),
            ...catalogue.models.map((m) => element('option', { value: m.name, textContent: `${m.name}: ${m.title}` })));
        models.value = this.model.text === undefined ? this.model.name : '';
        models.addEventListener('change', () => models.value ? this.choose({ name: models.value }) : this.edit());
        $('#edit').addEventListener('click', () => this.edit());
        $('#reset').addEventListener('click', () => this.choose(this.model));
        this.methods = new MethodRows($('#methods'), {
            rows: this.startRows, steps: true, onChange: () => this.run(),
            first: (rows) => ({ name: ['rodas4', 'rk4', 'radau', 'trapezoidal', 'exprb32'].find((n) => !rows.some((r) => r.name === n)) ?? 'rodas4', mode: 'rtol', value: 1e-4, options: '' }),
        });
        this.methods.stepFor = () => this.built ? +(Math.abs(this.built.t1 - this.built.t0) / 1000).toPrecision(1) : 0.01;
        const editor = $('#text');
        editor.addEventListener('input', () => { this.numbers(); this.choose({ name: 'model', text: editor.value }, true); });
        editor.addEventListener('scroll', () => { $('#lines').scrollTop = editor.scrollTop; });
        if (this.model.text !== undefined) { editor.value = this.model.text; $('#editor').hidden = false; this.numbers(); }
        $('#stop').addEventListener('click', () => this.core.stop());
        $('#link').addEventListener('click', (event) => copy(location.href.split('#')[0] + linkOf('simulate', this.query()), event.target));
        $('#svg').addEventListener('click', () => { save('time.svg', 'image/svg+xml', this.time.svg()); save('phase.svg', 'image/svg+xml', this.phase.svg()); });
        $('#csv').addEventListener('click', () => save('run.csv', 'text/csv', this.csv()));
        $('#command').addEventListener('click', (event) => copy(this.command(), event.target));
        $('#advise').addEventListener('click', () => this.advise());
        for (const id of ['#phase-x', '#phase-y']) $(id).addEventListener('change', () => { this.axes = [$('#phase-x').value, $('#phase-y').value]; this.draw(); });
    }
    edit() {
        const editor = $('#text');
        if (this.model.text === undefined) {
            const known = MODEL_TEXTS[this.model.name];
            editor.value = known ?? "# a model of your own: geartrain's language is that of XPPAUT\npar mu=5\nx'=y\ny'=mu*(1-x^2)*y-x\ninit x=2, y=0\n@ total=30\ndone\n";
        }
        $('#editor').hidden = false;
        $('#model').value = '';
        this.numbers();
        this.choose({ name: 'model', text: editor.value }, true);
        editor.focus();
    }
    numbers() {
        const wrong = new Set((this.notes ?? []).filter((n) => n.error).map((n) => n.line));
        const count = $('#text').value.split('\n').length;
        $('#lines').replaceChildren(...Array.from({ length: count }, (_, i) => element('span', { textContent: i + 1, className: wrong.has(i + 1) ? 'wrong' : '' })));
    }
    choose(model, keep) {
        const other = model.name !== this.model.name || (model.text === undefined) !== (this.model.text === undefined);
        this.model = model;
        if (!keep || other) { this.set.clear(); this.init.clear(); this.t1 = null; this.columns = this.axes = null; }
        if (model.text === undefined) { $('#editor').hidden = true; $('#model').value = model.name; }
        this.load();
    }
    // ---- a model ----
    async load() {
        $('#advice').replaceChildren();
        const result = await this.core.ask('run', this.job([]));
        if (!result || result.stopped) return;
        this.notes = result.opened?.notes ?? [];
        this.showNotes(result);
        if (result.failed || result.opened.status !== 'ok') return;
        this.opened = result.opened;
        if (result.built.status !== 'ok') {
            this.say(result.built.message);
            return;
        }
        this.usual = this.usualOf(result.built);
        this.built = result.built;
        this.sliders();
        this.choices();
        this.run();
    }
    usualOf(built) { return new Map(built.states.map((s) => [s.name, s.x0])); }
    showNotes(result) {
        const place = $('#notes'), lines = (this.model.text ?? '').split('\n');
        place.replaceChildren(...this.notes.map((note) => {
            const where = note.line ? `line ${note.line}, column ${note.column}: ` : '';
            const source = note.line ? lines[note.line - 1] ?? '' : '';
            const caret = source ? `\n${source}\n${source.slice(0, note.column - 1).replace(/[^\t]/g, ' ')}^` : '';
            return element('pre', { className: note.error ? 'error' : 'warning', textContent: `${note.error ? 'error' : 'warning'}: ${where}${note.text}${caret}`, tabIndex: 0,
                on: { click: () => this.goTo(note) } });
        }));
        if (result.failed) place.append(element('pre', { className: 'error', textContent: result.failed }));
        else if (result.opened.status !== 'ok' && !this.notes.some((n) => n.error)) place.append(element('pre', { className: 'error', textContent: result.opened.message }));
        if (this.model.text !== undefined) this.numbers();
    }
    goTo(note) {
        const editor = $('#text'), before = editor.value.split('\n').slice(0, note.line - 1).join('\n').length + (note.line > 1 ? 1 : 0);
        editor.focus();
        editor.setSelectionRange(before + note.column - 1, before + note.column);
    }
    sliders() {
        $('#title').textContent = this.opened.title || this.opened.name;
        $('#equations').textContent = this.opened.equations ?? '';
        $('#params').replaceChildren(...this.opened.params.map((p) => this.paramControl(p)));
        const states = this.built.states, rows = states.map((s) => {
            const usual = s.x0, span = Math.max(1, 2 * Math.abs(usual));
            return slider({ label: s.name, unit: s.unit, help: 'initial value', value: usual, low: usual - span, high: usual + span,
                onChange: (v) => { this.init.set(s.name, v); this.run(); } });
        });
        this.initRows = new Map(states.map((s, i) => [s.name, rows[i]]));
        const more = rows.slice(SHOWN_STATES);
        $('#inits').replaceChildren(...rows.slice(0, SHOWN_STATES), ...(more.length ? [element('details', {}, element('summary', { textContent: `${more.length} more` }), ...more)] : []));
        const span = this.built.t1 - this.built.t0;
        $('#span').replaceChildren(slider({ label: 't1', help: 'the end of the time', value: this.built.t1, low: this.built.t0 + span / 20, high: this.built.t0 + span * 20, log: this.built.t0 >= 0 && span > 0,
            onChange: (v) => { this.t1 = v; this.run(); } }));
    }
    paramControl(p) {
        const given = this.set.get(p.name);
        if (p.choices) {
            const select = element('select', { 'aria-label': p.name, on: { change: () => { this.set.set(p.name, select.value); this.run(); } } }, ...p.choices.map((c) => element('option', { value: c, textContent: c })));
            select.value = given ?? p.choices[p.initial];
            return element('div', { className: 'slider', title: p.help ?? '' }, element('span', { className: 'label', textContent: p.name }), select);
        }
        const value = given !== undefined ? Number(given) : p.initial;
        return slider({ label: p.name, unit: p.unit, help: p.help, value, ...sliderRange(p, value), onChange: (v) => { this.set.set(p.name, v); this.run(); } });
    }
    choices() {
        const names = [...this.built.states.map((s) => s.name), ...this.built.aux];
        this.names = names;
        this.columns = this.columns?.filter((n) => names.includes(n)) ?? null;
        if (!this.columns?.length) this.columns = names.slice(0, Math.min(2, names.length));
        if (!this.axes || !this.axes.every((n) => ['t', ...names].includes(n))) this.axes = [names[0], names[1] ?? 't'];
        $('#columns').replaceChildren(...names.map((name) => {
            const box = element('input', { type: 'checkbox', checked: this.columns.includes(name), on: { change: () => {
                this.columns = names.filter((n) => (n === name ? box.checked : this.columns.includes(n)));
                this.draw();
            } } });
            return element('label', { className: 'chip' }, box, name);
        }));
        for (const [id, at] of [['#phase-x', 0], ['#phase-y', 1]]) {
            $(id).replaceChildren(...['t', ...names].map((n) => element('option', { value: n, textContent: n })));
            $(id).value = this.axes[at];
        }
    }
    // ---- runs ----
    async run() {
        clearTimeout(this.later);
        writeLink('simulate', this.query());
        $('#shell').textContent = this.command();
        const rows = this.methods.rows.map((r) => ({ ...r })), asked = performance.now();
        const calls = rows.map((r, slot) => ['run', slot, r.name, r.options, r.mode === 'rtol' ? r.value : 0, r.mode === 'h' ? r.value : 0, 2e9, 600]);
        const result = await this.core.ask('run', this.job(calls));
        if (!result) return;
        if (result.stopped === 'stopped') this.say('stopped');
        if (result.failed) this.say(result.failed);
        if (result.stopped || result.failed) return;
        if (!result.built) return; // a text that is wrong; the one who has read it has said why
        if (result.built.status !== 'ok') { this.say(result.built.message); return; }
        this.say('');
        this.built = result.built;
        this.syncInits();
        this.results = result.answers.map((answer, i) => ({ ...answer, row: rows[i] }));
        this.errors = null;
        this.draw();
        $('#time').dataset.ms = String(performance.now() - asked);
        this.table();
        this.later = setTimeout(() => this.judge(), 250);
    }
    // Initial values may depend on parameters: sliders that were not moved follow.
    syncInits() {
        for (const { name, x0 } of this.built.states)
            if (!this.init.has(name) && this.initRows?.get(name)?.value !== x0) { this.initRows.get(name).set(x0); this.initRows.get(name).value = x0; }
    }
    async judge() {
        const result = await this.core.ask('errors', this.job([['errors', this.results.length]]));
        if (result?.stopped === 'stopped') this.errors = { status: 'stopped', message: 'The errors were not found: stopped.' };
        else if (result?.answers?.length) this.errors = result.answers[0];
        else return;
        this.table();
    }
    say(text) { $('#message').textContent = text; }
    columnOf(result, name) {
        const at = name === 't' ? 0 : 2 + this.names.indexOf(name);
        return { values: result.numbers, offset: at, stride: result.width, count: result.rows };
    }
    draw() {
        const good = (this.results ?? []).filter((r) => r.rows), legend = [], many = good.length > 1;
        if (!this.names) return;
        const label = (r) => `${r.row.name} ${r.row.mode === 'rtol' ? 'tol' : 'h'} ${shortNumber(r.row.value)}`;
        const items = [], phase = [], most = this.sizeOf(good);
        for (const r of good) {
            const shade = this.results.indexOf(r), width = 1.8 + 1.5 * (good.length - 1 - good.indexOf(r)); // those below are seen on both sides
            this.columns.forEach((name, k) => items.push({ width, shade: many ? shade : k, dash: many ? DASHES[k % DASHES.length] : DASHES[0], rising: true, x: this.columnOf(r, 't'), y: this.columnOf(r, name) }));
            if (many) legend.push({ text: label(r), shade });
            phase.push({ shade, width, x: this.columnOf(r, this.axes[0]), y: this.columnOf(r, this.axes[1]) });
        }
        const style = looks();
        if (many) { if (this.columns.length > 1) this.columns.forEach((name, k) => legend.push({ text: name, colour: style.ink, dash: DASHES[k % DASHES.length] })); }
        else this.columns.forEach((name, k) => legend.push({ text: name, shade: k }));
        this.time.show({ items, legend, x: { label: 't', tight: true }, y: { label: this.columns.length === 1 ? this.columns[0] : '', most } });
        const start = this.axes.map((name) => this.built.states.find((s) => s.name === name)?.x0);
        const can = start.every((v) => v !== undefined);
        if (can) phase.push({ kind: 'points', radius: 6, colour: style.ink, hollow: true, x: { values: [start[0]], count: 1 }, y: { values: [start[1]], count: 1 } });
        this.phase.show({ items: phase, legend: many ? good.map((r) => ({ text: r.row.name, shade: this.results.indexOf(r) })) : [], draggable: can ? start : null,
            x: { label: this.axes[0], most: this.axes[0] === 't' ? undefined : most }, y: { label: this.axes[1], most: this.axes[1] === 't' ? undefined : most } });
        $('#phase-help').textContent = can ? 'Drag the ring, or focus the picture and use the arrow keys, to move the starting point.' : '';
    }
    // A run that explodes must not make the others a flat line: at most a hundred times the smallest of the runs.
    sizeOf(good) {
        if (good.length < 2) return undefined;
        const sizes = good.map((r) => {
            let size = 0;
            for (const name of this.columns) {
                const c = this.columnOf(r, name);
                for (let i = 0; i < c.count; i++) { const v = Math.abs(c.values[c.offset + i * c.stride]); if (Number.isNaN(v)) return Infinity; if (v > size) size = v; }
            }
            return size;
        });
        const least = Math.min(...sizes), largest = Math.max(...sizes);
        return largest > 100 * least && least > 0 ? 3 * least : undefined;
    }
    dragged(at) {
        this.axes.forEach((name, k) => {
            const value = +at[k].toPrecision(4);
            if (!this.initRows.has(name)) return;
            this.init.set(name, value);
            this.initRows.get(name).set(value);
            this.initRows.get(name).value = value;
        });
        this.run();
    }
    table() {
        const spread = this.errors?.spread ?? 0;
        const rows = this.results.map((r, i) => {
            const error = this.errors?.errors?.[i]?.largest;
            const text = error === undefined || error === null ? (r.status === 'ok' ? '…' : '–') : spread > 0 && error < 3 * spread ? `< ${shortNumber(3 * spread, 2)}` : shortNumber(error, 2);
            const name = element('td', {}, element('span', { className: 'swatch' }), r.row.name);
            name.firstChild.style.setProperty('--curve', `var(--c${i})`);
            const cells = [this.errors && this.errors.status !== 'ok' ? '–' : text, r.steps, r.rejected, r.evaluations, r.jacobians, r.ms?.toFixed(r.ms < 10 ? 2 : 0)];
            const step = `${r.row.mode === 'rtol' ? 'tol' : 'h'} ${shortNumber(r.row.value)}`;
            const main = element('tr', { className: r.status === 'ok' ? '' : 'failed' }, name, element('td', { textContent: step }), ...cells.map((c) => element('td', { className: 'right', textContent: c === undefined ? '–' : typeof c === 'number' ? shortNumber(Math.round(c), 7) : c })));
            const words = [r.message, r.note, ...(r.warnings ?? [])].filter(Boolean);
            return [main, ...words.map((w) => element('tr', { className: 'words' }, element('td', { colSpan: 8, textContent: `${r.row.name}: ${w}` })))];
        });
        $('#results').replaceChildren(...rows.flat());
        $('#reference').textContent = this.errors ? (this.errors.reference ? `Largest error |e|/(1+|x|), against ${this.errors.reference}.` : this.errors.message) : 'Errors are being found …';
    }
    // ---- advice ----
    async advise() {
        const place = $('#advice');
        place.replaceChildren(element('p', { textContent: 'Looking at the model along a run …' }));
        const result = await this.core.ask('advise', this.job([['advise', 1e-6]]));
        const advice = result?.answers?.[0];
        if (!advice) { place.replaceChildren(element('p', { textContent: result?.failed ?? 'stopped' })); return; }
        if (advice.status !== 'ok') { place.replaceChildren(element('p', { textContent: advice.message })); return; }
        const words = advice.words.flatMap(({ topic, text }) => [element('dt', { textContent: topic }), element('dd', { textContent: text })]);
        const methods = advice.methods.map((m) => element('tr', {}, element('td', {}, element('button', { type: 'button', textContent: m.name, title: 'add this method', on: { click: () => {
            if (this.methods.rows.length >= this.methods.most) this.methods.rows.pop();
            const controlled = methodNamed(m.name).controlled;
            this.methods.rows.push({ name: m.name, mode: controlled ? 'rtol' : 'h', value: controlled ? 1e-4 : this.methods.stepFor(), options: '' });
            this.methods.changed(true);
        } } })), element('td', { textContent: m.verdict }), element('td', { textContent: m.why })));
        place.replaceChildren(element('dl', {}, ...words), element('div', { className: 'scroll' }, element('table', {}, element('tbody', {}, ...methods))));
    }
    // ---- exports ----
    csv() {
        const lines = [['method', 't', 'h', ...this.names].join(',')];
        for (const r of this.results)
            for (let k = 0; k < (r.rows ?? 0); k++) {
                const row = [...r.numbers.subarray(k * r.width, (k + 1) * r.width)];
                lines.push([r.row.name, ...row.map((v) => (Number.isNaN(v) ? '' : v))].join(','));
            }
        return lines.join('\n') + '\n';
    }
    command() {
        const quote = (word) => (/^[\w.,:=+@%/-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`);
        const own = this.model.text !== undefined, words = [];
        for (const [n, v] of this.set) words.push('--set', quote(`${n}=${v}`));
        for (const [n, v] of this.init) words.push('--init', quote(`${n}=${v}`));
        if (this.t1 !== null) words.push('--t1', String(this.t1));
        const target = own ? 'model.ode' : this.model.name, rows = this.methods.rows;
        const step = (r) => `${r.mode}=${r.value}`, options = (r) => r.options.split(/[,\s]+/).filter(Boolean);
        const head = own ? `cat >model.ode <<'END'\n${this.model.text.replace(/\n?$/, '\n')}END\n` : '';
        if (rows.length > 1) {
            const list = rows.map((r) => [r.name, step(r), ...options(r)].join(':')).join(',');
            return head + ['geartrain compare', target, ...words, '--methods', quote(list), '--plot', 'lab.svg'].join(' ');
        }
        const [r] = rows;
        return head + ['geartrain run', target, ...words, '--method', r.name, `--${r.mode}`, r.value, ...(r.options ? ['--opt', quote(options(r).join(','))] : []), '--plot', 'lab.svg'].join(' ');
    }
}
