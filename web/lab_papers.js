// SPDX-License-Identifier: BSD-3-Clause
// The five papers as stories: a few sentences, sliders, and the main figure alive.
'use strict';

// One story: its sliders and figures, and what it computes from them.
class Story {
    constructor(core, id, query, values) {
        Object.assign(this, { core, id, values: { ...values } });
        for (const name of Object.keys(values)) if (query.has(`${id}.${name}`)) this.values[name] = Number(query.get(`${id}.${name}`));
        this.place = $(`#story-${id}`);
        this.words = $('.words', this.place);
        this.plots = [...this.place.querySelectorAll('canvas')].map((canvas) => new Plot(canvas, { drag: (at) => this.dragged?.(at) }));
    }
    sliders(list) {
        this.bars = {};
        $('.sliders', this.place).replaceChildren(...list.map((options) => this.bars[options.field] = slider({ ...options, value: this.values[options.field], onChange: (v) => this.change(options.field, v) })));
    }
    change(name, value) {
        this.values[name] = value;
        papersLink();
        this.update();
    }
    async ask(job) {
        const result = await this.core.ask('story ' + this.id, job);
        if (result?.failed) this.words.textContent = result.failed;
        return result?.answers?.length ? result : null;
    }
    column(r, offset) { return { values: r.numbers, offset, stride: r.width, count: r.rows }; }
}

const stories = [];
function papersLink() {
    const query = new URLSearchParams();
    for (const story of stories) for (const [name, value] of Object.entries(story.values)) query.set(`${story.id}.${name}`, value);
    writeLink('papers', query);
}

// gil: a step of 7 periods of the fast particle, where Runge-Kutta has left the picture.
class Pendulum extends Story {
    constructor(core, query) {
        super(core, 'gil', query, { h: 0.005, offset: 0.1 });
        this.sliders([
            { field: 'h', label: 'step h', unit: 's', low: 1e-3, high: 0.1, log: true },
            { field: 'offset', label: 'offset of the particle', unit: 'm', low: 0, high: 0.3 },
        ]);
        this.update();
    }
    async update() {
        const { h, offset } = this.values, names = ['spm', 'exprb32', 'rk4'];
        const result = await this.ask({ model: { name: 'pendulum' }, problem: { set: `offset=${offset}`, init: '', t1: 3 },
            calls: names.map((name, slot) => ['run', slot, name, '', 0, h, 100000, 900]) });
        if (!result) return;
        const legend = names.map((text, shade) => ({ text, shade, dash: DASHES[shade] }));
        const curves = (column) => result.answers.map((r, shade) => ({ shade, dash: DASHES[shade], rising: true, x: this.column(r, 0), y: this.column(r, column) })).filter((i) => i.x.count);
        const states = result.built.states.map((s) => s.name);
        this.plots[0].show({ items: curves(2 + states.indexOf('theta')), legend, x: { label: 't', min: 0, max: 3 }, y: { label: 'θ of the bar', min: -1.2, max: 1.2 } });
        this.plots[1].show({ items: curves(2 + states.indexOf('r2x')), legend: [], x: { label: 't', min: 0, max: 0.3 }, y: { label: 'x of the particle', min: 0, max: 1.4 } });
        const rk = result.answers[2];
        this.words.textContent = `h ω = ${shortNumber(h * Math.sqrt(5 / 1e-5))}. ` + result.answers.map((r, i) => `${names[i]}: ${shortNumber(r.evaluations, 6)} evaluations${r.status === 'ok' ? '' : ', failed at t = ' + shortNumber(r.t)}`).join('; ') + '. ' +
            (rk.status === 'ok' ? 'rk4 still holds: its limit is h = 0.004 s.' : 'rk4 is beyond its limit of h = 0.004 s.');
    }
}

