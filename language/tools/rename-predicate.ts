import type { Clause } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { renameTable } from '#language/sql/rename-table.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';

interface Change {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

/**
 * The program with another name for a predicate: in heads, bodies and annotations, and for the table of that name in its SQL.
 * Other strings, and comments, stay as they are.
 */
export function renamePredicate(text: string, from: string, to: string): string {
    const changes = readProgram(text, '').value.clauses.flatMap(clause => [...changesIn(clause, text, from, to)]);
    let renamed = text;
    for (const { start, end, text: by } of changes.sort((a, b) => b.start - a.start))
        renamed = renamed.slice(0, start) + by + renamed.slice(end);
    return renamed;
}

function* changesIn(clause: Clause, text: string, from: string, to: string): Iterable<Change> {
    const base = clause.place.offset;
    const query = queryOf(clause);
    if (query !== undefined) {
        const [start, end] = [base + query.start, base + query.end];
        yield { start, end, text: renameTable(text.slice(start, end), from, to) };
    }
    const written = text.slice(base + clause.span.start, base + clause.span.end);
    for (const mention of clauseMentions(written)) {
        // What may be a name in a query has been read as SQL above.
        if (mention.kind !== 'predicate' || mention.name !== from || mention.role.startsWith('query')) continue;
        const { start, end } = mention.span;
        yield { start: base + clause.span.start + start, end: base + clause.span.start + end, text: to };
    }
}

/** Where the SQL of a clause stands: a body, or what is between the quotes of a relation function's input. */
function queryOf(clause: Clause): { readonly start: number; readonly end: number } | undefined {
    if (clause.kind !== 'rule') return undefined;
    const { body } = clause;
    if (body.kind === 'query') return body.language === 'sql' ? body.span : undefined;
    if (body.kind !== 'relation-function' || body.call.input.kind !== 'query') return undefined;
    const { start, end } = body.call.input.span;
    return { start: start + 1, end: end - 1 };
}
