/** A piece of a line. A link leads to an address of the web; all other addresses, and pictures, stay text. */
export type Span =
    | { readonly kind: 'text' | 'code'; readonly text: string }
    | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly spans: readonly Span[] }
    | { readonly kind: 'link'; readonly spans: readonly Span[]; readonly target: string };

export type Block =
    | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
    | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
    | { readonly kind: 'code'; readonly language: string; readonly text: string }
    | { readonly kind: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
    | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
    | { readonly kind: 'table'; readonly head: readonly (readonly Span[])[]; readonly rows: readonly (readonly (readonly Span[])[])[] }
    | { readonly kind: 'rule' };

/** How deep lists and quotes are read within each other; what is deeper stays text. */
const DEEPEST = 8;

/** Reads the Markdown that models write, finished or not; it never fails. Markup of HTML is text. */
export function readMarkdown(text: string, depth = 0): readonly Block[] {
    const lines = text.split(/\r?\n/u);
    const blocks: Block[] = [];
    let open: string[] = [];
    const close = (): void => {
        if (open.length > 0) blocks.push({ kind: 'paragraph', spans: readSpans(open.join('\n')) });
        open = [];
    };
    for (let at = 0; at < lines.length; ) {
        const found = depth > DEEPEST ? undefined : blockAt(lines, at, open.length > 0, depth);
        if (found === undefined) {
            const line = lines[at++] ?? '';
            if (line.trim() === '') close();
            else open.push(line.trim());
            continue;
        }
        close();
        blocks.push(found.block);
        at = found.next;
    }
    close();
    return blocks;
}

interface Found {
    readonly block: Block;
    readonly next: number;
}

function blockAt(lines: readonly string[], at: number, inParagraph: boolean, depth: number): Found | undefined {
    const line = lines[at] ?? '';
    const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#-]*)/u.exec(line);
    if (fence !== null) return fencedAt(lines, at, fence[1] ?? '', fence[2] ?? '');
    const heading = /^ {0,3}(#{1,6})\s(.*)$/u.exec(line);
    if (heading !== null) {
        const words = (heading[2] ?? '').trim().replace(/#+$/u, '').trimEnd();
        return { block: { kind: 'heading', level: (heading[1] ?? '').length, spans: readSpans(words) }, next: at + 1 };
    }
    if (/^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/u.test(line)) return { block: { kind: 'rule' }, next: at + 1 };
    if (/^ {0,3}>/u.test(line)) return quoteAt(lines, at, depth);
    if (isTableAt(lines, at)) return tableAt(lines, at);
    const item = itemOf(line);
    // A number within a sentence that goes on in the next line begins no list.
    if (item !== undefined && (!inParagraph || item.number === undefined || item.number === 1)) return listAt(lines, at, item, depth);
    return undefined;
}

function fencedAt(lines: readonly string[], at: number, fence: string, language: string): Found {
    let end = at + 1;
    const closes = (line: string): boolean =>
        line.trim().length >= fence.length && line.trim() === fence.charAt(0).repeat(line.trim().length);
    while (end < lines.length && !closes(lines[end] ?? '')) end++;
    return { block: { kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, next: end + 1 };
}

function quoteAt(lines: readonly string[], at: number, depth: number): Found {
    let end = at;
    while (end < lines.length && /^ {0,3}>/u.test(lines[end] ?? '')) end++;
    const inner = lines.slice(at, end).map(line => line.replace(/^ {0,3}> ?/u, ''));
    return { block: { kind: 'quote', blocks: readMarkdown(inner.join('\n'), depth + 1) }, next: end };
}

interface Item {
    readonly number: number | undefined;
    /** Columns before its text. */
    readonly indent: number;
    readonly text: string;
}

function itemOf(line: string): Item | undefined {
    const found = /^(\s{0,9}(?:[-*+]|(\d{1,9})[.)])\s{1,4})(\S.*)$/u.exec(line);
    if (found === null) return undefined;
    const [, mark = '', number, text = ''] = found;
    return { number: number === undefined ? undefined : Number(number), indent: mark.length, text };
}

function listAt(lines: readonly string[], from: number, first: Item, depth: number): Found {
    const items: (readonly Block[])[] = [];
    let at = from;
    for (;;) {
        const item = itemOf(lines[at] ?? '');
        if (item === undefined || (item.number === undefined) !== (first.number === undefined)) break;
        const own = [item.text];
        at++;
        while (at < lines.length) {
            const line = lines[at] ?? '';
            const indent = line.length - line.trimStart().length;
            const goesOn =
                indent >= Math.min(item.indent, 2) || (line.trim() !== '' && itemOf(line) === undefined && lines[at - 1]?.trim() !== '');
            const isGap = line.trim() === '' && /^\s{2,}\S/u.test(lines[at + 1] ?? '');
            if (!goesOn && !isGap) break;
            own.push(line.slice(Math.min(indent, item.indent)));
            at++;
        }
        items.push(readMarkdown(own.join('\n'), depth + 1));
        if (lines[at]?.trim() === '' && itemOf(lines[at + 1] ?? '') !== undefined) at++;
    }
    return { block: { kind: 'list', start: first.number, items }, next: at };
}

/** The line below the head of a table, such as `|---|:--:|`. */
function isTableRule(line: string): boolean {
    const cells = line.trim().replace(/^\|/u, '').replace(/\|$/u, '').split('|');
    return cells.every(cell => /^:?-+:?$/u.test(cell.trim()));
}

function isTableAt(lines: readonly string[], at: number): boolean {
    return (lines[at] ?? '').includes('|') && isTableRule(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('|');
}

function tableAt(lines: readonly string[], at: number): Found {
    let end = at + 2;
    while (end < lines.length && (lines[end] ?? '').includes('|')) end++;
    const cells = (line: string): readonly (readonly Span[])[] =>
        line
            .trim()
            .replace(/^\||(?<!\\)\|$/gu, '')
            .split(/(?<!\\)\|/u)
            .map(cell => readSpans(cell.trim().replaceAll(String.raw`\|`, '|')));
    const head = cells(lines[at] ?? '');
    const rows = lines.slice(at + 2, end).map(line => cells(line).slice(0, head.length));
    return { block: { kind: 'table', head, rows }, next: end };
}

/** Signs with a meaning within a line, the longest first. */
const SIGNS: readonly (readonly [RegExp, (found: RegExpExecArray, depth: number) => Span | undefined])[] = [
    [/^\\([!-/:-@[-`{-~])/u, ([, sign = '']) => ({ kind: 'text', text: sign })],
    [
        /^(`+)(?!`)([\s\S]*?[^`])\1(?!`)/u,
        ([, , text = '']) => ({ kind: 'code', text: text.replaceAll('\n', ' ').replace(/^ (.+) $/u, '$1') }),
    ],
    [/^!\[([^\]]*)\]\(([^)\s]*)(?:\s[^)]*)?\)/u, ([, name = '', target = '']) => ({ kind: 'text', text: `${name} (${target})` })],
    [/^\[([^\]]+)\]\(<?([^)\s>]*)(?:[>\s][^)]*)?\)/u, ([, name = '', target = ''], depth) => linkOf(readSpans(name, depth + 1), target)],
    [/^<(https?:\/\/[^\s>]+)>/u, ([, target = '']) => linkOf([{ kind: 'text', text: target }], target)],
    [/^https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"*_]/u, ([target]) => linkOf([{ kind: 'text', text: target }], target)],
    [/^(\*\*|__)(?=\S)([\s\S]*?\S)\1/u, ([, , text = ''], depth) => ({ kind: 'strong', spans: readSpans(text, depth + 1) })],
    [/^~~(?=\S)([\s\S]*?\S)~~/u, ([, text = ''], depth) => ({ kind: 'struck', spans: readSpans(text, depth + 1) })],
    [/^\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/u, ([, text = ''], depth) => ({ kind: 'emphasis', spans: readSpans(text, depth + 1) })],
    [/^_(?=[^\s_])([^_]*[^\s_])_(?!\w)/u, ([, text = ''], depth) => ({ kind: 'emphasis', spans: readSpans(text, depth + 1) })],
];
const BEGINS = /[\\`![<*_~]|https?:\/\//u;
/** Characters of a line that are looked through for signs; the rest of a longer one is text. */
const LONGEST = 8_000;

function readSpans(text: string, depth = 0): readonly Span[] {
    if (depth > DEEPEST) return [{ kind: 'text', text }];
    const spans: Span[] = [];
    let plain = '';
    let rest = text.slice(0, LONGEST);
    const flush = (): void => {
        if (plain !== '') spans.push({ kind: 'text', text: plain });
        plain = '';
    };
    while (rest !== '') {
        const begin = rest.search(BEGINS);
        if (begin < 0) break;
        plain += rest.slice(0, begin);
        rest = rest.slice(begin);
        const isInWord = /\w$/u.test(plain);
        const found = isInWord && rest.startsWith('_') ? undefined : spanAt(rest, depth);
        if (found === undefined) {
            // What a run of signs does not begin, no part of it does.
            const [run = ''] = /^(.)\1*/su.exec(rest) ?? [];
            plain += run;
            rest = rest.slice(run.length);
            continue;
        }
        if (found.span.kind === 'text') plain += found.span.text;
        else {
            flush();
            spans.push(found.span);
        }
        rest = rest.slice(found.length);
    }
    plain += rest + text.slice(LONGEST);
    flush();
    return spans;
}

function spanAt(text: string, depth: number): { readonly span: Span; readonly length: number } | undefined {
    for (const [sign, read] of SIGNS) {
        const found = sign.exec(text);
        const span = found === null ? undefined : read(found, depth);
        if (found !== null && span !== undefined) return { span, length: found[0].length };
    }
    return undefined;
}

/** A link to the web; whatever else an address asks for, such as a script, is text. */
function linkOf(spans: readonly Span[], target: string): Span {
    if (isWebAddress(target)) return { kind: 'link', spans, target };
    return { kind: 'text', text: `${plainText(spans)} (${target})` };
}

export function isWebAddress(target: string): boolean {
    return /^https?:\/\/[^\s/]/u.test(target) && URL.canParse(target);
}

export function plainText(spans: readonly Span[]): string {
    return spans.map(span => ('text' in span ? span.text : plainText(span.spans))).join('');
}