// shi: inner steps that damp the fast part, and the gap that they leave.
class Smfe extends Story {
    constructor(core, query) {
        super(core, 'shi', query, { inner: 70, h: 0.2 });
        this.sliders([
            { field: 'inner', label: 'inner steps N', low: 1, high: 200, integer: true },
            { field: 'h', label: 'step Δ', unit: 's', low: 0.02, high: 0.5, log: true },
        ]);
        this.update();
    }
    async update() {
        const { inner, h } = this.values, options = `eps=1e-6, inner=${inner}`;
        const result = await this.ask({ model: { name: 'adaptive' }, problem: { set: '', init: '', t1: 5 },
            calls: [['run', 0, 'smfe', options, 0, h, 100000, 400], ['run', 1, 'gear', '', 1e-8, 0, 100000, 400], ['axis', 'smfe', options, 0.01, 1e7, 600]] });
        if (!result) return;
        const [run, truth, axis] = result.answers, style = looks();
        const items = [{ colour: style.middle, width: 5, alpha: 0.45, x: this.column(truth, 0), y: this.column(truth, 2) }];
        if (run.rows) items.push({ shade: 0, x: this.column(run, 0), y: this.column(run, 2) });
        this.plots[0].show({ items, legend: [{ text: 'tight run', colour: style.middle }, { text: `smfe, N = ${inner}`, shade: 0 }], x: { label: 't', min: 0, max: 5 }, y: { label: 'y', min: -0.6, max: 1.4 } });
        const n = axis.numbers.length / 2, curve = { shade: 0, x: { values: axis.numbers, stride: 2, count: n }, y: { values: axis.numbers, offset: 1, stride: 2, count: n } };
        const fast = h / 1e-6;
        this.plots[1].show({ items: [{ kind: 'level', at: 1 }, curve, { kind: 'upright', at: fast, colour: style.colours[1] }], legend: [{ text: '|R|', shade: 0 }, { text: 'the fast eigenvalue, Δ/ε', shade: 1, dash: [5, 4] }],
            x: { label: '−Δ λ', log: true, min: 0.01, max: 1e7 }, y: { label: '|R|', log: true, min: 1e-4, max: 1e6 } });
        const last = run.rows ? Math.abs(run.numbers[(run.rows - 1) * run.width + 2]) : Infinity;
        const good = run.status === 'ok' && last < 1;
        this.words.textContent = `${shortNumber(run.evaluations ?? 0, 6)} evaluations of f; forward Euler needs more than 2,500,000. ` + (good ? 'N is large enough: the fast part is damped.' : `N = ${inner} is too few for Δ = ${h}: the fast part grows.`) + (run.status === 'ok' ? '' : ' ' + run.message);
    }
}

// shome: how long a step the pairs allow on a quarter car whose tyre is fast.
class QuarterCar extends Story {
    constructor(core, query) {
        super(core, 'shome', query, { h: 0.002, drop: 0.05 });
        this.sliders([
            { field: 'h', label: 'step h', unit: 's', low: 2e-4, high: 6e-3, log: true },
            { field: 'drop', label: 'chassis lifted by', unit: 'm', low: 0, high: 0.1 },
        ]);
        this.update();
    }
    async update() {
        const { h, drop } = this.values, names = [['heun', ''], ['prk25', ''], ['prk2s', 'stages=6']];
        const job = (init, calls) => ({ model: { name: 'quartercar_c' }, problem: { set: 'coordinates=relative', init, t1: 1 }, calls });
        if (!this.rest) {
            const built = await this.core.ask('story rest', job('', []));
            const chassis = built?.built?.states?.find((s) => s.name === 'yc');
            if (!chassis) return;
            this.rest = chassis.x0;
        }
        const result = await this.ask(job(`yc=${this.rest + drop}`, names.map(([name, options], slot) => ['run', slot, name, options, 0, h, 100000, 500])));
        if (!result) return;
        const states = result.built.states.map((s) => s.name);
        const curves = (name) => result.answers.map((r, shade) => ({ shade, dash: DASHES[shade], rising: true, x: this.column(r, 0), y: this.column(r, 2 + states.indexOf(name)) })).filter((i) => i.x.count);
        const legend = names.map(([text], shade) => ({ text, shade, dash: DASHES[shade] }));
        this.plots[0].show({ items: curves('yc'), legend, x: { label: 't', min: 0, max: 1 }, y: { label: 'height of the chassis', min: this.rest - 0.15, max: this.rest + 0.15 } });
        this.plots[1].show({ items: curves('vyR'), legend: [], x: { label: 't', min: 0, max: 0.2 }, y: { label: 'speed of the ring', min: -1, max: 1 } });
        this.words.textContent = result.answers.map((r, i) => `${names[i][0]}: ${r.status === 'ok' && this.bounded(r) ? 'stable' : 'unstable'}, ${shortNumber(Math.round(r.evaluations ?? 0), 6)} evaluations of all states`).join('; ') + '.';
    }
    bounded(r) { for (const v of r.numbers.subarray(-r.width + 2)) if (!(Math.abs(v) < 1e4)) return false; return true; }
}

