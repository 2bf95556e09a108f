import { collectionOf } from '#language/library/ask-options.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { variesByMatch } from '#language/library/non-deterministic.ts';
import { BOOLEAN } from '#language/library/result-types.ts';
import type { AnalysedProgram, Predicate, PredicateKey, Stratum } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Call, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { partsOf, withParts } from '#language/program/subexpressions.ts';
import { MIXED } from '#language/program/types.ts';
import { stop } from '../reports/reports.ts';
import { variablesIn } from './passes/value-flow.ts';
import { IN_ROUNDS, type PlanDefinition, type PlanLiteral, type PlanRelation, type PlanRule, type PlanStratum } from './plan.ts';
import { RuleParts } from './rule-parts.ts';

/** Relations that are computed together, and the rules that compute them. */
interface Layer {
    readonly relations: readonly PredicateKey[];
    readonly rules: readonly PlanRule[];
}

/** A layer whose rules read the answers to their calls. */
export interface AskingLayer extends Layer {
    /** Strata before the rules run: for each call one with the values to ask for, and one with the answers. */
    readonly before: readonly PlanStratum[];
}

/**
 * Takes the calls that the host answers out of rules, so that a join never waits for it. One rule more finds the values that a call is made with
 * in the matches for which all holds that is known without it, and a literal in its place reads the answers. What a recursion asks for values
 * that it finds itself is asked in rounds.
 */
export function planCalls(
    program: AnalysedProgram,
    stratum: Pick<Stratum, 'predicates' | 'recursive'>,
    { relations: own, rules: written }: Layer,
    relations: Map<PredicateKey, PlanRelation>,
): AskingLayer {
    const before: PlanStratum[] = [];
    const within: PredicateKey[] = [];
    const rules: PlanRule[] = [];
    for (const one of written) {
        let rule = one;
        for (let next = nextCall(rule, program); next !== undefined; next = nextCall(rule, program)) {
            const { call, input, answer, finding, reading } = takenOut(rule, next, program, relations);
            rule = reading;
            if (finding.literals.some(({ recursive }) => recursive)) {
                refuseAggregates(call, rule, stratum, program);
                within.push(input, answer);
                rules.push(finding);
            } else before.push(plain(input, [finding]), plain(answer, []));
        }
        rules.push(rule);
    }
    return { before, relations: [...own, ...within], rules };
}

function plain(key: PredicateKey, rules: readonly PlanRule[]): PlanStratum {
    return { relations: [key], rules, recursive: false, growing: false, finalPass: 'none', execution: IN_ROUNDS };
}

/** Answers that come while a recursion goes on may only add to it. */
function refuseAggregates(call: Call, { place }: PlanRule, { predicates }: Pick<Stratum, 'predicates'>, program: AnalysedProgram): void {
    const members = predicates.flatMap(key => program.predicates.get(key) ?? []);
    if (!members.some(({ aggregatedColumns }) => aggregatedColumns.length > 0)) return;
    const cycle = members.map(({ name }) => name).join(', ');
    const construct = say`A call of '${call.name}' in a recursion with aggregates, of ${cycle}, with values which it finds itself`;
    stop('RT065', { location: { place, span: call.nameSpan } }, construct);
}

/** The known values of a rule before the first of its open calls is answered. */
interface Known {
    /** Whether an expression is known, and the same whenever it is computed. */
    has(expression: Expression): boolean;
    hasAll(names: readonly string[]): boolean;
    readonly calls: readonly OpenCall[];
}

interface OpenCall {
    readonly call: Call;
    /** The clause that it stands in. */
    readonly place: PlanRule['place'];
}

interface NextCall extends OpenCall {
    readonly known: Known;
}

/** The call to be made first: one in a condition, which may keep others from being made, or the first of those whose values are known. */
function nextCall(rule: PlanRule, program: AnalysedProgram): NextCall | undefined {
    const known = knownIn(rule, program);
    if (known.calls.length === 0) return undefined;
    const found = known.calls.find(({ call }) => call.arguments.every(known.has));
    if (found !== undefined) return { ...found, known };
    const [{ call, place }] = known.calls as readonly [OpenCall];
    return stop('RT065', { location: { place, span: call.nameSpan } }, say`A call of '${call.name}' with a value that chance decides`);
}

