import { rangeOf } from '#language/document/open-document.ts';
import { type AtomAt, atomAt } from '#language/editing/atom-at.ts';
import { predicateFacets } from '#language/editing/predicate-card.ts';
import { ruleAtoms } from '#language/editing/rule-atoms.ts';
import { predicateSignature } from '#language/editing/signatures.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import type { Clause } from '#language/program/program.ts';
import { printType } from '#language/program/types.ts';
import type { CursorFacts } from '#server/protocol/cursor.ts';
import { isBefore } from '#server/protocol/runs.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { figuresSentence, figuresText } from './atom-figures.ts';
import type { LanguageServer } from './language-server.ts';
import { sourceAges } from './source-ages.ts';

type PredicateFacts = Omit<CursorFacts, 'atoms' | 'problems'>;

/** Collects what is known of the predicate at an offset, and what runs have found of its clause. */
export async function cursorFacts(server: LanguageServer, document: EditorDocument, offset: number): Promise<CursorFacts | null> {
    const found = atomAt(document.program, offset);
    if (found === undefined) return null;
    const { predicate, clause } = found;
    // The text may be another one when the run has answered.
    const beside = { atoms: countedAtoms(server, document, [clause], offset), problems: foundProblems(server, document, found) };
    return { ...(await predicateFacts(server, document, predicate)), ...beside };
}

/** Collects what is known of a predicate: its signature, its rows in the last run, the age of its sources. */
export async function predicateFacts(server: LanguageServer, document: EditorDocument, predicate: Predicate): Promise<PredicateFacts> {
    document.freshenSources();
    const { key, name, arity, columns } = predicate;
    const run = server.sizes.of(document.uri);
    const rows = run?.rows.get(key);
    const about = predicateFacets(document.program.analysed, predicate).join(' · ');
    const sources = sourceAges(document, run, predicate);
    const first = rows === undefined ? undefined : await run?.first(key);
    return {
        name,
        arity,
        signature: predicateSignature(predicate).label,
        about,
        columns: columns.map((column, i) => {
            const unknown = first?.unknown[i];
            return { name: column.name, type: printType(column.type), ...(unknown !== undefined && { unknown }) };
        }),
        ...(run !== undefined && rows !== undefined && { run: { rows, stale: run.stale, first: first?.cells ?? [] } }),
        sources,
    };
}

/** The atoms of some rules as the last profiled run counted them. */
export function countedAtoms(
    { problems }: LanguageServer,
    document: EditorDocument,
    clauses: readonly Clause[],
    offset?: number,
): CursorFacts['atoms'] {
    const figures = new Map(problems.atomsOf(document.uri).map(atom => [atom.start, atom]));
    if (figures.size === 0) return [];
    return clauses.flatMap(clause =>
        [...ruleAtoms(document.program, rangeOf(clause))].flatMap(({ range, part }) => {
            const counted = part === 'body' ? figures.get(range.start) : undefined;
            if (counted === undefined) return [];
            return [
                {
                    text: document.text.slice(range.start, range.end).replace(/\s+/gu, ' '),
                    figures: figuresText(counted),
                    sentence: figuresSentence(counted),
                    uri: document.uri,
                    range: document.rangeOf(range),
                    here: offset !== undefined && range.start <= offset && offset <= range.end,
                },
            ];
        }),
    );
}

function foundProblems({ problems }: LanguageServer, document: EditorDocument, { clause }: AtomAt): CursorFacts['problems'] {
    const own = document.rangeOf(rangeOf(clause));
    return problems
        .of(document.uri)
        .filter(({ range }) => isBefore(own.start, range.end) && isBefore(range.start, own.end))
        .map(({ message, range }) => ({ message: typeof message === 'string' ? message : message.value, uri: document.uri, range }));
}
