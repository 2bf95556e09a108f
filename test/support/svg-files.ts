import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

const KNOWN = ['svg', 'title', 'rect', 'circle', 'defs', 'marker', 'path', 'g', 'text', 'tspan'];

/** The texts of a drawing, after a look at whether it needs nothing but itself and is dark on white. */
export function textsOfDrawing(xml: string): string[] {
    const found = elementsOf(xml);
    expect(found.filter(({ name }) => !KNOWN.includes(name))).toEqual([]);
    expect(found[0]?.attributes).toMatchObject({ xmlns: 'http://www.w3.org/2000/svg', width: expect.stringMatching(/^\d/u) });
    const written = found.flatMap(({ attributes }) => Object.entries(attributes));
    expect(written.filter(([name]) => /^(?:on|class|style|tabindex|role|aria|data|href)/u.test(name))).toEqual([]);
    expect(written.filter(([, value]) => /var\(|color\(|NaN|undefined|url\((?!"?#)/u.test(value))).toEqual([]);
    const texts = found.filter(({ name }) => name === 'text');
    // Light words stand on a dark badge.
    for (const { attributes, text } of texts) if (!text.startsWith('+')) expect(lightness(attributes.fill ?? '')).toBeLessThan(0.5);
    return texts.map(({ text }) => text);
}

interface DrawnElement {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
    text: string;
}

/** The elements of an XML document, which fails where it is none. */
function elementsOf(xml: string): DrawnElement[] {
    const parser = new SaxesParser();
    const found: DrawnElement[] = [];
    const open: DrawnElement[] = [];
    parser.on('error', error => {
        throw error;
    });
    parser.on('opentag', ({ name, attributes }) => {
        const made = { name, attributes, text: '' };
        found.push(made);
        open.push(made);
    });
    parser.on('text', text => {
        for (const one of open) one.text += text;
    });
    parser.on('closetag', () => void open.pop());
    parser.write(xml).close();
    return found;
}

/** Of a colour such as `#1f2328`, from 0 to 1. */
function lightness(colour: string): number {
    const [red = 255, green = 255, blue = 255] = (colour.match(/[0-9a-f]{2}/gu) ?? []).map(digits => Number.parseInt(digits, 16));
    return (red + green + blue) / (3 * 255);
}
