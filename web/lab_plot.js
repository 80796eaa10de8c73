// SPDX-License-Identifier: BSD-3-Clause
// Figures. One routine draws all of them, with a pen for the screen or a pen for SVG, so that what is saved is what was
// seen. Colours can be told apart by colour-blind readers (Okabe and Ito); dashes tell curves apart without colour.
'use strict';

const COLOURS = {
    light: ['#0072B2', '#D55E00', '#009E73', '#B0448A', '#8A6100', '#3A87B8', '#000000', '#666666'],
    dark: ['#56B4E9', '#F08A4B', '#2BC79A', '#E39AC6', '#E6B422', '#A9D6F5', '#FFFFFF', '#AAAAAA'],
};
const DASHES = [[], [9, 4], [3, 3], [12, 3, 3, 3], [2, 5], [15, 3, 3, 3, 3, 3]];
const darkScheme = matchMedia('(prefers-color-scheme: dark)');

function looks() {
    const dark = darkScheme.matches;
    return {
        colours: dark ? COLOURS.dark : COLOURS.light,
        ink: dark ? '#d8dee6' : '#24303a',
        faint: dark ? '#39434d' : '#dfe4e9',
        middle: dark ? '#76828e' : '#8b97a3',
        paper: dark ? '#161b20' : '#ffffff',
        shade: dark ? '#232a31' : '#f0f2f5',
    };
}

class CanvasPen {
    constructor(context) { this.c = context; }
    clip(x, y, w, h) {
        this.c.save();
        this.c.beginPath();
        this.c.rect(x, y, w, h);
        this.c.clip();
    }
    unclip() { this.c.restore(); }
    path(points, { colour, width = 1, dash = [], fill, alpha = 1 }) {
        const c = this.c;
        c.beginPath();
        let down = false;
        for (let i = 0; i < points.length; i += 2) {
            if (!(Math.abs(points[i]) < 1e7 && Math.abs(points[i + 1]) < 1e7)) { down = false; continue; }
            if (down) c.lineTo(points[i], points[i + 1]);
            else c.moveTo(points[i], points[i + 1]);
            down = true;
        }
        c.globalAlpha = alpha;
        if (fill) { c.fillStyle = fill; c.fill(); }
        if (colour) {
            c.strokeStyle = colour;
            c.lineWidth = width;
            c.lineJoin = 'round';
            c.setLineDash(dash);
            c.stroke();
        }
        c.globalAlpha = 1;
    }
    dots(points, { colour, radius = 3, hollow }) {
        const c = this.c;
        c.setLineDash([]);
        for (let i = 0; i < points.length; i += 2) {
            c.beginPath();
            c.arc(points[i], points[i + 1], radius, 0, 2 * Math.PI);
            if (hollow) { c.strokeStyle = colour; c.lineWidth = 1.5; c.stroke(); }
            else { c.fillStyle = colour; c.fill(); }
        }
    }
    boxes(list, { fill, alpha }) {
        this.c.globalAlpha = alpha;
        this.c.fillStyle = fill;
        for (let i = 0; i < list.length; i += 4) this.c.fillRect(list[i], list[i + 1], list[i + 2], list[i + 3]);
        this.c.globalAlpha = 1;
    }
    text(string, x, y, { colour, size = 12, align = 'left', turn = false }) {
        const c = this.c;
        c.save();
        c.translate(x, y);
        if (turn) c.rotate(-Math.PI / 2);
        c.fillStyle = colour;
        c.font = `${size}px system-ui, sans-serif`;
        c.textAlign = align;
        c.fillText(string, 0, 0);
        c.restore();
    }
    width(string, size = 12) {
        this.c.font = `${size}px system-ui, sans-serif`;
        return this.c.measureText(string).width;
    }
}

const escapeText = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

