// SPDX-License-Identifier: BSD-3-Clause
// Stability: regions, order stars, |R| and damping of methods, with the eigenvalues of a model at a step h, and the solution
// with that step beside them; and regions of two rates.
'use strict';

const GRID = 121;

class Stability {
    constructor(core, query) {
        this.core = core;
        this.plane = new Plot($('#plane'), { hover: $('#plane-at') });
        this.axes = new Plot($('#sizes'));
        this.damping = new Plot($('#damping'));
        this.solution = new Plot($('#solution'));
        this.two = new Plot($('#two'), { hover: $('#two-at') });
        const number = (name, usual) => (Number(query.get(name)) > 0 ? Number(query.get(name)) : usual);
        Object.assign(this, { star: query.get('star') === '1', reach: number('reach', 6), theta: query.has('theta') ? Number(query.get('theta')) : 80, h: number('h', 0.05),
            alpha: number('alpha', 10), reach2: number('reach2', 0.6), beta: query.has('beta') ? Number(query.get('beta')) : 0.3, model: query.get('model') ?? 'stiff2', when: query.has('at') ? Number(query.get('at')) : 0 });
        const rows = query.getAll('m').map((w) => readMethod(w, false)).filter(Boolean).slice(0, 4);
        const pairs = query.getAll('pair').map((w) => readMethod(w, false)).filter(Boolean).slice(0, 4);
        this.controls(rows.length ? rows : ['rk4', 'trapezoidal', 'gear2'].map((name) => ({ name, options: '' })),
            pairs.length ? pairs : ['prk2s', 'heun'].map((name) => ({ name, options: '' })));
        this.all();
    }
    query() {
        const query = new URLSearchParams();
        this.methods.toQuery(query);
        this.pairs.rows.forEach((r) => query.append('pair', [r.name, r.options].filter(Boolean).join(':')));
        if (this.star) query.set('star', '1');
        for (const name of ['reach', 'theta', 'h', 'alpha', 'beta', 'reach2', 'model']) query.set(name, this[name]);
        query.set('at', this.when);
        return query;
    }
    controls(rows, pairs) {
        const first = (names) => (list) => ({ name: names.find((n) => !list.some((r) => r.name === n)) ?? names[0], options: '' });
        this.methods = new MethodRows($('#stability-methods'), { rows, steps: false, most: 4, first: first(['dopri5', 'radau', 'bi44', 'beuler']), onChange: () => this.all() });
        this.pairs = new MethodRows($('#pairs'), { rows: pairs, steps: false, most: 4, first: first(['prk36', 'spm', 'rk4', 'prk46']), onChange: () => this.twoRates() });
        const star = $('#star');
        star.checked = this.star;
        star.addEventListener('change', () => { this.star = star.checked; this.regions(); });
        const models = $('#eigen-model');
        models.replaceChildren(...catalogue.models.map((m) => element('option', { value: m.name, textContent: `${m.name}: ${m.title}` })));
        models.value = this.model;
        models.addEventListener('change', () => { this.model = models.value; this.all(); });
        const bar = (id, name, options, after) => $(id).replaceChildren(slider({ label: name, value: this[options.field ?? name], ...options, onChange: (v) => { this[options.field ?? name] = v; after(); } }));
        bar('#reach', 'size of the window', { field: 'reach', low: 1, high: 60, log: true }, () => this.all());
        bar('#h', 'h', { low: 1e-5, high: 10, log: true, help: 'the step: eigenvalues become h times lambda' }, () => this.step());
        bar('#when', 'where', { field: 'when', low: 0, high: 1, help: 'where along the solution the eigenvalues are taken: 0 the start, 1 the end' }, () => this.step());
        bar('#theta', 'angle [deg]', { field: 'theta', low: 0, high: 90, help: 'of the eigenvalue from the negative real axis; 90: undamped' }, () => this.dampings());
        bar('#alpha', 'ratio of rates', { field: 'alpha', low: 1, high: 1000, log: true, help: 'fast over slow eigenvalue, alpha' }, () => this.twoRates());
        bar('#reach2', 'size of the window', { field: 'reach2', low: 0.01, high: 5, log: true }, () => this.twoRates());
        bar('#beta', 'coupling', { field: 'beta', low: 0, high: 0.95, help: 'beta of the test equation' }, () => this.twoRates());
        $('#stability-link').addEventListener('click', (event) => copy(location.href.split('#')[0] + linkOf('stability', this.query()), event.target));
        $('#stability-svg').addEventListener('click', () => save('region.svg', 'image/svg+xml', this.plane.svg()));
    }
    all() {
        this.regions();
        this.facts();
        this.sizes();
        this.dampings();
        this.step();
        this.twoRates();
    }
    window() { return { left: -1.5 * this.reach, right: 0.75 * this.reach, bottom: -this.reach, top: this.reach }; }
    async regions() {
        writeLink('stability', this.query());
        const w = this.window(), rows = [...this.methods.rows];
        const result = await this.core.ask('regions', { calls: rows.map((r) => ['region', r.name, r.options, w.left, w.right, w.bottom, w.top, GRID, GRID]) });
        if (!result?.answers) return;
        this.grids = result.answers.map((answer, shade) => ({ answer, shade, name: rows[shade].name }));
        this.drawPlane();
    }
    // Of an order star: |R| / |exp z|, which is at most 1 inside.
    starOf(values, w) {
        const out = new Float64Array(values.length);
        for (let j = 0; j < GRID; j++)
            for (let i = 0; i < GRID; i++) out[j * GRID + i] = values[j * GRID + i] / Math.exp(w.left + (w.right - w.left) * i / (GRID - 1));
        return out;
    }
    drawPlane() {
        const w = this.window(), style = looks(), items = [], legend = [];
        for (const { answer, shade, name } of this.grids ?? []) {
            if (!answer.numbers) continue;
            const values = this.star ? this.starOf(answer.numbers, w) : answer.numbers;
            items.push({ kind: 'region', shade, dash: DASHES[shade], grid: { values, columns: GRID, rows: GRID, ...w } });
            legend.push({ text: name, shade, dash: DASHES[shade] });
        }
        if (this.modes?.length) {
            const points = { kind: 'points', colour: style.ink, radius: 4, x: { values: this.modes.map((m) => m[0] * this.h), count: this.modes.length }, y: { values: this.modes.map((m) => m[1] * this.h), count: this.modes.length } };
            items.push(points);
            legend.push({ text: 'h λ of ' + this.model, colour: style.ink, dot: true });
        }
        this.plane.show({ items, legend, axes: true, square: true, x: { min: w.left, max: w.right, label: 'Re z' }, y: { min: w.bottom, max: w.top, label: 'Im z' } });
    }
    async facts() {
        const rows = [...this.methods.rows];
        const result = await this.core.ask('facts', { calls: rows.map((r) => ['facts', r.name, r.options]) });
        if (!result?.answers) return;
        const yes = (v) => (v ? 'yes' : 'no');
        $('#facts').replaceChildren(...result.answers.map((a, i) => {
            const name = element('td', {}, element('span', { className: 'swatch' }), rows[i].name);
            name.firstChild.style.setProperty('--curve', `var(--c${i})`);
            if (a.status !== 'ok') return element('tr', { className: 'failed' }, name, element('td', { colSpan: 7, textContent: a.message }));
            const cells = [a.order, shortNumber(-a.realLimit, 5), shortNumber(a.imagLimit, 5), yes(a.aStable), yes(a.lStable), shortNumber(a.sector, 4), shortNumber(a.atInfinity)];
            return element('tr', {}, name, ...cells.map((c) => element('td', { className: 'right', textContent: c })));
        }));
    }
    async sizes() {
        const rows = [...this.methods.rows], n = 241, reach = 1.5 * this.reach;
        const result = await this.core.ask('sizes', { calls: rows.flatMap((r) => [['region', r.name, r.options, -reach, 0, 0, 0, n, 2], ['region', r.name, r.options, 0, 0, 0, reach, 2, n]]) });
        if (!result?.answers) return;
        const items = [{ kind: 'level', at: 1 }], legend = [];
        rows.forEach((r, shade) => {
            const [real, imaginary] = [result.answers[2 * shade].numbers, result.answers[2 * shade + 1].numbers];
            if (!real || !imaginary) return;
            const far = { values: Float64Array.from({ length: n }, (_, k) => reach * k / (n - 1)), count: n };
            const back = { values: far.values.slice().reverse(), count: n };
            items.push({ shade, x: back, y: { values: real, count: n } }, { shade, dash: [4, 4], x: far, y: { values: imaginary, stride: 2, count: n } });
            legend.push({ text: r.name, shade });
        });
        legend.push({ text: 'z = −x', colour: looks().ink }, { text: 'z = ix', colour: looks().ink, dash: [4, 4] });
        this.axes.show({ items, legend, x: { min: 0, max: reach, label: 'x' }, y: { min: 0, max: 2, label: '|R|' } });
    }
    async dampings() {
        writeLink('stability', this.query());
        const rows = [...this.methods.rows], n = 200;
        const result = await this.core.ask('dampings', { calls: rows.map((r) => ['damping', r.name, r.options, this.theta, 1.5 * this.reach, n]) });
        if (!result?.answers) return;
        const items = [], legend = [];
        result.answers.forEach((a, shade) => {
            if (!a.numbers) return;
            const column = (offset) => ({ values: a.numbers, offset, stride: 5, count: n });
            if (!items.length) { items.push({ colour: looks().middle, width: 4, alpha: 0.5, x: column(0), y: column(3) }); legend.push({ text: 'exact', colour: looks().middle }); }
            items.push({ shade, dash: DASHES[shade], x: column(0), y: column(1) });
            legend.push({ text: rows[shade].name, shade, dash: DASHES[shade] });
        });
        const top = Math.max(1, 1.5 * this.reach * Math.cos(this.theta * Math.PI / 180));
        this.damping.show({ items, legend, x: { label: '|h λ|', min: 0, max: 1.5 * this.reach }, y: { label: 'damping −ln|R|', min: -0.3 * top, max: 1.2 * top } });
    }
    // ---- the eigenvalues at h, and the solution with this step ----
    async step() {
        writeLink('stability', this.query());
        const rows = [...this.methods.rows];
        const job = { model: { name: this.model }, problem: { set: '', init: '', t1: null } };
        const place = Math.round(200 * this.when);
        const calls = [['run', 7, 'gear', '', 1e-6, 0, 200000, 400], ['spectrum', 7, place], ...rows.map((r, slot) => ['run', slot, r.name, r.options, 0, this.h, 300000, 400])];
        const result = await this.core.ask('step', { ...job, calls });
        if (!result?.answers?.length) return;
        const [truth, spectrum, ...runs] = result.answers;
        this.modes = spectrum.modes ?? [];
        this.drawPlane();
        this.drawSolution(result.built, truth, runs, rows);
    }
    drawSolution(built, truth, runs, rows) {
        const style = looks(), items = [], legend = [], messages = [], state = built.states.length ? 2 : 0;
        const column = (r, offset) => ({ values: r.numbers, offset, stride: r.width, count: r.rows });
        let most;
        if (truth.rows) {
            items.push({ colour: style.middle, width: 5, alpha: 0.45, rising: true, x: column(truth, 0), y: column(truth, state) });
            legend.push({ text: 'tight run', colour: style.middle });
            most = 0;
            for (let k = 0; k < truth.rows; k++) most = Math.max(most, Math.abs(truth.numbers[k * truth.width + state]));
        }
        runs.forEach((r, shade) => {
            if (r.rows) { items.push({ shade, dash: DASHES[shade], rising: true, x: column(r, 0), y: column(r, state) }); legend.push({ text: rows[shade].name, shade, dash: DASHES[shade] }); }
            if (r.status !== 'ok') messages.push(`${rows[shade].name}: ${r.message}`);
        });
        this.solution.show({ items, legend, x: { label: 't', tight: true }, y: { label: built.states[0]?.name ?? '', most: most ? 3 * most : undefined } });
        $('#solution-words').textContent = messages.join(' ');
    }
    async twoRates() {
        writeLink('stability', this.query());
        const rows = [...this.pairs.rows], r = this.reach2, w = { left: -1.2 * r, right: 0.4 * r, bottom: -r, top: r }, n = 81;
        const result = await this.core.ask('two', { calls: rows.map((r) => ['two_rates', r.name, r.options, this.alpha, this.beta, w.left, w.right, w.bottom, w.top, n, n]) });
        if (!result?.answers) return;
        const items = [], legend = [], messages = [];
        result.answers.forEach((a, shade) => {
            if (!a.numbers) { messages.push(`${rows[shade].name}: ${a.message}`); return; }
            items.push({ kind: 'region', shade, dash: DASHES[shade], grid: { values: a.numbers, columns: n, rows: n, ...w } });
            legend.push({ text: rows[shade].name, shade, dash: DASHES[shade] });
        });
        this.two.show({ items, legend, axes: true, square: true, x: { min: w.left, max: w.right, label: 'Re ξ, ξ = h λ slow' }, y: { min: w.bottom, max: w.top, label: 'Im ξ' } });
        $('#two-words').textContent = messages.join(' ');
    }
}
