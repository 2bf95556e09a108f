import { withForm } from '#language/problems/catalogue.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { afterBlanks, ownText } from './characters.ts';
import { clauseProblem } from './clause-problem.ts';
import { withForeignCall } from './foreign-calls.ts';
import { withForeignForm } from './foreign-forms.ts';
import { withFreshHelpers } from './helper-predicates.ts';
import { withModuloRemedy } from './modulo-remedy.ts';
import { parseClause } from './parse-clause.ts';
import { type ClauseProblem, type ParsedClause, placedClause } from './parsed-clause.ts';
import type { ClauseSlice } from './split-clauses.ts';

/** A clause and what reading it found wrong. */
export interface ReadClause {
    readonly clause: Clause;
    readonly problems: readonly Problem[];
}

/** Clauses by their texts, as read before. */
export type KnownTexts = Map<string, ParsedClause>;

/** The clause that a slice of a text is. */
export function readClause(slice: ClauseSlice, text: string, known: KnownTexts): ReadClause {
    const { place, documentation, fact } = slice;
    const touching = touchesBefore(slice, text) ? [{ ...clauseProblem('RL9012', { start: 0, end: 1 }), place }] : NONE;
    if (fact !== undefined) return { clause: documentation === undefined ? fact : { ...fact, documentation }, problems: touching };
    const { content, problems } = parsedClause(slice, text, known);
    const clause = placedClause(content, place, documentation);
    if (problems.length === 0) return { clause, problems: touching };
    const placed = problems.map(problem => ({ ...problem, place }));
    return { clause, problems: content.kind === 'broken' || touching.length === 0 ? placed : [...touching, ...placed] };
}

/**
 * Reads a clause. Rules and broken clauses of the same text share the result. Facts and annotations do not, because analysis identifies
 * their terms by object.
 */
function parsedClause({ place, end, last }: ClauseSlice, text: string, known: KnownTexts): ParsedClause {
    const written = text.slice(place.offset, end);
    // What a comment behind it says about a clause, it says about no other.
    const standsAlone = !last && text.charAt(afterBlanks(text, end)) !== '%';
    const before = standsAlone ? known.get(written) : undefined;
    if (before !== undefined) return before;
    const source = ownText(written);
    const { content, problems } = parseClause(source, last);
    const parsed = { content, problems: distinct(problems.map(problem => withRemedies(problem, source, text, end))) };
    if (standsAlone && (content.kind === 'rule' || content.kind === 'broken')) known.set(source, parsed);
    return parsed;
}

/** Adds remedies for text that reads otherwise than it was meant, and for forms of other languages. */
function withRemedies(problem: ClauseProblem, clause: string, text: string, end: number): ClauseProblem {
    return withForeignCall(withForeignForm(withModuloRemedy(problem, clause, text, end), clause), clause);
}

/** A form of another language that several problems lie in is one problem. */
function distinct(problems: readonly ClauseProblem[]): readonly ClauseProblem[] {
    if (problems.length < 2) return problems;
    const keyOf = ({ code, span }: ClauseProblem): string => `${code} ${span.start} ${span.end}`;
    const firsts = new Map(problems.map(problem => [keyOf(problem), problem] as const).reverse());
    return problems.filter(problem => firsts.get(keyOf(problem)) === problem);
}

/** No blank stands between the clause and the dot of the one before it. */
export function touchesBefore({ place }: ClauseSlice, text: string): boolean {
    return text.charAt(place.offset - 1) === '.';
}

const NONE: readonly Problem[] = [];

/** Merges the problems of reading clauses into those of the whole text. */
export function problemsOfText(problems: readonly Problem[], text: string): readonly Problem[] {
    return withPredicates(withParameters(withFreshHelpers(withOneTemporalProblem(problems), text), text), text);
}

/** A bare word may be one of the parameters that the text declares. */
function withParameters(problems: readonly Problem[], text: string): readonly Problem[] {
    if (problems.every(({ code }) => code !== 'RL0046')) return problems;
    const declarations = text.matchAll(/@param\(\s*"(\w+)"|^([a-z]\w*)[ \t]*(?::=|=|<-)[ \t]*["'\d[-]/gmu);
    const declared = new Set(Array.from(declarations, ([, name, assigned]) => name ?? assigned));
    return problems.map(problem => {
        const { offset } = problem.place;
        const name = text.slice(offset + problem.span.start, offset + problem.span.end);
        return problem.code === 'RL0046' && declared.has(name) ? withForm(problem, `?${name}`) : problem;
    });
}

/** A bare word in the place of rows, or a star in the place of columns, where the text shows how many columns its predicate has. */
function withPredicates(problems: readonly Problem[], text: string): readonly Problem[] {
    if (problems.every(({ code, suggestion }) => suggestion?.kind === 'form' || (code !== 'RL0046' && code !== 'RL0048'))) return problems;
    const columns = new Map<string, number>();
    for (const [, name = '', terms = ''] of text.matchAll(/\b([a-z]\w*)\(([^()*]*)\)/gu))
        if (!columns.has(name)) columns.set(name, terms.trim() === '' ? 0 : terms.split(',').length);
    return problems.map(problem => {
        const { place, span, code, suggestion } = problem;
        if (suggestion?.kind === 'form' || (code !== 'RL0046' && code !== 'RL0048')) return problem;
        const start = place.offset + span.start;
        const end = place.offset + span.end;
        const name = /^[a-z]\w*/u.exec(text.slice(start, Math.min(end, start + LONGEST_NAME)))?.[0] ?? '';
        const count = columns.get(name);
        if (count === undefined) return problem;
        if (code === 'RL0048') return text.charAt(end - 2) === '*' ? withForm(problem, atom(name, [], count)) : problem;
        const member = /\b([A-Z]\w*)\s+in\s+$/u.exec(text.slice(Math.max(place.offset, start - LONGEST_NAME), start));
        const whole = member && { ...problem, span: { start: span.start - member[0].length, end: span.end } };
        return whole === null ? problem : withForm(whole, atom(name, [member?.[1] ?? ''], count));
    });
}

function atom(name: string, terms: readonly string[], columns: number): string {
    return `${name}(${[...terms, ...Array.from({ length: Math.max(columns - terms.length, 0) }, () => '_')].join(', ')})`;
}

/** Longer names are not looked at. */
const LONGEST_NAME = 100;

/** Interval facts are not a part of the language; saying so once per file is enough (8.13). */
function withOneTemporalProblem(problems: readonly Problem[]): readonly Problem[] {
    const first = problems.find(problem => problem.code === 'RL6002');
    return first === undefined ? problems : problems.filter(problem => problem.code !== 'RL6002' || problem === first);
}