class SvgPen {
    constructor(width, height, paper) {
        this.parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif">`,
            `<rect width="${width}" height="${height}" fill="${paper}"/>`];
        this.clips = 0;
    }
    clip(x, y, w, h) {
        this.parts.push(`<clipPath id="c${++this.clips}"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath><g clip-path="url(#c${this.clips})">`);
    }
    unclip() { this.parts.push('</g>'); }
    path(points, { colour, width = 1, dash = [], fill, alpha = 1 }) {
        let d = '', down = false;
        for (let i = 0; i < points.length; i += 2) {
            if (!(Math.abs(points[i]) < 1e7 && Math.abs(points[i + 1]) < 1e7)) { down = false; continue; }
            d += (down ? 'L' : 'M') + points[i].toFixed(1) + ' ' + points[i + 1].toFixed(1);
            down = true;
        }
        if (d) this.parts.push(`<path d="${d}" fill="${fill ?? 'none'}" stroke="${colour ?? 'none'}" stroke-width="${width}" stroke-dasharray="${dash.join(' ')}" opacity="${alpha}"/>`);
    }
    dots(points, { colour, radius = 3, hollow }) {
        for (let i = 0; i < points.length; i += 2)
            if (Number.isFinite(points[i] + points[i + 1]))
                this.parts.push(`<circle cx="${points[i].toFixed(1)}" cy="${points[i + 1].toFixed(1)}" r="${radius}" ` + (hollow ? `fill="none" stroke="${colour}"/>` : `fill="${colour}"/>`));
    }
    boxes(list, { fill, alpha }) {
        let d = '';
        for (let i = 0; i < list.length; i += 4) d += `M${list[i].toFixed(1)} ${list[i + 1].toFixed(1)}h${list[i + 2].toFixed(1)}v${list[i + 3].toFixed(1)}h${(-list[i + 2]).toFixed(1)}z`;
        if (d) this.parts.push(`<path d="${d}" fill="${fill}" opacity="${alpha}"/>`);
    }
    text(string, x, y, { colour, size = 12, align = 'left', turn = false }) {
        const anchor = { left: 'start', center: 'middle', right: 'end' }[align];
        this.parts.push(`<text transform="translate(${x.toFixed(1)} ${y.toFixed(1)})${turn ? ' rotate(-90)' : ''}" font-size="${size}" fill="${colour}" text-anchor="${anchor}">${escapeText(string)}</text>`);
    }
    width(string, size = 12) { return 0.56 * size * string.length; }
    end() { return this.parts.join('\n') + '\n</svg>\n'; }
}

// ---- numbers and axes ----

function shortNumber(value, digits = 3) {
    if (value === null || value === undefined || Number.isNaN(value)) return '–';
    if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
    if (value === 0) return '0';
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e') : String(+value.toPrecision(digits));
    return text.replace('-', '−');
}

function ticksOf(low, high, room) {
    const rough = (high - low) / Math.max(room, 2), power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? power;
    const ticks = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) ticks.push(k * step);
    return ticks.map((v) => [v, shortNumber(Math.abs(v) < 1e-9 * step ? 0 : v, 6)]);
}

function logTicks(low, high, room) {
    const from = Math.ceil(Math.log10(low) - 1e-9), to = Math.floor(Math.log10(high) + 1e-9);
    const every = Math.max(1, Math.ceil((to - from) / room)), ticks = [];
    for (let k = from; k <= to; k += every) ticks.push([10 ** k, k >= -2 && k <= 3 ? String(+(10 ** k).toPrecision(2)) : '1e' + k]);
    return ticks;
}

// The values of a curve that are seen: { values, offset, stride, count }.
function rangeOf(figure, axis) {
    let low = Infinity, high = -Infinity;
    const log = figure[axis]?.log;
    for (const item of figure.items) {
        const column = item[axis];
        if (!column || item.still) continue;
        const { values, offset = 0, stride = 1, count } = column;
        for (let i = 0; i < count; i++) {
            const v = values[offset + i * stride];
            if (!Number.isFinite(v) || (log && v <= 0)) continue;
            if (v < low) low = v;
            if (v > high) high = v;
        }
    }
    return [low, high];
}

function boundsOf(figure, axis) {
    const given = figure[axis] ?? {};
    let [low, high] = given.min !== undefined && given.max !== undefined ? [given.min, given.max] : rangeOf(figure, axis);
    if (given.min !== undefined) low = given.min;
    if (given.max !== undefined) high = given.max;
    if (!(low <= high)) [low, high] = given.log ? [1e-3, 1] : [0, 1];
    if (given.most !== undefined) { low = Math.max(low, -given.most); high = Math.min(high, given.most); if (!(low < high)) [low, high] = [-given.most, given.most]; }
    if (given.log) {
        low = Math.max(low, high * 1e-16);
        return low === high ? [low / 3, high * 3] : [low, high];
    }
    if (low === high) { const by = Math.abs(low) || 1; return [low - 0.5 * by, high + 0.5 * by]; }
    const pad = given.tight || given.min !== undefined ? 0 : 0.05 * (high - low);
    return [low - pad, high + pad];
}

