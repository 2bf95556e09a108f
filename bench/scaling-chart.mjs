/** Of the drawing, in pixels. */
const [WIDTH, HEIGHT] = [640, 360];
const PLOT = { left: 64, right: 120, top: 28, bottom: 44 };
const DECADE = 10;

/** Cost against size, both in powers of ten: work that is linear climbs as steeply as the dashed lines. */
export function scalingChart(series) {
    const points = series.flatMap(one => one.points).filter(({ cost }) => cost > 0);
    const x = axis(
        points.map(({ rows }) => rows),
        PLOT.left,
        WIDTH - PLOT.right,
    );
    const y = axis(
        points.map(({ cost }) => cost),
        HEIGHT - PLOT.bottom,
        PLOT.top,
    );
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
        '<title id="title">CPU seconds above the start, by rows of input and output</title>',
        `<style>${STYLE}</style>`,
        `<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>`,
        ...x.ticks.map(value => tickAcross(x.place(value), value.toLocaleString('en-US'))),
        ...y.ticks.map(value => tickUp(y.place(value), `${value} s`)),
        ...linearLines(x, y),
        ...series.map((one, i) => seriesLine(one, i, x, y)),
        text(PLOT.left - 8, 14, 'cpu', 'end'),
        text((PLOT.left + WIDTH - PLOT.right) / 2, HEIGHT - 6, 'rows of input and output', 'middle'),
        '</svg>',
        '',
    ].join('\n');
}

/** Both themes of a reader; series differ in their marks too. */
const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #333 }
.page { fill: #fff }
.grid { stroke: #ddd }
.linear { stroke: #999; stroke-dasharray: 4 4 }
.series { fill: none; stroke-width: 2 }
.a { stroke: #0b62c4; fill: #0b62c4 } .b { stroke: #b3470a; fill: #b3470a } .c { stroke: #1a7a3c; fill: #1a7a3c }
path.series { fill: none }
@media (prefers-color-scheme: dark) {
text { fill: #ccc }
.page { fill: #1e1e1e }
.grid { stroke: #3a3a3a }
.linear { stroke: #777 }
.a { stroke: #6cb0ff; fill: #6cb0ff } .b { stroke: #f0975a; fill: #f0975a } .c { stroke: #6fcf8f; fill: #6fcf8f }
path.series { fill: none }
}`;

/** An axis over whole powers of ten, from one place to another. */
function axis(values, from, to) {
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
    const place = value => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
    const ticks = Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`));
    return { place, ticks, low: DECADE ** low, high: DECADE ** high };
}

/** Lines of a constant cost per row, as far as they lie in the plot. */
function linearLines(x, y) {
    const lines = [];
    for (let cost = y.low / x.high; cost < y.high / x.low; cost *= DECADE) {
        const [from, to] = [Math.max(x.low, y.low / cost), Math.min(x.high, y.high / cost)];
        if (to <= from * 1.01) continue;
        lines.push(line('linear', x.place(from), y.place(from * cost), x.place(to), y.place(to * cost)));
    }
    return lines;
}

function seriesLine({ work, points }, i, x, y) {
    const places = points.filter(({ cost }) => cost > 0).map(({ rows, cost }) => [round(x.place(rows)), round(y.place(cost))]);
    const colour = 'abc'[i % 3];
    const legend = [WIDTH - PLOT.right + 20, PLOT.top + 12 + i * 20];
    return [
        `<path class="series ${colour}" d="M${places.map(place => place.join(' ')).join('L')}"/>`,
        ...places.map(([px, py]) => mark(i, px, py, colour)),
        mark(i, ...legend, colour),
        text(legend[0] + 12, legend[1] + 4, work, 'start'),
    ].join('');
}

function mark(i, x, y, colour) {
    if (i % 3 === 0) return `<circle class="${colour}" cx="${x}" cy="${y}" r="4"/>`;
    if (i % 3 === 1) return `<rect class="${colour}" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`;
    return `<path class="${colour}" d="M${x} ${y - 5}l5 9h-10z"/>`;
}

function tickAcross(x, label) {
    return line('grid', x, PLOT.top, x, HEIGHT - PLOT.bottom) + text(x, HEIGHT - PLOT.bottom + 16, label, 'middle');
}

function tickUp(y, label) {
    return line('grid', PLOT.left, y, WIDTH - PLOT.right, y) + text(PLOT.left - 8, y + 4, label, 'end');
}

function line(name, x1, y1, x2, y2) {
    return `<line class="${name}" x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"/>`;
}

function text(x, y, words, anchor) {
    return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${words}</text>`;
}

function round(number) {
    return Math.round(number * 10) / 10;
}
