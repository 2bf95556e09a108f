import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { THOROUGH } from '../support/thorough.ts';
import { until } from '../support/until.ts';
import { LanguageClient, type Message } from './language-client.ts';

interface Position {
    readonly line: number;
    readonly character: number;
}

const PIECES = [
    'p(X) <- q(X, Y), not r(Y).\n',
    'q(1, "a"). ',
    '@output("p").\n',
    '@bind("q", "csv useHeaders=true", "", "q.csv").\n',
    '% rulelang-ignore RL9001\n',
    'total(X, S) <- q(X, V), S = sum(V, <X>).\n',
    '"',
    '(',
    ')',
    '.',
    ',',
    '\r\n',
    '\n',
    '<- ',
    'X',
    '😀',
    '\u0000',
    '\ud83d',
    'e(X) <- SELECT a FROM t WHERE x = 1.\n',
    '[1, [2, {3}]]',
    '%% Documentation\n',
    '2031-02-30',
    '((((((((((((((((((',
];

const REQUESTS = [
    'hover',
    'completion',
    'signatureHelp',
    'definition',
    'declaration',
    'implementation',
    'typeDefinition',
    'inlineValue',
    'references',
    'documentHighlight',
    'prepareRename',
    'rename',
    'documentSymbol',
    'semanticTokens/full',
    'semanticTokens/full/delta',
    'semanticTokens/range',
    'foldingRange',
    'selectionRange',
    'codeLens',
    'codeAction',
    'documentLink',
    'formatting',
    'rangeFormatting',
    'rangesFormatting',
];

const ORIGIN: Position = { line: 0, character: 0 };
/** What is read in several turns. */
const LARGE = Array.from({ length: 5_000 }, (_, i) => `edge(${i}, ${i + 1}).\n`).join('');

/** CPU seconds that a request may take. Only a thorough run looks at them: a machine that does other things takes more for the same. */
const MOST = 1;
/** What is asked at the end of a session, and of a server that has never seen another text. */
const WHOLE = ['documentSymbol', 'semanticTokens/full', 'foldingRange', 'documentLink', 'codeLens'];

/**
 * Edits and questions at random places, some of which nobody waits for: no failure inside, no answer that points outside the document or into
 * a character, and none at the end that another server would not give.
 */
