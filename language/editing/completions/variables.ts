import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import type { Completion } from '../completion.ts';
import { plain } from '../completion.ts';
import type { CompletionContext, OpenCall } from '../completion-context.ts';
import { lastClauseStartingAt, type OpenDocument } from '../open-document.ts';
import { predicateMeant } from '../predicates-named.ts';
import { isNamed } from '../signatures.ts';

/** The variables of the clause, those first that the rest of the clause binds. */
export function* variableCompletions(document: OpenDocument, offset: number, context: CompletionContext): Iterable<Completion> {
    for (const [name, bound] of variablesAround(document, offset, context)) {
        yield { label: name, kind: 'variable', insert: plain(name), rank: bound ? 0 : 2, ...(bound && { detail: 'bound' }) };
    }
}

/** Variables named after the column that the term fills, where the clause has none of this name. */
export function* termCompletions(
    document: OpenDocument,
    offset: number,
    context: CompletionContext,
    { name, index }: OpenCall,
): Iterable<Completion> {
    const predicate = predicateMeant(document.analysed, name, index + 1);
    const column = predicate?.columns[index];
    if (predicate === undefined || column === undefined || !isNamed(predicate, index)) return;
    const variable = variableNamed(column.name);
    if (variable === undefined || variablesAround(document, offset, context).has(variable)) return;
    yield { label: variable, kind: 'column', insert: plain(variable), rank: 1, detail: 'named after the column' };
}

/** The variable that has the name of a column as well as it can; nothing for a name without letters at its start. */
export function variableNamed(column: string): string | undefined {
    const word = column.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
    const name = word.charAt(0).toUpperCase() + word.slice(1);
    return /^[A-Z]\w*$/.test(name) && name.toLowerCase() !== 'null' ? name : undefined;
}

/** The variables of the clause, without the word at the offset, and whether an item binds them. */
function variablesAround(document: OpenDocument, offset: number, { start, range }: CompletionContext): ReadonlyMap<string, boolean> {
    const { clauses } = document.analysed.program;
    const clause = clauses[lastClauseStartingAt(clauses, start)];
    const end = clause === undefined ? offset : Math.max(offset, clause.place.offset + clause.span.end);
    const variables = new Map<string, boolean>();
    for (const mention of clauseMentions(document.text.slice(start, end))) {
        if (mention.kind !== 'variable') continue;
        if (start + mention.span.start === range.start && range.end > range.start) continue;
        const binds = mention.role === 'body' || mention.role === 'assigned';
        variables.set(mention.name, binds || variables.get(mention.name) === true);
    }
    return variables;
}