// ---- what is drawn ----

// Points of a curve in pixels: where many fall into one column of pixels, the first, the extremes and the last.
function pixelsOf(item, map) {
    const { x, y } = item, out = [], count = Math.min(x.count, y.count);
    let column = NaN, first, low, high, last;
    const flush = () => {
        if (Number.isNaN(column)) return;
        out.push(column, first);
        if (low < Math.min(first, last)) out.push(column, low);
        if (high > Math.max(first, last)) out.push(column, high);
        if (last !== first || low !== high) out.push(column, last);
        column = NaN;
    };
    const rising = item.rising, dense = rising && count > 3000;
    let px = NaN, py = NaN;
    for (let i = 0; i < count; i++) {
        const a = map.x(x.values[(x.offset ?? 0) + i * (x.stride ?? 1)]);
        const b = map.y(y.values[(y.offset ?? 0) + i * (y.stride ?? 1)]);
        if (!dense) {
            if (Math.abs(a - px) + Math.abs(b - py) < 0.4) continue;
            out.push(a, b);
            [px, py] = [a, b];
            continue;
        }
        const at = Math.round(a);
        if (at !== column) { flush(); [column, first, low, high] = [at, b, b, b]; }
        low = Math.min(low, b);
        high = Math.max(high, b);
        last = b;
    }
    flush();
    return out;
}

// Where a grid of sizes is at most `level`: rows of boxes, whose ends are found by interpolation.
function regionBoxes(grid, level, map) {
    const { values, columns, rows, left, right, bottom, top } = grid, boxes = [];
    const height = Math.abs(map.y(top) - map.y(bottom)) / (rows - 1), dx = (right - left) / (columns - 1);
    for (let j = 0; j < rows; j++) {
        const y = map.y(bottom + (top - bottom) * j / (rows - 1)) - height / 2, row = j * columns;
        let from = null;
        for (let i = 0; i < columns; i++) {
            const inside = values[row + i] <= level, here = left + dx * i;
            if (inside && from === null) from = i ? here - dx * cut(values[row + i], values[row + i - 1], level) : here;
            if (from !== null && (!inside || i === columns - 1)) {
                const to = inside ? here : here - dx * (1 - cut(values[row + i - 1], values[row + i], level));
                boxes.push(map.x(from), y, map.x(to) - map.x(from), height);
                from = null;
            }
        }
    }
    return boxes;
}

// How far from the point inside, in parts of a cell, the level is passed.
function cut(inside, outside, level) {
    const a = Math.log(Math.max(inside, 1e-12) / level), b = Math.log(Math.min(outside, 1e12) / level);
    return b > a ? Math.min(1, Math.max(0, -a / (b - a))) : 0.5;
}

// The line on which the grid has the level, in pieces through cells.
function contourPieces(grid, level, map) {
    const { values, columns, rows, left, right, bottom, top } = grid, points = [];
    const X = (i) => map.x(left + (right - left) * i / (columns - 1));
    const Y = (j) => map.y(bottom + (top - bottom) * j / (rows - 1));
    const at = (i, j) => values[j * columns + i];
    for (let j = 0; j + 1 < rows; j++)
        for (let i = 0; i + 1 < columns; i++) {
            const corners = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]], hits = [];
            for (let k = 0; k < 4; k++) {
                const [a, b] = [corners[k], corners[(k + 1) % 4]], [u, v] = [at(...a), at(...b)];
                if ((u <= level) === (v <= level)) continue;
                const s = u <= level ? cut(u, v, level) : 1 - cut(v, u, level);
                hits.push(X(a[0] + s * (b[0] - a[0])), Y(a[1] + s * (b[1] - a[1])));
            }
            for (let k = 0; k + 3 < hits.length; k += 4) points.push(hits[k], hits[k + 1], hits[k + 2], hits[k + 3], NaN, NaN);
        }
    return points;
}

