import { unescape as withoutEscapes } from 'node:querystring';
import { say } from '#language/program/say.ts';
import { apiError } from '#server/protocol/platform/api-error.ts';
import { DEEPEST } from '#server/protocol/platform/route.ts';
import { multipartFields } from './multipart-fields.ts';

const MOST_FIELDS = 10_000;

/** The media type of a `Content-Type` in lower case, and its parameters. */
function mediaType(header: string | undefined): { readonly type: string; readonly parameters: ReadonlyMap<string, string> } | undefined {
    if (header === undefined || header.trim() === '') return undefined;
    const [type = '', ...parts] = header.split(';');
    const parameters = parts.flatMap(part => {
        const at = part.indexOf('=');
        return at < 0
            ? []
            : [
                  [
                      part.slice(0, at).trim().toLowerCase(),
                      part
                          .slice(at + 1)
                          .trim()
                          .replace(/^"(.*)"$/u, '$1'),
                  ] as const,
              ];
    });
    return { type: type.trim().toLowerCase(), parameters: new Map(parameters) };
}

/** Whether a body of this type is JSON in UTF-8; none counts as such. */
export function isJson(header: string | undefined): boolean {
    const media = mediaType(header);
    if (media === undefined) return true;
    const charset = media.parameters.get('charset') ?? 'utf-8';
    return media.type === 'application/json' && /^utf-?8$/iu.test(charset);
}

/** The text of a JSON body and its value; an empty one is `{}`. `invalid_json` and, for what nests too deep, `validation_error`. */
export function readJson(body: Uint8Array, deepest = DEEPEST): { readonly written: string; readonly given: unknown } {
    let text: string;
    try {
        text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
        throw apiError('invalid_json', [say`it is not UTF-8`]);
    }
    if (text.trim() === '') return { written: '{}', given: {} };
    if (nestsDeeper(text, deepest)) {
        const fields = [{ path: '', issue: 'out_of_range', expected: `nesting of at most ${deepest}`, actual: 'deeper' }];
        throw apiError('validation_error', ['', `must not nest deeper than ${deepest}`, 0], { details: { fields } });
    }
    try {
        return { written: text, given: JSON.parse(text) };
    } catch (error) {
        throw apiError('invalid_json', [reasonOf(error)]);
    }
}

/** The words of the parser up to where it quotes the body, which may hold secrets. */
function reasonOf(error: unknown): string {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /position (\d+)/u.exec(message) ?? [];
    if (position !== undefined) return say`it cannot be read at position ${position}`;
    return message.startsWith('Unexpected end') ? say`it ends too early` : say`it cannot be read`;
}

const [QUOTE, BACKSLASH] = [34, 92] as const;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

function nestsDeeper(text: string, most: number): boolean {
    let depth = 0;
    for (let at = 0; at < text.length && depth <= most; at++) {
        const unit = text.charCodeAt(at);
        if (unit === QUOTE) at = stringEnd(text, at);
        else if (OPENING.has(unit)) depth++;
        else if (CLOSING.has(unit)) depth--;
    }
    return depth > most;
}

/** The offset of the quote that ends a string. */
function stringEnd(text: string, start: number): number {
    let at = start + 1;
    while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
    return at;
}

export function formUnreadable(): string {
    return say`The form cannot be read, or has more than ${MOST_FIELDS} fields`;
}

export type FormFields = ReadonlyMap<string, readonly string[]>;

/** The fields of a form by name, files as their texts; undefined where it cannot be read or has too many. */
export function formFields(body: Uint8Array, header: string | undefined): FormFields | undefined {
    const pairs = body.length === 0 ? [] : formPairs(body, header);
    if (pairs === undefined) return undefined;
    const fields = new Map<string, string[]>();
    for (const [name, value] of pairs) {
        const values = fields.get(name);
        if (values === undefined) fields.set(name, [value]);
        else values.push(value);
    }
    return fields;
}

function formPairs(body: Uint8Array, header: string | undefined): Iterable<readonly [string, string]> | undefined {
    const media = mediaType(header);
    if (media?.type === 'multipart/form-data') return multipartFields(body, media.parameters.get('boundary') ?? '', MOST_FIELDS);
    // `URLSearchParams` makes a piece of text of every `+`: ten million of them take seconds and half a gigabyte.
    const pairs = new TextDecoder().decode(body).split('&', MOST_FIELDS + 1);
    if (pairs.length > MOST_FIELDS) return undefined;
    return pairs.flatMap(pair => {
        if (pair === '') return [];
        const at = pair.indexOf('=');
        return [[unescaped(at < 0 ? pair : pair.slice(0, at)), at < 0 ? '' : unescaped(pair.slice(at + 1))] as const];
    });
}

function unescaped(text: string): string {
    return withoutEscapes(text.replaceAll('+', ' '));
}

/** Whether a body of this type is a form. */
export function isForm(header: string | undefined): boolean {
    const type = mediaType(header)?.type;
    return type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
}
