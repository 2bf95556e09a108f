import { setTimeout } from 'node:timers/promises';
import { MarkupKind } from 'vscode-languageserver/node';
import { bindKey } from '#language/analysis/binds.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { escapedText, inlineCode, table } from '#language/editing/markdown.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Cell } from '#server/protocol/runs.ts';
import { aboutPlace } from '../answer.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import { rowsText } from '../run-sizes.ts';

/** Rows of the last run that a card shows, and the milliseconds for which it waits for them. */
const ROWS = 5;
const WAIT = 300;
/** Characters of a value, and columns, that a card has room for. */
const WIDEST = 40;
const COLUMNS = 8;

/**
 * Describes the thing under the pointer. For a predicate it adds how fresh its files are, and the last run's rows: their number, the first
 * ones, and the number of unknown values.
 */
export const hover: Feature = {
    capabilities: () => ({ hoverProvider: true }),
    register: server => {
        const card = aboutPlace(server, 'textDocument/hover', (document, offset) => {
            document.freshenSources();
            const found = hoverCard(document.program, offset, document.tablesOf);
            return found && { ...found, range: document.rangeOf(found.range) };
        });
        server.connection.onHover(async (params, token) => {
            const found = await card(params, token);
            if (found === null) return null;
            const { markdown, range, predicate } = found;
            const { uri } = params.textDocument;
            const more = predicate === undefined ? [] : [...filesOf(server, uri, predicate), ...(await rowsOf(server, uri, predicate))];
            return { contents: { kind: MarkupKind.Markdown, value: [markdown, ...more].join('\n\n') }, range };
        });
    },
};

/** As Markdown; a run that does not answer at once is not waited for. */
async function rowsOf({ sizes }: LanguageServer, uri: string, predicate: PredicateKey): Promise<string[]> {
    const run = sizes.of(uri);
    const count = rowsText(run, predicate);
    if (run === undefined || count === undefined) return [];
    const last = say`Last run: ${count}`;
    const first = await atOnce(run.first(predicate, ROWS));
    if (first === undefined || first.rows.length === 0) return [last];
    const more = first.columns.length > COLUMNS ? ['…'] : [];
    const shown = <T>(all: readonly T[], text: (one: T) => string): string[] => [...all.slice(0, COLUMNS).map(text), ...more];
    const rows = first.rows.map(row => shown(row, cellText));
    const unknown = await atOnce(first.nulls());
    const nulls = first.columns.flatMap((name, column) => {
        const number = unknown?.[column] ?? 0;
        return number === 0 ? [] : [`${escapedText(name)} ${countText(number)}`];
    });
    return [
        last,
        table(shown(first.columns, escapedText), rows),
        ...(nulls.length === 0 ? [] : [say`Unknown values: ${nulls.join(', ')}`]),
    ];
}

/** An answer, unless it takes longer than a pointer rests. */
async function atOnce<T>(answer: Promise<T>): Promise<T | undefined> {
    const waiting = new AbortController();
    const late = setTimeout(WAIT, undefined, waiting).catch(() => undefined);
    const first = await Promise.race([answer, late]);
    waiting.abort();
    return first;
}

/** How fresh the files of a predicate are, one line for each. */
function filesOf({ documents, sizes }: LanguageServer, uri: string, key: PredicateKey): string[] {
    const document = documents.get(uri);
    const run = sizes.of(uri);
    return (document?.program.analysed.predicates.get(key)?.inputBinds ?? []).flatMap(bind => {
        const now = document?.stampOf(bind);
        const changed = now === undefined ? undefined : /^\d+ (\d+)$/u.exec(now)?.[1];
        if (changed === undefined) return [];
        const moment = momentText(new Date(Number(BigInt(changed) / 1_000_000n)));
        const file = inlineCode(bind.inner === '' ? bind.outer : bind.inner);
        const read = run?.stamps.get(bindKey(bind));
        if (read === undefined) return [say`${file} is of ${moment}`];
        return [
            read === now
                ? say`${file} is of ${moment}; the last run read it so`
                : say`${file} is of ${moment}, **after the last run read it**`,
        ];
    });
}

/** `2026-05-12 10:03`, where the user is. */
function momentText(moment: Date): string {
    const two = (number: number): string => String(number).padStart(2, '0');
    const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
    return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

function cellText(cell: Cell): string {
    const text = typeof cell === 'string' ? cell : 'null' in cell ? cell.null : `${cell.text}…`;
    const characters = [...text.replace(/\s+/gu, ' ')];
    const shown = characters.length > WIDEST ? `${characters.slice(0, WIDEST).join('')}…` : characters.join('');
    return escapedText(shown);
}