export async function randomSession(seed: number, steps: number): Promise<void> {
    const client = await LanguageClient.start({
        lenses: true,
        capabilities: { textDocument: { codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: [] } } } } },
    });
    const random = randomFrom(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const uri = client.uri('session.rulelang');
    let text = PIECES.slice(0, 6).join('');
    let version = 1;
    await client.open('session.rulelang', text);
    let isLargeOpen = false;
    const left: Promise<Message>[] = [];
    for (let step = 0; step < steps; step++) {
        if (random() < 0.4) {
            const start = placeIn(text, Math.floor(random() * (text.length + 1)));
            const end = placeIn(text, Math.min(text.length, start + (random() < 0.5 ? 0 : Math.floor(random() * 12))));
            const piece = text.length > 3000 ? '' : pick(PIECES);
            const range = { start: positionOf(text, start), end: positionOf(text, end) };
            client.notify('textDocument/didChange', {
                textDocument: { uri, version: ++version },
                contentChanges: [{ range, text: piece }],
            });
            text = text.slice(0, start) + piece + text.slice(end);
            continue;
        }
        if (random() < 0.03) {
            const large = { uri: client.uri('large.rulelang'), languageId: 'rulelang', version: 1, text: LARGE };
            client.notify(`textDocument/did${isLargeOpen ? 'Close' : 'Open'}`, { textDocument: large });
            isLargeOpen = !isLargeOpen;
            continue;
        }
        const method = pick(REQUESTS);
        if (random() < 0.1) {
            const about = { textDocument: { uri: random() < 0.5 ? uri : client.uri('large.rulelang') }, position: ORIGIN };
            const { id, answer } = client.ask(`textDocument/${random() < 0.5 ? 'documentSymbol' : 'hover'}`, about);
            if (random() < 0.7) client.notify('$/cancelRequest', { id });
            left.push(answer);
            continue;
        }
        const position = positionOf(text, placeIn(text, Math.floor(random() * (text.length + 1))));
        const range = { start: { line: 0, character: 0 }, end: position };
        const more = {
            newName: 'renamed',
            positions: [position],
            previousResultId: String(step),
            ranges: [range],
            options: {},
            context: { diagnostics: [], includeDeclaration: true, stoppedLocation: range },
        };
        const before = THOROUGH ? cpuSecondsOf(client.pid) : 0;
        const { result, error } = await client.ask(`textDocument/${method}`, { textDocument: { uri }, position, range, ...more }).answer;
        const used = THOROUGH ? cpuSecondsOf(client.pid) - before : 0;
        // Reading the other document goes on meanwhile.
        if (!isLargeOpen) expect(used, `seed ${seed}, step ${step}, ${method}\n${JSON.stringify(text)}`).toBeLessThan(MOST);
        if (error !== undefined && error.code !== -32803)
            throw new Error(`seed ${seed}, step ${step}, ${method}: ${error.message}\n${JSON.stringify(text)}`);
        for (const place of positionsIn(result))
            expect(isInside(text, place), `seed ${seed}, step ${step}, ${method}: ${JSON.stringify(place)}`).toBe(true);
    }
    // Cancelled, or about a text that has changed since.
    for (const { error } of await Promise.all(left)) expect([undefined, -32800, -32801]).toContain(error?.code);
    const log = client.received.filter(({ method }) => method === 'window/logMessage').map(({ params }) => params.message);
    expect(log, `seed ${seed}`).toEqual([]);
    const fresh = await LanguageClient.start({ lenses: true });
    await fresh.open('session.rulelang', text);
    let anew = 1;
    // The reader of SQL is loaded when a text needs it.
    await until(
        `seed ${seed}, the answers of another server about ${JSON.stringify(text)}`,
        async () => [await answersOf(client, ++version), await answersOf(fresh, ++anew)],
        ([one, other]) => isDeepStrictEqual(one, other),
    );
    expect(await client.stop()).toBe(0);
    expect(await fresh.stop()).toBe(0);
}

/** What a server says of the document after a change by nothing. */
async function answersOf(client: LanguageClient, version: number): Promise<object> {
    const uri = client.uri('session.rulelang');
    const diagnosed = client.diagnostics(uri, version);
    const contentChanges = [{ range: { start: ORIGIN, end: ORIGIN }, text: '' }];
    client.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    const { diagnostics } = await diagnosed;
    const answers: unknown[] = [];
    for (const method of WHOLE) {
        const { result } = await client.ask(`textDocument/${method}`, { textDocument: { uri } }).answer;
        answers.push(method === 'semanticTokens/full' ? result?.data : result);
    }
    return JSON.parse(JSON.stringify({ diagnostics, answers }).replaceAll(client.uri(''), 'FOLDER/'));
}

/** Not between the two characters of a line break: positions cannot say that; and not inside a character. */
function placeIn(text: string, offset: number): number {
    return (text[offset - 1] === '\r' && text[offset] === '\n') || splits(text, offset) ? offset - 1 : offset;
}

/** Whether a place is inside a character that takes two units of UTF-16. */
function splits(text: string, offset: number): boolean {
    return /[\ud800-\udbff]/.test(text[offset - 1] ?? '') && /[\udc00-\udfff]/.test(text[offset] ?? '');
}

function positionOf(text: string, offset: number): Position {
    const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
    return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

function isInside(text: string, { line, character }: Position): boolean {
    const content = text.split(/\r\n|\r|\n/)[line];
    return content !== undefined && character <= content.length && !splits(content, character);
}

/** Every position anywhere in an answer. */
function positionsIn(answer: unknown): Position[] {
    if (typeof answer !== 'object' || answer === null) return [];
    if ('line' in answer && 'character' in answer) return [answer as Position];
    return Object.values(answer).flatMap(positionsIn);
}

function randomFrom(seed: number): () => number {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** What a process has used of the processors; ticks of a hundredth. */
function cpuSecondsOf(pid: number): number {
    const [, user, system] =
        / \S (?:\S+ ){10}(\d+) (\d+) /.exec(fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(')').at(-1) ?? '') ?? [];
    return (Number(user) + Number(system)) / 100;
}

/** Bytes of memory that a process holds. */
export function memoryOf(pid: number): number {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
}
