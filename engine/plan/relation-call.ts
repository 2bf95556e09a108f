import { isGraphFunction } from '#language/library/relation-options.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { MIXED } from '#language/program/types.ts';
import type { PlanCall, PlanRelation } from './plan.ts';

/** The internal relation that holds the answer of the relation function or the query in a rule. */
export function answerKey(rule: AnalysedRule): PredicateKey {
    return `answer of rule ${rule.index}` as PredicateKey;
}

/** The answer of the relation function or the query in a rule, with one column for each of its head; undefined for other rules. */
export function answerRelation(program: AnalysedProgram, rule: AnalysedRule): PlanRelation | undefined {
    const call = callIn(rule);
    const [head] = rule.heads;
    const predicate = head && program.predicates.get(head.predicate);
    if (call === undefined || predicate === undefined) return undefined;
    return {
        key: answerKey(rule),
        arity: predicate.arity,
        columns: predicate.columns.map((_, column) => ({ name: `c_${column}`, type: MIXED, cast: false })),
        predicate,
        internal: true,
        level: 'predicates',
        call,
    };
}

function callIn({ rule, reads, tables }: AnalysedRule): PlanCall | undefined {
    const { body, place } = rule;
    if (body.kind === 'query') {
        return tables && { function: 'SQL', text: body.text, tables, location: { place, span: body.span } };
    }
    const [input] = reads;
    if (body.kind !== 'relation-function' || input === undefined) return undefined;
    const { name, options, span } = body.call;
    if (!isGraphFunction(name) && name !== 'LLM') return undefined;
    return { function: name, input, ...(options === undefined ? {} : { options }), location: { place, span } };
}

/**
 * A rule with a relation function or a query as one that reads its answer with an atom like its head, so that constants filter. A
 * column behind `_` gets a variable of its own. Other rules stay as they are.
 */
export function readingAnswer(rule: AnalysedRule): AnalysedRule {
    if (rule.rule.body.kind !== 'relation-function' && rule.tables === undefined) return rule;
    const heads = rule.heads.map(withoutAnonymous);
    const literals = heads.slice(0, 1).map(({ atom }) => ({ atom, predicate: answerKey(rule), negated: false, afterAggregation: false }));
    return { ...rule, heads, literals, bound: new Set(literals.flatMap(({ atom }) => atom.arguments.flatMap(variablesOf))) };
}

function withoutAnonymous(head: ResolvedAtom): ResolvedAtom {
    const terms = head.atom.arguments.map((term, column) =>
        term.kind === 'anonymous' ? ({ kind: 'variable', name: `_${column}`, span: term.span } as const) : term,
    );
    return { ...head, atom: { ...head.atom, arguments: terms } };
}
