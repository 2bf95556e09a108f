import { MarkupKind } from 'vscode-languageserver/node';
import { hoverCard } from '#language/editing/hover-card.ts';
import { escapedText, inlineCode, table } from '#language/editing/markdown.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { aboutPlace } from '../answer.ts';
import { atOnce } from '../at-once.ts';
import { figuresSentence } from '../atom-figures.ts';
import { cellExample } from '../cell-example.ts';
import type { Feature, LanguageServer } from '../language-server.ts';
import { rowsText } from '../run-sizes.ts';
import { sourceAges } from '../source-ages.ts';

/** Columns that a card has room for. */
const COLUMNS = 8;

/**
 * Describes the thing under the pointer. For a predicate it adds how old its sources are, what came to the atom in a profiled run, and the
 * last run's rows: their number, the first ones, and the number of unknown values.
 */
export const hover: Feature = {
    capabilities: () => ({ hoverProvider: true }),
    register: server => {
        const card = aboutPlace(server, 'textDocument/hover', (document, offset) => {
            document.freshenSources();
            const found = hoverCard(document.program, offset, document.tablesOf);
            if (found === undefined) return undefined;
            const { range, predicate, markdown } = found;
            const beside =
                predicate === undefined ? [] : [...agesOf(server, document, predicate), ...figuresAt(server, document, range.start)];
            return { paragraphs: [markdown, ...beside], predicate, range: document.rangeOf(range) };
        });
        server.connection.onHover(async (params, token) => {
            const found = await card(params, token);
            if (found === null) return null;
            const { paragraphs, range, predicate } = found;
            const rows = predicate === undefined ? [] : await rowsOf(server, params.textDocument.uri, predicate);
            return { contents: { kind: MarkupKind.Markdown, value: [...paragraphs, ...rows].join('\n\n') }, range };
        });
    },
};

/** As Markdown; a run that does not answer at once is not waited for. */
async function rowsOf({ sizes }: LanguageServer, uri: string, predicate: PredicateKey): Promise<string[]> {
    const run = sizes.of(uri);
    const count = rowsText(run, predicate);
    if (run === undefined || count === undefined) return [];
    const last = say`Last run: ${count}`;
    const first = await atOnce(run.first(predicate));
    if (first === undefined || first.cells.length === 0) return [last];
    const more = first.columns.length > COLUMNS ? ['…'] : [];
    const shown = <T>(all: readonly T[], text: (one: T) => string): string[] => [...all.slice(0, COLUMNS).map(text), ...more];
    const rows = first.cells.map(row => shown(row, cell => escapedText(cellExample(cell))));
    const nulls = first.columns.slice(0, COLUMNS).flatMap((name, column) => {
        const number = first.unknown[column] ?? 0;
        return number === 0 ? [] : [`${escapedText(name)} ${countText(number)}`];
    });
    return [
        last,
        table(shown(first.columns, escapedText), rows),
        ...(nulls.length === 0 ? [] : [say`Unknown values: ${nulls.join(', ')}`]),
    ];
}

/** How old the sources of a predicate are, one line for each. */
function agesOf({ sizes }: LanguageServer, document: EditorDocument, key: PredicateKey): string[] {
    const predicate = document.program.analysed.predicates.get(key);
    if (predicate === undefined) return [];
    return sourceAges(document, sizes.of(document.uri), predicate, inlineCode).map(({ text, changed }) => (changed ? `**${text}**` : text));
}

function figuresAt({ problems }: LanguageServer, { uri }: EditorDocument, start: number): string[] {
    return problems
        .atomsOf(uri)
        .filter(atom => atom.start === start)
        .map(figuresSentence);
}
