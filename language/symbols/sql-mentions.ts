import type { Span } from '#language/program/span.ts';
import { type SqlPart, sourceNamed, sourcesOf, sqlOutline } from '#language/sql/sql-outline.ts';
import type { Mention } from './mention.ts';

/** Yields the mentions in a SQL query. `spanIn` maps a part of its text to the place in the clause. */
export function* sqlMentions(text: string, spanIn: (span: Span) => Span): Iterable<Mention> {
    for (const part of sqlOutline(text).parts) {
        // Parameters are those of the program.
        if (part.kind === 'parameter') continue;
        if (part.kind === 'table') {
            yield { kind: 'predicate', name: part.name, span: spanIn(nameSpan(part)), role: 'query' };
            continue;
        }
        const numbered = part.kind === 'column' ? numberedTable(part) : undefined;
        if (numbered !== undefined) {
            const { start } = nameSpan(part);
            yield { kind: 'predicate', name: numbered, span: spanIn({ start, end: start + numbered.length }), role: 'query-column' };
        }
        const definition = part.isDefinition ? undefined : part.source;
        yield { kind: 'sql', part, span: spanIn(part), ...(definition && { definition: spanIn(definition) }) };
    }
}

/** Without the quotes around it. */
function nameSpan({ name, start, end }: SqlPart): Span {
    return end - start === name.length + 2 ? { start: start + 1, end: end - 1 } : { start, end };
}

/** The table of a column that is called by its number. */
function numberedTable({ name, scope, qualifier }: SqlPart): string | undefined {
    const table = /^(.+)_\d+$/u.exec(name)?.[1];
    if (table === undefined) return undefined;
    const source = qualifier === undefined ? undefined : sourceNamed(scope, qualifier);
    const sources = qualifier === undefined ? sourcesOf(scope) : source === undefined ? [] : [source];
    return sources.some(one => one.table === table) ? table : undefined;
}
