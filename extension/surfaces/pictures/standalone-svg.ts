import { svgElement, svgTitle } from '../svg.ts';
import { INK, MUTED, PAPER, WHITE, WORDS_FONT } from './paper.ts';

/** A drawing, in units as large as dots of a screen. */
export interface Drawn {
    readonly svg: SVGSVGElement;
    readonly width: number;
    readonly height: number;
}

/** The text around a drawing in a file. */
export interface Caption {
    readonly title: string;
    /** The meaning of signs in the drawing. */
    readonly legend?: readonly LegendEntry[];
    /** How much is drawn, and what is left out. */
    readonly note?: string;
}

export interface LegendEntry {
    /** Has a width and a height. */
    readonly sample: SVGSVGElement;
    readonly words: string;
}

/** Attributes that an element keeps in a file; all others go, such as its class. */
const GEOMETRY: ReadonlySet<string> = new Set([
    ...['d', 'x', 'y', 'dy', 'width', 'height', 'rx', 'cx', 'cy', 'r', 'transform', 'id', 'viewBox', 'marker-end'],
    ...['refX', 'refY', 'markerWidth', 'markerHeight', 'markerUnits', 'orient'],
]);
const LOOKS = ['stroke-width', 'stroke-dasharray', 'opacity'] as const;
const WRITING = ['font-family', 'font-size', 'font-weight', 'text-anchor'] as const;
const [MARGIN, TITLE_HEIGHT, LINE, GAP] = [16, 36, 22, 16];
const [TITLE_SIZE, WORDS_SIZE] = [14, 11];
const NARROWEST = 320;

/** The text of a file with a drawing, which needs no style sheet, no fonts and no program. */
export function standaloneSvg({ svg, width, height }: Drawn, { title, legend = [], note }: Caption): string {
    const copy = svg.cloneNode(true) as SVGSVGElement;
    const samples = legend.map(({ sample }) => sample.cloneNode(true) as SVGSVGElement);
    copy.append(...samples);
    putInk(copy);
    const room = Math.max(width, NARROWEST, widthOf(title, TITLE_SIZE, 600) + 2 * MARGIN);
    const drawing = svgElement('g', { transform: `translate(${Math.max(0, (room - width) / 2)} ${TITLE_HEIGHT})` });
    for (const sample of samples) sample.remove();
    drawing.append(...copy.childNodes);
    let bottom = TITLE_HEIGHT + height + MARGIN / 2;
    const below: SVGElement[] = [];
    for (const line of legendLines(legend, samples, room - 2 * MARGIN)) {
        for (const { sample, words, x } of line) {
            sample.setAttribute('x', String(MARGIN + x));
            sample.setAttribute('y', String(bottom + (LINE - Number(sample.getAttribute('height'))) / 2));
            below.push(sample, wordsElement(words, MARGIN + x + sampleWidth(sample), bottom + LINE / 2));
        }
        bottom += LINE;
    }
    if (note !== undefined && note !== '') {
        below.push(wordsElement(note, MARGIN, bottom + LINE / 2));
        bottom += LINE;
    }
    const size = { width: Math.ceil(room), height: Math.ceil(bottom + MARGIN / 2) };
    copy.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
    for (const [name, length] of Object.entries(size)) copy.setAttribute(name, String(length));
    const heading = svgElement('text', { x: MARGIN, y: 24, fill: INK, 'font-family': WORDS_FONT, 'font-size': TITLE_SIZE });
    heading.setAttribute('font-weight', '600');
    heading.append(title);
    copy.append(svgTitle(title), svgElement('rect', { ...size, fill: WHITE }), heading, drawing, ...below);
    return `${new XMLSerializer().serializeToString(copy)}\n`;
}

