import type { Clause, Expression, Item, Rule } from '#language/program/program.ts';
import { placedAnnotationsOf } from './annotation-arguments.ts';
import { parametersOfClause } from './parameters.ts';
import type { ParameterUse, PlacedAnnotation } from './program-facts.ts';
import { type QueryOf, searchedCollections, searchedStore, wholeInputs } from './queries.ts';
import { JOINING } from './read-items.ts';

/** Facts about one clause that the rest of a program may need. A function of the clause alone. */
export interface ClauseSummary {
    readonly annotations: readonly PlacedAnnotation[];
    readonly parameterUses: readonly ParameterUse[];
    /** Names of body items that are atoms if the program has a predicate of that name, and what is read whole. */
    readonly asked: readonly string[];
    /** The predicates that a relation function or a query reads, or a call searches. */
    readonly reads: readonly string[];
    /** Words of embedded queries, of inputs of relation functions and of calls that operators join, which may name predicates. */
    readonly words: readonly string[];
    /** Predicates that a clause with a syntax error seems to define or use. */
    readonly mentions: readonly string[];
    /** The text after `@deprecated` in its documentation. */
    readonly deprecated: string | undefined;
}

const NONE: readonly never[] = [];

const NOTHING: ClauseSummary = {
    annotations: NONE,
    parameterUses: NONE,
    asked: NONE,
    reads: NONE,
    words: NONE,
    mentions: NONE,
    deprecated: undefined,
};

export function clauseSummary(clause: Clause, queryOf: QueryOf): ClauseSummary {
    const deprecated = clause.documentation === undefined ? undefined : DEPRECATED.exec(clause.documentation)?.[1]?.trim();
    const parameterUses = parametersOfClause(clause);
    const plain = deprecated === undefined && parameterUses.length === 0 && clause.annotations.length === 0;
    if (plain && clause.kind === 'fact') return NOTHING;
    const { asked, reads, words } = clause.kind === 'rule' ? mentionedIn(clause, queryOf) : NOTHING;
    const mentions = clause.kind === 'broken' ? [...new Set(clause.mentions)] : NONE;
    return { annotations: placedAnnotationsOf(clause), parameterUses, asked, reads, words, mentions, deprecated };
}

const DEPRECATED = /^[ \t]*@deprecated\b[ \t]*(.*)/mu;

function mentionedIn(rule: Rule, queryOf: QueryOf): Pick<ClauseSummary, 'asked' | 'reads' | 'words'> {
    const { body } = rule;
    const reads = wholeInputs(rule, queryOf);
    switch (body.kind) {
        case 'items': {
            const joining = body.items.filter(item => item.kind === 'expression' && item.expression.kind !== 'call');
            const searched = searchedCollections(rule);
            return { asked: [...namesIn(body.items), ...searched], reads: searched, words: namesIn(joining) };
        }
        case 'query': {
            const searched = searchedStore(body);
            return { asked: searched === undefined ? reads : [...reads, searched.name], reads, words: wordsIn(body.text) };
        }
        case 'relation-function':
            return { asked: reads, reads, words: wordsIn(body.call.input.text) };
        case 'script':
            return NOTHING;
    }
}

function namesIn(items: readonly Item[]): readonly string[] {
    if (items.length === 0) return NONE;
    const names = new Set<string>();
    for (const item of items) addNames(item, names);
    return names.size === 0 ? NONE : [...names];
}

function wordsIn(text: string): string[] {
    return [...new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/gu) ?? [])];
}

function addNames(item: Item, names: Set<string>): void {
    switch (item.kind) {
        case 'atom':
            names.add(item.atom.predicate);
            return;
        case 'expression':
            addCalls(item.expression, names);
            return;
        case 'domain':
            return;
    }
}

/** Calls at the top of an item, behind its `!` or between operators that do not join atoms. */
function addCalls(expression: Expression, names: Set<string>): void {
    if (expression.kind === 'call') names.add(expression.name);
    else if (expression.kind === 'unary') addCalls(expression.operand, names);
    else if (expression.kind === 'binary' && expression.operator === '=') addCalls(expression.right, names);
    else if (expression.kind === 'binary' && JOINING.has(expression.operator)) {
        addCalls(expression.left, names);
        addCalls(expression.right, names);
    }
}
