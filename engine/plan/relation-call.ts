import { isGraphFunction } from '#language/library/relation-options.ts';
import { inputColumns } from '#language/library/relation-question.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { sqlOf } from '#language/program/embedded-sql.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Body, RelationCall } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import type { GraphCall, ModelCall, PlanCall, PlanRelation, QueryCall, ScriptCall } from './plan.ts';

/** The internal relation that holds the answer of the relation function, the query or the script in a rule. */
export function answerKey(rule: AnalysedRule): PredicateKey {
    return `answer of rule ${rule.index}` as PredicateKey;
}

/** The internal relation that holds the result of the query which the relation function of a rule reads. */
function inputKey(rule: AnalysedRule): PredicateKey {
    return `query of rule ${rule.index}` as PredicateKey;
}

/** The relation that the relation function of a rule reads; undefined for other rules. */
export function inputOf(rule: AnalysedRule): PredicateKey | undefined {
    if (rule.rule.body.kind !== 'relation-function') return undefined;
    return queryIn(rule) === undefined ? rule.reads[0] : inputKey(rule);
}

/**
 * The answer of the relation function, the query or the script in a rule, with one column for each of its head, behind the result of
 * the query that the relation function reads; none for other rules.
 */
export function answerRelations(program: AnalysedProgram, rule: AnalysedRule): readonly PlanRelation[] {
    const { body } = rule.rule;
    const [head] = rule.heads;
    const predicate = head && program.predicates.get(head.predicate);
    if (predicate === undefined) return [];
    const relation = (key: PredicateKey, arity: number, call: PlanCall): PlanRelation => ({
        key,
        arity,
        columns: Array.from({ length: arity }, (_, column) => ({ name: `c_${column}`, type: MIXED, cast: false })),
        predicate,
        internal: true,
        level: 'predicates',
        call,
    });
    if (body.kind === 'script') return [relation(answerKey(rule), predicate.arity, scriptIn(body, rule))];
    const query = queryIn(rule);
    if (body.kind !== 'relation-function') return query === undefined ? [] : [relation(answerKey(rule), predicate.arity, query)];
    const input = inputOf(rule);
    const call = input && callOf(body.call, input, rule);
    if (call === undefined) return [];
    const answer = relation(answerKey(rule), predicate.arity, call);
    if (query === undefined) return [answer];
    const least = call.function === 'LLM' ? 1 : inputColumns(call.function);
    return [relation(inputKey(rule), rule.width ?? least, query), answer];
}

function queryIn({ rule, tables }: AnalysedRule): QueryCall | undefined {
    const sql = sqlOf(rule);
    return sql && tables && { function: 'SQL', sql, tables, place: rule.place };
}

function scriptIn({ script, span }: Extract<Body, { kind: 'script' }>, { rule, heads }: AnalysedRule): ScriptCall {
    const columns = heads.flatMap(({ atom }) => atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : [])));
    return { function: 'python:run', script, columns, location: { place: rule.place, span } };
}

function callOf(
    { name, options, span }: RelationCall,
    input: PredicateKey,
    { rule, reads, tables = [] }: AnalysedRule,
): GraphCall | ModelCall | undefined {
    const call = { input, ...(options === undefined ? {} : { options }), location: { place: rule.place, span } };
    // Before them stands the input, or the tables of its query.
    if (name === 'LLM') return { function: name, facts: reads.slice(Math.max(1, tables.length)), ...call };
    return isGraphFunction(name) ? { function: name, ...call } : undefined;
}

/**
 * A rule with a relation function, a query or a script as one that reads its answer with an atom like its head, so that constants filter. A
 * column behind `_` gets a variable of its own. Other rules stay as they are.
 */
export function readingAnswer(rule: AnalysedRule): AnalysedRule {
    const { kind } = rule.rule.body;
    if (kind !== 'relation-function' && kind !== 'script' && rule.tables === undefined) return rule;
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