function drawItem(pen, item, map, style) {
    const colour = item.colour ?? style.colours[(item.shade ?? 0) % style.colours.length];
    if (item.kind === 'region') {
        pen.boxes(regionBoxes(item.grid, item.level ?? 1, map), { fill: colour, alpha: item.alpha ?? 0.16 });
        pen.path(contourPieces(item.grid, item.level ?? 1, map), { colour, width: 1.8, dash: item.dash });
    } else if (item.kind === 'points') {
        pen.dots(pixelsOf(item, map), { colour, radius: item.radius ?? 3, hollow: item.hollow });
    } else if (item.kind === 'upright') {
        pen.path([map.x(item.at), map.box.y, map.x(item.at), map.box.y + map.box.h], { colour: item.colour ?? style.middle, width: item.width ?? 1.2, dash: item.dash ?? [5, 4] });
    } else if (item.kind === 'level') {
        pen.path([map.box.x, map.y(item.at), map.box.x + map.box.w, map.y(item.at)], { colour: item.colour ?? style.middle, width: 1.2, dash: item.dash ?? [5, 4] });
    } else {
        pen.path(pixelsOf(item, map), { colour, width: item.width ?? 1.8, dash: item.dash, alpha: item.alpha ?? 1 });
    }
}

// Draws the figure and gives the map from values to pixels.
function drawFigure(pen, figure, width, height) {
    const style = looks(), size = width < 420 ? 11 : 12;
    const [x0, x1] = boundsOf(figure, 'x'), [y0, y1] = boundsOf(figure, 'y');
    const yTicks = (figure.y?.log ? logTicks : ticksOf)(y0, y1, Math.max(2, height / 55));
    const left = Math.max(34, 10 + Math.max(...yTicks.map(([, text]) => pen.width(text, size)), 0)) + (figure.y?.label ? 16 : 0);
    const legend = (figure.legend ?? []), lines = legendLines(pen, legend, width - left - 12, size);
    const head = (figure.title ? 22 : 8) + lines.length * 17;
    const box = { x: left, y: head, w: width - left - 12, h: height - head - (figure.x?.label ? 38 : 24) };
    if (figure.square) { // the same scale both ways, for the complex plane
        const scale = Math.min(box.w / (x1 - x0), box.h / (y1 - y0));
        const [w, h] = [scale * (x1 - x0), scale * (y1 - y0)];
        Object.assign(box, { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h });
    }
    const scaleOf = (low, high, log, from, length) => log
        ? (v) => from + length * Math.log(v / low) / Math.log(high / low)
        : (v) => from + length * (v - low) / (high - low);
    const map = { box, bounds: { x0, x1, y0, y1 },
        x: scaleOf(x0, x1, figure.x?.log, box.x, box.w), y: scaleOf(y0, y1, figure.y?.log, box.y + box.h, -box.h) };
    const xTicks = (figure.x?.log ? logTicks : ticksOf)(x0, x1, Math.max(2, box.w / 80));
    for (const [v] of xTicks) pen.path([map.x(v), box.y, map.x(v), box.y + box.h], { colour: style.faint });
    for (const [v] of yTicks) pen.path([box.x, map.y(v), box.x + box.w, map.y(v)], { colour: style.faint });
    pen.clip(box.x - 1, box.y - 1, box.w + 2, box.h + 2);
    if (figure.axes) {
        pen.path([map.x(0), box.y, map.x(0), box.y + box.h], { colour: style.middle });
        pen.path([box.x, map.y(0), box.x + box.w, map.y(0)], { colour: style.middle });
    }
    for (const item of figure.items) drawItem(pen, item, map, style);
    pen.unclip();
    pen.path([box.x, box.y, box.x, box.y + box.h, box.x + box.w, box.y + box.h], { colour: style.middle });
    for (const [v, text] of xTicks) pen.text(text, map.x(v), box.y + box.h + size + 4, { colour: style.ink, size, align: 'center' });
    for (const [v, text] of yTicks) pen.text(text, box.x - 6, map.y(v) + 4, { colour: style.ink, size, align: 'right' });
    if (figure.x?.label) pen.text(figure.x.label, box.x + box.w / 2, box.y + box.h + 2 * size + 9, { colour: style.ink, size, align: 'center' });
    if (figure.y?.label) pen.text(figure.y.label, figure.square ? box.x - left + size + 1 : size + 1, box.y + box.h / 2, { colour: style.ink, size, align: 'center', turn: true });
    if (figure.title) pen.text(figure.title, left, 15, { colour: style.ink, size: size + 1 });
    lines.forEach((line, row) => drawLegend(pen, line, left, (figure.title ? 22 : 6) + 17 * row + 10, size, style));
    return map;
}

