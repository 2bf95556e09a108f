import { spanInSql, sqlOf } from '#language/program/embedded-sql.ts';
import type { Clause } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { tableEdits } from '#language/sql/rename-table.ts';
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
    const query = clause.kind === 'rule' ? sqlOf(clause) : undefined;
    if (query !== undefined) {
        for (const edit of tableEdits(query.text, from, to)) {
            const { start, end } = spanInSql(query, edit);
            // A double quote would end the string of a relation function.
            yield { start: base + start, end: base + end, text: isBody(clause) ? edit.text : edit.text.replaceAll('"', '`') };
        }
    }
    const written = text.slice(base + clause.span.start, base + clause.span.end);
    for (const mention of clauseMentions(written)) {
        // What may be a name in a query has been read as SQL above.
        if (mention.kind !== 'predicate' || mention.name !== from || mention.role.startsWith('query')) continue;
        const { start, end } = mention.span;
        yield { start: base + clause.span.start + start, end: base + clause.span.start + end, text: to };
    }
}

function isBody(clause: Clause): boolean {
    return clause.kind === 'rule' && clause.body.kind === 'query';
}