// xie: what backinterpolation does to a mode, against its true damping.
class Backinterpolation extends Story {
    constructor(core, query) {
        super(core, 'xie', query, { alpha: 0.5, theta: 60 });
        this.sliders([
            { field: 'alpha', label: 'α, where the halves meet', low: 0.3, high: 0.5 },
            { field: 'theta', label: 'angle', unit: 'deg', low: 0, high: 90, help: 'of the eigenvalue from the negative real axis; 90: undamped' },
        ]);
        this.update();
    }
    async update() {
        const { alpha, theta } = this.values, names = [['bi33', `alpha=${alpha}`], ['bi44', `alpha=${alpha}`], ['bi45', `alpha=${alpha}`], ['trapezoidal', ''], ['gear2', '']], n = 240;
        const w = { left: -12, right: 6, bottom: -9, top: 9 }, columns = 101;
        const result = await this.ask({ calls: [...names.map(([name, o]) => ['damping', name, o, theta, 12, n]), ...names.slice(0, 3).map(([name, o]) => ['region', name, o, w.left, w.right, w.bottom, w.top, columns, columns])] });
        if (!result) return;
        const style = looks(), items = [], legend = [{ text: 'exact', colour: style.middle }];
        names.forEach(([text], shade) => {
            const a = result.answers[shade], column = (offset) => ({ values: a.numbers, offset, stride: 5, count: n });
            if (!a.numbers) return;
            if (!items.length) items.push({ colour: style.middle, width: 5, alpha: 0.45, x: column(0), y: column(3) });
            items.push({ shade, dash: DASHES[shade], x: column(0), y: column(1) });
            legend.push({ text, shade, dash: DASHES[shade] });
        });
        this.plots[0].show({ items, legend, x: { label: '|h λ|', min: 0, max: 12 }, y: { label: 'damping −ln|R|', min: -1.5, max: 6 } });
        const regions = names.slice(0, 3).map(([, ], shade) => ({ kind: 'region', shade, dash: DASHES[shade], alpha: 0.1, grid: { values: result.answers[names.length + shade].numbers, columns, rows: columns, ...w } })).filter((i) => i.grid.values);
        this.plots[1].show({ items: regions, legend: names.slice(0, 3).map(([text], shade) => ({ text, shade, dash: DASHES[shade] })), axes: true, square: true, x: { min: w.left, max: w.right, label: 'Re z' }, y: { min: w.bottom, max: w.top, label: 'Im z' } });
        const grows = names.filter((_, i) => { const a = result.answers[i].numbers; if (!a) return false; for (let k = 0; k < n; k++) if (a[5 * k + 1] < -1e-3) return true; return false; }).map(([text]) => text);
        this.words.textContent = grows.length ? `On this ray modes grow with ${grows.join(', ')}.` : 'On this ray no mode grows.';
    }
}

// crow: the end of the fault is dragged across the critical clearing time.
class Clearing extends Story {
    constructor(core, query) {
        super(core, 'crow', query, { cleared: 0.12 });
        this.sliders([{ field: 'cleared', label: 'fault cleared at', unit: 's', low: 0.02, high: 0.4 }]);
        this.dragged = (at) => { const v = Math.min(0.4, Math.max(0.02, +at[0].toFixed(3))); this.bars.cleared.set(v); this.change('cleared', v); };
        this.update();
        this.find();
    }
    async find() {
        const result = await this.core.ask('clearing', { calls: [['clearing', POWER_CASE.grid, POWER_CASE.machines, 8, 8, 9, 2]] });
        this.critical = result?.answers?.[0];
        this.update();
    }
    async update() {
        const { cleared } = this.values, t1 = 2;
        const result = await this.ask({ calls: [['power', POWER_CASE.grid, POWER_CASE.machines, 8, 8, 9, cleared, t1, 'dopri5', 1e-6, 0]] });
        if (!result) return;
        const [run] = result.answers, style = looks();
        if (!run.rows) { this.words.textContent = run.message; return; }
        const items = Array.from({ length: run.width - 1 }, (_, k) => ({ shade: k, dash: DASHES[k], rising: true, x: this.column(run, 0), y: this.column(run, 1 + k) }));
        items.push({ kind: 'upright', at: cleared, width: 3, colour: style.ink, dash: [] });
        if (this.critical?.found) items.push({ kind: 'upright', at: this.critical.cct });
        this.plots[0].show({ items, draggable: [cleared, 0], legend: [...Array.from({ length: run.width - 1 }, (_, k) => ({ text: `machine ${k + 1}`, shade: k, dash: DASHES[k] })), { text: 'fault cleared (drag it)', colour: style.ink }, { text: 'critical', colour: style.middle, dash: [5, 4] }],
            x: { label: 't [s]', min: 0, max: t1 }, y: { label: 'angle to the centre of inertia [deg]', min: -180, max: 360 } });
        this.words.textContent = `Largest angle between two machines ${shortNumber(run.spread, 4)} degrees: ${run.spread > 180 ? 'synchronism is lost' : 'they stay together'}.` + (this.critical?.found ? ` Critical clearing time ${this.critical.cct.toFixed(4)} s, found in ${this.critical.runs} runs.` : '');
    }
}

function openPapers(core, query) {
    stories.push(new Pendulum(core, query), new Smfe(core, query), new QuarterCar(core, query), new Backinterpolation(core, query), new Clearing(core, query));
}