function legendLines(pen, legend, room, size) {
    const lines = [];
    let line = [], used = 0;
    for (const entry of legend) {
        const need = 40 + pen.width(entry.text, size);
        if (used + need > room && line.length) { lines.push(line); line = []; used = 0; }
        line.push({ ...entry, at: used });
        used += need;
    }
    if (line.length) lines.push(line);
    return lines;
}

function drawLegend(pen, line, left, y, size, style) {
    for (const { text, shade, colour, dash, dot, at } of line) {
        const ink = colour ?? style.colours[(shade ?? 0) % style.colours.length];
        if (dot) pen.dots([left + at + 12, y - 4], { colour: ink, radius: 3.5, hollow: dot === 'hollow' });
        else pen.path([left + at, y - 4, left + at + 24, y - 4], { colour: ink, width: 2.2, dash });
        pen.text(text, left + at + 29, y, { colour: style.ink, size });
    }
}

// A canvas that shows a figure, draws it again when its size or the colours change, and tells where the pointer is.
class Plot {
    constructor(canvas, { hover, drag } = {}) {
        Object.assign(this, { canvas, figure: null, map: null, hover, drag });
        new ResizeObserver(() => this.draw()).observe(canvas);
        darkScheme.addEventListener('change', () => this.draw());
        canvas.addEventListener('pointermove', (event) => this.moved(event));
        canvas.addEventListener('pointerleave', () => this.say(''));
        if (drag) this.letDrag(drag);
    }
    show(figure) { this.figure = figure; this.draw(); }
    draw() {
        const { canvas, figure } = this, ratio = devicePixelRatio || 1;
        const width = canvas.clientWidth, height = canvas.clientHeight;
        if (!figure || !width || !height) return;
        if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
        }
        const context = canvas.getContext('2d');
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = looks().paper;
        context.fillRect(0, 0, width, height);
        this.map = drawFigure(new CanvasPen(context), figure, width, height);
        canvas.dataset.drawn = String(+(canvas.dataset.drawn ?? 0) + 1);
    }
    svg() {
        const { canvas } = this, pen = new SvgPen(canvas.clientWidth, canvas.clientHeight, looks().paper);
        drawFigure(pen, this.figure, canvas.clientWidth, canvas.clientHeight);
        return pen.end();
    }
    // The values under the pointer; null outside the axes.
    valueAt(event) {
        if (!this.map) return null;
        const { box, bounds: { x0, x1, y0, y1 } } = this.map, { x, y } = this.figure;
        const s = (event.offsetX - box.x) / box.w, r = 1 - (event.offsetY - box.y) / box.h;
        if (!this.held && (s < 0 || s > 1 || r < 0 || r > 1)) return null;
        const back = (low, high, log, part) => (log ? low * (high / low) ** part : low + part * (high - low));
        return [back(x0, x1, x?.log, s), back(y0, y1, y?.log, r)];
    }
    say(text) { if (this.hover) this.hover.textContent = text; }
    moved(event) {
        const at = this.valueAt(event);
        this.say(at ? `${this.figure.x?.label ?? 'x'} ${shortNumber(at[0], 4)}, ${this.figure.y?.label ?? 'y'} ${shortNumber(at[1], 4)}` : '');
        if (this.held && at) this.drag(at, event);
    }
    letDrag() {
        const { canvas } = this;
        canvas.addEventListener('pointerdown', (event) => {
            if (!this.figure?.draggable || !this.valueAt(event)) return;
            this.held = true;
            canvas.setPointerCapture(event.pointerId);
            this.drag(this.valueAt(event), event);
        });
        for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, () => { this.held = false; });
        canvas.addEventListener('keydown', (event) => {
            const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
            const at = this.figure?.draggable;
            if (!way || !at || !this.map) return;
            event.preventDefault();
            const { x0, x1, y0, y1 } = this.map.bounds, part = event.shiftKey ? 0.1 : 0.01;
            this.drag([at[0] + way[0] * part * (x1 - x0), at[1] + way[1] * part * (y1 - y0)], event);
        });
    }
}
