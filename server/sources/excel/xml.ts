import { SaxesParser } from 'saxes';
import { say } from '#language/program/say.ts';
import type { Refuse } from './zip.ts';

type Attributes = Readonly<Record<string, string>>;

/** Hears of elements and attributes by their names without prefixes. */
export interface XmlListener {
    readonly open: (name: string, attributes: Attributes) => void;
    readonly close?: (name: string) => void;
    readonly text?: (text: string) => void;
}

const DEEPEST = 64;
/** Bytes of the longest text. */
const LONGEST = 2 ** 24;

/**
 * Goes over the elements of a part, a step for each piece of its bytes. Document types are refused, and with them all entities but those of XML
 * itself, so that nothing grows.
 */
export function* xmlSteps(
    pieces: Iterable<Uint8Array>,
    path: string,
    refuse: Refuse,
    { open, close, text }: XmlListener,
): Generator<undefined, void> {
    const parser = new SaxesParser({ xmlns: false, position: false });
    const local = (name: string): string => name.slice(name.indexOf(':') + 1);
    let depth = 0;
    let silent = 0;
    parser.on('opentag', ({ name, attributes }) => {
        silent = 0;
        if (++depth > DEEPEST) refuse(say`holds '${path}', which has elements in more than ${DEEPEST} levels`);
        const plain: Record<string, string> = Object.create(null);
        for (const key in attributes) plain[local(key)] = attributes[key] ?? '';
        open(local(name), plain);
    });
    parser.on('closetag', ({ name }) => {
        silent = 0;
        depth--;
        close?.(local(name));
    });
    if (text !== undefined) parser.on('text', text);
    parser.on('doctype', () => refuse(say`holds '${path}', which declares a document type, as parts of workbooks never do`));
    parser.on('error', error => refuse(say`holds '${path}', which is no XML: ${error.message}`));
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const decoded = (piece?: Uint8Array): string => {
        try {
            return decoder.decode(piece, { stream: piece !== undefined });
        } catch {
            return refuse(say`holds '${path}', which is not in UTF-8`);
        }
    };
    for (const piece of pieces) {
        silent += piece.length;
        parser.write(decoded(piece));
        if (silent > LONGEST) refuse(say`holds '${path}', which has a text of more than ${LONGEST / 2 ** 20} MiB`);
        yield;
    }
    parser.write(decoded());
    parser.close();
}

/** Goes over all elements of a part. */
export function readXml(pieces: Iterable<Uint8Array>, path: string, refuse: Refuse, listener: XmlListener): void {
    const steps = xmlSteps(pieces, path, refuse, listener);
    while (steps.next().done !== true);
}

/** Collects the text of `t` within an element, without how it is pronounced. */
export function textCollector() {
    let whole = '';
    let isText = false;
    let isSound = false;
    return {
        begin: (): void => {
            whole = '';
        },
        open: (name: string): void => {
            if (name === 't') isText = !isSound;
            if (name === 'rPh') isSound = true;
        },
        close: (name: string): void => {
            if (name === 't') isText = false;
            if (name === 'rPh') isSound = false;
        },
        text: (text: string): void => {
            if (isText) whole += text;
        },
        end: (): string => plainText(whole),
    };
}

/** Characters that XML has no place for are written as `_x0001_`. */
export function plainText(text: string): string {
    return text.includes('_x')
        ? text.replace(/_x([\dA-Fa-f]{4})_/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
        : text;
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as the text of an element or the value of an attribute. What looks like a character that is written by its number is, too. */
export function xmlText(text: string): string {
    return text
        .replace(/_(?=x[\dA-Fa-f]{4}_)/gu, '_x005F_')
        .replace(/[&<>"]/gu, sign => SIGNS[sign] ?? sign)
        .replace(/[^\P{Cc}\t\n\x7f-\x9f]|[\uFFFE\uFFFF]/gu, sign => {
            const digits = sign.charCodeAt(0).toString(16).toUpperCase();
            return `_x${digits.padStart(4, '0')}_`;
        });
}