/** Gives each element the look that it has on white paper, in place of what a style sheet knows of it. */
function putInk(copy: SVGSVGElement): void {
    for (const marked of [copy, ...copy.querySelectorAll('.near')]) marked.classList.remove('emphasized', 'near');
    const paper = document.createElement('div');
    for (const [name, colour] of Object.entries(PAPER)) paper.style.setProperty(`--${name}`, colour);
    paper.style.position = 'absolute';
    paper.style.visibility = 'hidden';
    paper.append(copy);
    document.body.append(paper);
    const elements = [copy, ...copy.querySelectorAll('*')];
    // All of them before the first loses what its looks depend on.
    const looks = elements.map(looksOf);
    paper.remove();
    for (const [i, part] of elements.entries()) {
        for (const { name } of [...part.attributes]) if (!GEOMETRY.has(name)) part.removeAttribute(name);
        for (const [name, value] of looks[i] ?? []) part.setAttribute(name, value);
    }
}

interface PlacedEntry {
    readonly sample: SVGSVGElement;
    readonly words: string;
    readonly x: number;
}

/** The entries of a legend beside each other, in as many lines as they need. */
function legendLines(legend: readonly LegendEntry[], samples: readonly SVGSVGElement[], room: number): PlacedEntry[][] {
    const lines: PlacedEntry[][] = [];
    let x = room;
    for (const [i, { words }] of legend.entries()) {
        const sample = samples[i];
        if (sample === undefined) continue;
        const width = sampleWidth(sample) + widthOf(words, WORDS_SIZE);
        if (x + width > room) {
            lines.push([]);
            x = 0;
        }
        lines.at(-1)?.push({ sample, words, x });
        x += width + GAP;
    }
    return lines;
}

function sampleWidth(sample: SVGSVGElement): number {
    return Number(sample.getAttribute('width')) + 4;
}

function wordsElement(words: string, x: number, y: number): SVGTextElement {
    const text = svgElement('text', { x, y, dy: '0.35em', fill: MUTED, 'font-family': WORDS_FONT, 'font-size': WORDS_SIZE });
    text.append(words);
    return text;
}

function widthOf(text: string, size: number, weight = 400): number {
    const context = document.createElement('canvas').getContext('2d');
    if (context === null) return text.length * size * 0.6;
    context.font = `${weight} ${size}px ${WORDS_FONT}`;
    return context.measureText(text).width;
}

/** How an element is drawn on the paper, as attributes. */
function looksOf(part: Element): (readonly [name: string, value: string])[] {
    const isText = part instanceof SVGTextContentElement;
    if (!isText && !(part instanceof SVGGeometryElement)) return part instanceof SVGGElement ? lookOf(part, ['opacity']) : [];
    const computed = getComputedStyle(part);
    return [
        ...colour('fill', computed.fill, computed.fillOpacity),
        ...(isText ? [] : colour('stroke', computed.stroke, computed.strokeOpacity)),
        ...lookOf(part, isText ? WRITING : LOOKS),
        // Not every program knows where the middle of a line is.
        ...(part instanceof SVGTextElement && computed.dominantBaseline === 'central' ? [['dy', '0.35em'] as const] : []),
    ];
}

function lookOf(part: Element, names: readonly string[]): (readonly [name: string, value: string])[] {
    const computed = getComputedStyle(part);
    return names.flatMap(name => {
        const value = computed.getPropertyValue(name);
        const isUsual = value === '' || (name === 'opacity' && value === '1') || (name === 'stroke-dasharray' && value === 'none');
        return isUsual ? [] : [[name, value] as const];
    });
}

/** A colour as every program reads it: `#rrggbb`, and apart from it how much shines through. */
function colour(name: 'fill' | 'stroke', computed: string, opacity: string): (readonly [name: string, value: string])[] {
    const numbers = (/^(?:rgba?|color)\((?:srgb )?(.*)\)$/u.exec(computed)?.[1] ?? '').split(/[\s,/]+/u).map(Number);
    const [red, green, blue, own = 1] = numbers;
    const alpha = own * Number(opacity);
    if (red === undefined || green === undefined || blue === undefined || numbers.some(Number.isNaN) || alpha === 0)
        return [[name, 'none']];
    const scale = computed.startsWith('color') ? 255 : 1;
    const digits = [red, green, blue].map(part =>
        Math.round(part * scale)
            .toString(16)
            .padStart(2, '0'),
    );
    const written = [name, `#${digits.join('')}`] as const;
    return alpha === 1 ? [written] : [written, [`${name}-opacity`, String(Math.round(alpha * 1000) / 1000)]];
}