function knownIn(rule: PlanRule, { libraryPrefixes }: AnalysedProgram): Known {
    const isOpen = (one: Expression): boolean => one.kind === 'call' && functionNamed(one.name, libraryPrefixes)?.provider !== false;
    const bound = new Set(rule.literals.flatMap(literal => (literal.negated ? [] : variablesIn(literal))));
    const unknown = new Set<string>();
    const has = (expression: Expression): boolean => {
        if (expression.kind === 'variable') return !unknown.has(expression.name);
        if (expression.kind === 'null' || (expression.kind === 'call' && isByChance(expression))) return false;
        return !isOpen(expression) && partsOf(expression).every(has);
    };
    const defined = [...rule.constants, ...rule.assignments];
    for (const { variable, value } of defined) if (!bound.has(variable) && !has(value)) unknown.add(variable);
    const sites = [
        ...rule.filters.map(value => ({ value, place: rule.place })),
        ...defined.map(({ value, place = rule.place }) => ({ value, place })),
    ];
    const innermost = (expression: Expression): readonly Call[] => {
        const inside = partsOf(expression).flatMap(innermost);
        return inside.length === 0 && expression.kind === 'call' && isOpen(expression) ? [expression] : inside;
    };
    return {
        has,
        hasAll: names => !names.some(name => unknown.has(name)),
        calls: sites.flatMap(({ value, place }) => innermost(value).map(call => ({ call, place }))),
    };
}

function isByChance(call: Call): boolean {
    return variesByMatch(call) && functionNamed(call.name)?.provider !== true;
}

/** The rule that finds the values of a call, and the rule that reads its answer instead. */
function takenOut(rule: PlanRule, { call, place, known }: NextCall, program: AnalysedProgram, relations: Map<PredicateKey, PlanRelation>) {
    const parts = new RuleParts(program, rule.types);
    const type = parts.typeOf(call);
    const name = functionNamed(call.name, program.libraryPrefixes)?.name ?? call.name;
    const { input, answer } = keysFor(name, rule, relations);
    const variables = [...withSources(variablesOf(call), rule)];
    const always = `$always of ${input}`;
    const terms = variables.length > 0 ? variables : [always];
    const constants: PlanDefinition[] =
        variables.length > 0 ? [] : [{ variable: always, value: { kind: 'boolean', value: true, span: call.span } }];
    const columnTypes = variables.length > 0 ? variables.map(one => rule.types.get(one) ?? MIXED) : [BOOLEAN];
    const column = (type: PlanRelation['columns'][number]['type'], i: number) => ({ name: `c_${i}`, type, cast: false });
    const predicate = servedBy(rule, call, program);
    const internal = { predicate, internal: true, level: 'predicates' } as const;
    const types = new Map(variables.map((one, i) => [one, columnTypes[i]!]));
    relations.set(input, { key: input, arity: terms.length, columns: columnTypes.map(column), ...internal });
    relations.set(answer, {
        key: answer,
        arity: terms.length + 1,
        columns: [...columnTypes, type].map(column),
        ...internal,
        call: {
            function: 'provided',
            name,
            call,
            rule: rule.source?.index,
            input,
            variables,
            types,
            searched: searchedBy(call, rule, program),
            place,
        },
    });
    const finding = findingRule(rule, known, terms, constants, input);
    const result = answerVariable(answer);
    const literal: PlanLiteral = {
        relation: answer,
        negated: false,
        terms: [...terms, result].map(one => ({ kind: 'variable', name: one })),
        recursive: finding.literals.some(({ recursive }) => recursive),
    };
    const variable = { kind: 'variable', name: result, span: call.span } as const;
    const read = replaced({ ...rule, constants: [...rule.constants, ...constants] }, call, variable);
    const reading = {
        ...read,
        literals: [...rule.literals, literal],
        assignments: read.assignments.filter(({ variable: one }) => !variables.includes(one)),
        types: new Map([...rule.types, [result, type], ...constants.map(one => [one.variable, BOOLEAN] as const)]),
    };
    return { call, input, answer, finding, reading };
}

