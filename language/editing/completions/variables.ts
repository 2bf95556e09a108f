import { lastClauseStartingAt, type OpenDocument } from '#language/document/open-document.ts';
import type { ComparisonClass } from '#language/library/comparison-class.ts';
import { capitalised } from '#language/program/capitalised.ts';
import { say } from '#language/program/say.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import type { Completion } from '../completion.ts';
import { plain } from '../completion.ts';
import type { CompletionContext, OpenCall } from '../completion-context.ts';
import { predicateMeant } from '../predicates-named.ts';
import { isNamed } from '../signatures.ts';
import { columnClass, variableClasses, variableTerms } from './variable-types.ts';

/** Facts about the value at the offset, as far as they are known. */
interface Wanted {
    readonly class?: ComparisonClass | undefined;
    /** A variable that stands there already, on the other side of a comparison. */
    readonly other?: string | undefined;
    /** A term of a body atom: it may bind what the head still lacks. */
    readonly binds?: boolean;
}

/** Describes the value of the atom's term, or of the comparison's side, at the offset. */
export function wantedAt(document: OpenDocument, offset: number, context: CompletionContext): Wanted {
    const { place, start, range } = context;
    if (place.kind === 'term') {
        return { class: columnClass(document.analysed, place.call.name, place.call.index), binds: place.section === 'body' };
    }
    const [, other, number, text] = COMPARED.exec(document.text.slice(Math.max(start, range.start - 500), range.start)) ?? [];
    if (number !== undefined) return { class: 'number' };
    if (text !== undefined) return { class: 'string' };
    return other === undefined
        ? {}
        : { other, class: variableClasses(document.analysed, clauseAround(document, offset, context)).get(other) };
}

const COMPARED = /(?:(\b[A-Z]\w*)|(\b\d[\d.]*)|("[^"\n]*"))\s*(?:<=|>=|==|!=|<>|<|>)\s*$/u;

/** The variables of the clause that fit the place, those first that the rest of the clause binds, in a body atom those that the head lacks. */
export function* variableCompletions(
    document: OpenDocument,
    offset: number,
    context: CompletionContext,
    wanted: Wanted,
): Iterable<Completion> {
    const classes = variableClasses(document.analysed, clauseAround(document, offset, context));
    for (const [name, bound] of variablesAround(document, offset, context)) {
        const own = classes.get(name);
        if (name === wanted.other || (own !== undefined && wanted.class !== undefined && own !== wanted.class)) continue;
        const rank = bound ? 0 : wanted.binds ? -1 : 2;
        const detail = bound ? say`bound` : wanted.binds ? say`not bound yet` : undefined;
        yield { label: name, kind: 'variable', insert: plain(name), rank, ...(detail !== undefined && { detail }) };
    }
}

/** The first atom of the clause in which a variable is a term, with the place of the term. */
export function callOfVariable(document: OpenDocument, offset: number, context: CompletionContext, variable: string): OpenCall | undefined {
    for (const term of variableTerms(clauseAround(document, offset, context))) {
        if (term.variable === variable && predicateMeant(document.analysed, term.name, term.index + 1) !== undefined) return term;
    }
    return undefined;
}

/** The variables of the clause that no item binds yet. */
export function unboundAround(document: OpenDocument, offset: number, context: CompletionContext): ReadonlySet<string> {
    return new Set([...variablesAround(document, offset, context)].flatMap(([name, bound]) => (bound ? [] : [name])));
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
    yield { label: variable, kind: 'column', insert: plain(variable), rank: 1, detail: say`named after the column` };
}

/** The variable that has the name of a column as well as it can; nothing for a name without letters at its start. */
export function variableNamed(column: string): string | undefined {
    const word = column.replace(/[^A-Za-z0-9_]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());
    const name = capitalised(word);
    return /^[A-Z]\w*$/.test(name) && name.toLowerCase() !== 'null' ? name : undefined;
}

/** The text of the clause at the offset, at least up to it. */
function clauseAround(document: OpenDocument, offset: number, { start }: CompletionContext): string {
    const { clauses } = document.analysed.program;
    const clause = clauses[lastClauseStartingAt(clauses, start)];
    const end = clause === undefined ? offset : Math.max(offset, clause.place.offset + clause.span.end);
    return document.text.slice(start, end);
}

/** The variables of the clause, without the word at the offset, and whether an item binds them. */
function variablesAround(document: OpenDocument, offset: number, context: CompletionContext): ReadonlyMap<string, boolean> {
    const { start, range } = context;
    const variables = new Map<string, boolean>();
    for (const mention of clauseMentions(clauseAround(document, offset, context))) {
        if (mention.kind !== 'variable') continue;
        if (start + mention.span.start === range.start && range.end > range.start) continue;
        const binds = mention.role === 'body' || mention.role === 'assigned';
        variables.set(mention.name, binds || variables.get(mention.name) === true);
    }
    return variables;
}
