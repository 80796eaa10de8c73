// SPDX-License-Identifier: BSD-3-Clause
// The page's side of the worker, small helpers for elements, and links that carry a state.
'use strict';

const $ = (selector, from = document) => from.querySelector(selector);

function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name === 'on') for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
        else if (name in made && name !== 'list') made[name] = value;
        else made.setAttribute(name, value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
}

function bytesOf(base64) {
    const text = atob(base64.trim()), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return bytes;
}

// One job at a time. A new one waits until the worker is free; one of the same kind that waits already is replaced, as
// a slider gives many and only the last one matters. A job that runs for long and has been replaced is stopped: the
// worker is ended, and a new one begins where it was, with the model to be read again.
class Core {
    constructor(bytes, script) {
        this.bytes = bytes;
        this.address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
        this.waiting = new Map();
        this.count = 0;
        this.begin();
    }
    begin() {
        this.ready = false;
        this.worker = new Worker(this.address);
        this.worker.onmessage = ({ data }) => this.heard(data);
        this.worker.onerror = (event) => fatal(event.message);
        this.worker.postMessage({ bytes: this.bytes });
    }
    ask(kind, job) {
        return new Promise((resolve) => {
            this.waiting.get(kind)?.resolve(null);
            this.waiting.set(kind, { job, resolve, kind });
            const tooLong = this.current && performance.now() - this.current.began > 400;
            if (tooLong && this.current.kind === kind) this.stop('replaced');
            this.next();
        });
    }
    next() {
        if (!this.ready || this.current || !this.waiting.size) return;
        const [kind, entry] = this.waiting.entries().next().value;
        this.waiting.delete(kind);
        this.current = { ...entry, id: ++this.count, began: performance.now() };
        this.worker.postMessage({ ...entry.job, id: this.current.id });
        this.timer = setTimeout(() => this.onBusy?.(true), 150);
    }
    heard(data) {
        if (data.ready) this.ready = true;
        else if (data.progress) { this.onProgress?.(data.progress); return; }
        else if (this.current && data.id === this.current.id) {
            const { resolve } = this.current;
            this.finish();
            resolve(data.failed ? { failed: data.failed } : data.result);
            // A module that ran out of memory or trapped is not to be trusted any more.
            if (data.failed) { this.worker.terminate(); this.begin(); }
        } else if (data.failed) { fatal(data.failed); return; }
        this.next();
    }
    finish() {
        clearTimeout(this.timer);
        this.current = null;
        this.onBusy?.(false);
    }
    stop(why = 'stopped') {
        if (!this.current) return;
        const { resolve } = this.current;
        this.worker.terminate();
        this.finish();
        resolve({ stopped: why });
        if (why === 'stopped') { // what waits is as long, as the errors of the same run are
            for (const entry of this.waiting.values()) entry.resolve({ stopped: why });
            this.waiting.clear();
        }
        this.begin();
    }
}

function fatal(message) {
    const box = $('#fatal');
    box.hidden = false;
    box.textContent = message;
}

// ---- links: #view?name=value&.. ----

function readLink() {
    // A page that `geartrain lab MODEL` wrote says what it begins with.
    const [view, query = ''] = (location.hash || document.body.dataset.start || '').slice(1).split('?');
    return { view: view || 'simulate', query: new URLSearchParams(query) };
}

let linkTimer;
function writeLink(view, query) {
    clearTimeout(linkTimer);
    linkTimer = setTimeout(() => {
        if (readLink().view === view) history.replaceState(null, '', linkOf(view, query));
    }, 200);
}

function linkOf(view, query) {
    const text = query.toString();
    return '#' + view + (text ? '?' + text : '');
}

// ---- what leaves the page ----

function save(name, type, text) {
    const address = URL.createObjectURL(new Blob([text], { type }));
    element('a', { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function copy(text, button) {
    let done = true;
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const area = element('textarea', { value: text });
        document.body.append(area);
        area.select();
        done = document.execCommand('copy');
        area.remove();
    }
    const before = button.textContent;
    button.textContent = done ? 'copied' : 'not copied';
    setTimeout(() => { button.textContent = before; }, 1200);
}

// ---- sliders ----

// A slider beside a number. `log`: equal ways are equal factors. Values are rounded to three digits while the slider
// moves; what is typed is taken as it is, also outside the slider's range.
function slider({ label, help, unit, value, low, high, log, integer, onChange }) {
    const STEPS = 1000;
    const place = (v) => Math.round(STEPS * (log ? Math.log(v / low) / Math.log(high / low) : (v - low) / (high - low)));
    const valueAt = (k) => {
        const raw = log ? low * (high / low) ** (k / STEPS) : low + (high - low) * k / STEPS;
        return integer ? Math.round(raw) : +raw.toPrecision(3);
    };
    const name = unit ? `${label} [${unit}]` : label;
    const range = element('input', { type: 'range', min: 0, max: STEPS, value: place(value), 'aria-label': name });
    const number = element('input', { type: 'text', inputMode: 'decimal', value: String(value), className: 'number', 'aria-label': `${name}, value`, spellcheck: false });
    const row = element('div', { className: 'slider', title: help ?? '' }, element('span', { className: 'label', textContent: name }), range, number);
    row.set = (v) => { number.value = String(v); range.value = place(v); };
    row.value = value;
    const change = (v) => { row.value = v; onChange(v); };
    range.addEventListener('input', () => { number.value = String(valueAt(+range.value)); change(valueAt(+range.value)); });
    number.addEventListener('change', () => {
        const v = Number(number.value);
        if (!Number.isFinite(v) || number.value.trim() === '') { row.set(row.value); return; }
        range.value = place(v);
        change(v);
    });
    return row;
}

// Where a slider for a parameter begins and ends, about its usual value and inside what the model allows.
function sliderRange(param, value) {
    const usual = param.initial, { min = -Infinity, max = Infinity } = param;
    const clip = (v) => Math.min(max, Math.max(min, v));
    if (param.integer) return { low: clip(Math.min(1, usual)), high: clip(Math.max(4 * usual, usual + 10)), integer: true };
    if (usual > 0 && value > 0) return { low: Math.max(clip(usual / 100), usual * 1e-6), high: clip(Math.max(usual * 100, value)), log: true };
    const span = Math.max(1, 2 * Math.abs(usual), 1.5 * Math.abs(value));
    return { low: clip(-span), high: clip(span) };
}