/** The predicate that a call of `ask` searches. */
function searchedBy(call: Call, { source }: PlanRule, program: AnalysedProgram): PredicateKey | undefined {
    const name = collectionOf(call);
    return source?.reads.find(key => program.predicates.get(key)?.name === name);
}

/** The variable that a rule reads the answers of a relation with. */
export function answerVariable(answers: PredicateKey): string {
    return `$answer of ${answers}`;
}

/** Variables and those that they are computed from: an answer says what all of them were. */
function withSources(names: readonly string[], { assignments }: PlanRule): ReadonlySet<string> {
    const all = new Set(names);
    for (const { variable, value } of [...assignments].reverse())
        if (all.has(variable)) for (const name of variablesOf(value)) all.add(name);
    return all;
}

/** Keys that no other relation of the plan has. */
function keysFor(name: string, { source }: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>) {
    const where = source === undefined ? name : `${name} in rule ${source.index}`;
    for (let number = 1; ; number++) {
        const input = `values for ${where}, ${number}` as PredicateKey;
        if (!relations.has(input)) return { input, answer: `answers of ${where}, ${number}` as PredicateKey };
    }
}

function servedBy({ source, literals, place }: PlanRule, call: Call, program: AnalysedProgram): Predicate {
    const key = source?.heads[0]?.predicate ?? source?.literals[0]?.predicate ?? literals[0]?.relation;
    const predicate = key && program.predicates.get(key);
    return predicate ?? stop('RT065', { location: { place, span: call.nameSpan } }, say`A call of '${call.name}' in a rule without atoms`);
}

function findingRule(
    rule: PlanRule,
    { has, hasAll }: Known,
    terms: readonly string[],
    constants: readonly PlanDefinition[],
    input: PredicateKey,
): PlanRule {
    const literals = rule.literals.filter(literal => !literal.negated || hasAll(variablesIn(literal)));
    const bound = new Set(literals.flatMap(literal => (literal.negated ? [] : variablesIn(literal))));
    const filters = rule.filters.filter(has);
    const needed = new Set([...terms, ...filters.flatMap(variablesOf), ...literals.flatMap(variablesIn)]);
    const assignments: PlanDefinition[] = [];
    for (const one of [...rule.assignments].reverse()) {
        if (!needed.has(one.variable) || !has(one.value)) continue;
        for (const name of variablesOf(one.value)) needed.add(name);
        assignments.unshift(one);
    }
    const found = new Set([...bound, ...assignments.map(({ variable }) => variable)]);
    return {
        ...(rule.source !== undefined && { source: rule.source }),
        place: rule.place,
        span: rule.span,
        literals,
        constants: [...rule.constants.filter(({ variable, value }) => needed.has(variable) && has(value)), ...constants],
        filters,
        assignments,
        constantsOnly: rule.constantsOnly.filter(name => found.has(name)),
        inventions: [],
        outputs: [{ kind: 'emit', relation: input, terms }],
        types: rule.types,
    };
}

/** The rule with another expression in the place of one. A constant that is one no longer is computed, or compared with what literals give. */
function replaced(rule: PlanRule, from: Expression, to: Expression): PlanRule {
    const within = (expression: Expression): Expression => (expression === from ? to : withParts(expression, within));
    const bound = new Set(rule.literals.flatMap(literal => (literal.negated ? [] : variablesIn(literal))));
    const isConstant = ({ value }: PlanDefinition): boolean => variablesOf(within(value)).length === 0;
    const moved = rule.constants.filter(one => !isConstant(one)).map(one => ({ ...one, value: within(one.value) }));
    const compared = moved.filter(({ variable }) => bound.has(variable));
    return {
        ...rule,
        constants: rule.constants.filter(isConstant),
        assignments: [
            ...moved.filter(({ variable }) => !bound.has(variable)),
            ...rule.assignments.map(one => ({ ...one, value: within(one.value) })),
        ],
        filters: [
            ...rule.filters.map(within),
            ...compared.map(({ variable: name, value }): Expression => {
                const { span } = value;
                return { kind: 'binary', operator: '==', left: { kind: 'variable', name, span }, right: value, operatorSpan: span, span };
            }),
        ],
    };
}
