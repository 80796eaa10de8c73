// SPDX-License-Identifier: BSD-3-Clause
// The list of methods that are compared: a row each, with its colour, step and options.
'use strict';

let catalogue; // of methods and models, from the module

const methodNamed = (name) => catalogue.methods.find((m) => m.name === name);

function methodSelect(chosen, onChange, fits = () => true) {
    const families = new Map();
    for (const m of catalogue.methods.filter(fits)) families.set(m.family, [...(families.get(m.family) ?? []), m]);
    const select = element('select', { 'aria-label': 'method', on: { change: () => onChange(select.value) } });
    if (fits === methodsForRuns) select.append(element('option', { value: 'auto', textContent: 'auto' }));
    for (const [family, list] of families)
        select.append(element('optgroup', { label: family }, ...list.map((m) => element('option', { value: m.name, textContent: m.name, title: m.title }))));
    select.value = chosen;
    return select;
}
const methodsForRuns = () => true;

// `rows`: { name, mode: 'rtol' | 'h', value, options }; `steps`: whether they have steps and tolerances.
class MethodRows {
    constructor(place, { rows, steps, most = 6, first, onChange }) {
        Object.assign(this, { place, rows, steps, most, first, onChange });
        this.draw();
    }
    changed(again) {
        if (again) this.draw();
        this.onChange();
    }
    row(row, i) {
        const swatch = element('span', { className: 'swatch', title: `curve ${i + 1}` });
        swatch.style.setProperty('--curve', `var(--c${i})`);
        const select = methodSelect(row.name, (name) => {
            row.name = name;
            row.options = '';
            if (name !== 'auto' && !methodNamed(name).controlled && row.mode === 'rtol') Object.assign(row, { mode: 'h', value: this.stepFor?.() ?? 0.01 });
            this.changed(true);
        }, this.steps ? methodsForRuns : undefined);
        const known = methodNamed(row.name)?.options ?? [];
        const options = element('input', {
            type: 'text', value: row.options, className: 'options', spellcheck: false, 'aria-label': 'options of ' + row.name, disabled: !known.length,
            placeholder: known.length ? known.slice(0, 2).map((o) => o.name + '=…').join(', ') : 'no options', title: known.map((o) => `${o.name}: ${o.help}`).join('\n'),
            on: { change: () => { row.options = options.value; this.changed(); } },
        });
        const remove = element('button', { type: 'button', className: 'plain', textContent: '✕', title: 'remove', 'aria-label': 'remove ' + row.name, disabled: this.rows.length < 2,
            on: { click: () => { this.rows.splice(i, 1); this.changed(true); } } });
        const parts = element('div', { className: 'method' }, swatch, select, options, remove);
        if (this.steps) parts.append(this.stepOf(row));
        return parts;
    }
    stepOf(row) {
        const mode = element('select', { 'aria-label': 'tolerance or step of ' + row.name, on: { change: () => {
            row.mode = mode.value;
            row.value = row.mode === 'rtol' ? 1e-6 : this.stepFor?.() ?? 0.01;
            this.changed(true);
        } } }, element('option', { value: 'rtol', textContent: 'tolerance' }), element('option', { value: 'h', textContent: 'fixed step' }));
        mode.value = row.mode;
        const span = row.mode === 'rtol' ? { low: 1e-12, high: 1e-1 } : { low: Math.min(row.value, this.stepFor?.() ?? row.value) / 100, high: Math.max(row.value, this.stepFor?.() ?? row.value) * 100 };
        const bar = slider({ label: row.mode, value: row.value, ...span, log: true, onChange: (v) => { if (v > 0) { row.value = v; this.changed(); } } });
        bar.classList.add('step');
        bar.firstChild.replaceWith(mode);
        return bar;
    }
    draw() {
        const add = element('button', { type: 'button', textContent: '+ method', disabled: this.rows.length >= this.most, on: { click: () => {
            this.rows.push(this.first(this.rows));
            this.changed(true);
        } } });
        this.place.replaceChildren(...this.rows.map((row, i) => this.row(row, i)), add);
    }
    toQuery(query) {
        for (const r of this.rows) query.append('m', [r.name, this.steps ? `${r.mode}=${r.value}` : '', r.options].filter(Boolean).join(':'));
    }
}

// "gear:rtol=1e-6:order=4"
function readMethod(text, steps) {
    const [name, ...rest] = text.split(':'), row = { name, options: '' };
    if (steps) Object.assign(row, { mode: 'rtol', value: 1e-6 });
    const options = [];
    for (const part of rest) {
        const [, mode, value] = part.match(/^(rtol|h)=(.+)$/) ?? [];
        if (steps && mode && Number(value) > 0) Object.assign(row, { mode, value: Number(value) });
        else options.push(part);
    }
    row.options = options.join(', ');
    return name === 'auto' || methodNamed(name) ? row : null;
}
