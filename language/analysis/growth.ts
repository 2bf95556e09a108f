import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import { components } from '#language/program/components.ts';
import type { BinaryOperator, Expression } from '#language/program/program.ts';
import { mentions, variablesIn } from './occurrences.ts';
import type { RuleFacts } from './program-facts.ts';

/** A head position whose values recursion may make without end. */
export interface Growth {
    readonly facts: RuleFacts;
    readonly predicate: PredicateKey;
    /** Zero-based. */
    readonly column: number;
    readonly term: Expression;
}

interface Flow {
    readonly from: string;
    readonly to: string;
    /** The value is computed on the way, and nothing in the rule limits it. */
    readonly growth: Growth | undefined;
}

/**
 * Finds computed values that reach their own position in a recursive component without a bounding condition (RL2204, 4.7). It also finds
 * literal `null`s that are new in every match. The recursion may then create values for ever.
 */
export function unboundedGrowth(predicates: readonly PredicateKey[], rules: readonly RuleFacts[]): Growth[] {
    const members = new Set(predicates);
    const flows = rules.flatMap(facts => flowsOf(facts, members));
    if (!flows.some(flow => flow.growth !== undefined)) return [];
    const next = new Map<string, string[]>();
    for (const flow of flows) append(next, flow.from, flow.to);
    const positions = [...new Set(flows.flatMap(({ from, to }) => [from, to]))];
    const circles = components(positions, position => next.get(position) ?? []);
    const circleOf = new Map(circles.flatMap((circle, number) => circle.members.map(position => [position, number] as const)));
    const growing = flows.flatMap(({ from, to, growth }) =>
        growth !== undefined && circleOf.get(from) === circleOf.get(to) ? growth : [],
    );
    const firsts = new Map(growing.map(one => [one.term, one] as const).reverse());
    return growing.filter(one => firsts.get(one.term) === one);
}

/** Follows the values of recursive body positions into the head. */
function flowsOf(facts: RuleFacts, members: ReadonlySet<PredicateKey>): Flow[] {
    if (!facts.resolved.literals.some(({ predicate, negated }) => !negated && members.has(predicate))) return [];
    const sources = recursivePositions(facts, members);
    const computed = computedFrom(facts, new Set(sources.keys()));
    const made = madeValues(facts, computed);
    const renewed = renewedVariables(facts);
    const bounded = isBounded(facts, new Set(sources.keys()), computed, made);
    const flows: Flow[] = [];
    for (const { atom, predicate } of facts.resolved.heads) {
        if (!members.has(predicate)) continue;
        atom.arguments.forEach((term, column) => {
            const to = `${predicate}:${column}`;
            const growth = bounded ? undefined : { facts, predicate, column, term };
            const origins = term.kind === 'variable' ? (computed.get(term.name) ?? [term.name]) : variablesIn(term);
            const grows = term.kind !== 'variable' || made.has(term.name);
            for (const origin of origins) {
                for (const from of sources.get(origin) ?? []) flows.push({ from, to, growth: grows ? growth : undefined });
            }
            if (holdsNull(term) || (term.kind === 'variable' && renewed.has(term.name))) flows.push({ from: to, to, growth });
        });
    }
    return flows;
}

/** Variables whose values hold a null that is another one in every match. */
function renewedVariables({ resolved }: RuleFacts): Set<string> {
    const renewed = new Set<string>();
    for (const { variable, value, afterAggregation } of resolved.assignments) {
        const holds = holdsNull(value) || variablesIn(value).some(name => renewed.has(name));
        if (holds && !afterAggregation && !isChoice(value)) renewed.add(variable.name);
    }
    return renewed;
}

function holdsNull(expression: Expression): boolean {
    if (expression.kind === 'null') return true;
    return (expression.kind === 'list' || expression.kind === 'set') && expression.items.some(holdsNull);
}

function recursivePositions({ resolved }: RuleFacts, members: ReadonlySet<PredicateKey>): Map<string, string[]> {
    const positions = new Map<string, string[]>();
    for (const literal of resolved.literals) {
        if (literal.negated || !members.has(literal.predicate)) continue;
        literal.atom.arguments.forEach((term, column) => {
            if (term.kind === 'variable') append(positions, term.name, `${literal.predicate}:${column}`);
        });
    }
    // A variable that an atom of a lower stratum binds as well takes its values from there.
    for (const literal of resolved.literals) {
        if (literal.negated || members.has(literal.predicate)) continue;
        for (const term of literal.atom.arguments) if (term.kind === 'variable') positions.delete(term.name);
    }
    return positions;
}

/**
 * Assigned variables that depend on the given ones, each with those it depends on. Aggregates end a dependence, and the
 * nulls of Skolem terms are counted as those of existential variables are.
 */
function computedFrom({ resolved }: RuleFacts, growing: ReadonlySet<string>): Map<string, string[]> {
    const computed = new Map<string, string[]>();
    for (const { variable, value, afterAggregation } of resolved.assignments) {
        if (afterAggregation || isChoice(value) || value.kind === 'skolem') continue;
        const origins = variablesIn(value).flatMap(name => computed.get(name) ?? (growing.has(name) ? [name] : []));
        if (origins.length > 0) computed.set(variable.name, [...new Set(origins)]);
    }
    return computed;
}

/** Of the variables that depend on growing ones, those that are more than copies. */
function madeValues({ resolved }: RuleFacts, computed: ReadonlyMap<string, readonly string[]>): Set<string> {
    const made = new Set<string>();
    for (const { variable, value } of resolved.assignments) {
        if (computed.has(variable.name) && (value.kind !== 'variable' || made.has(value.name))) made.add(variable.name);
    }
    return made;
}

/** The values of comparisons are only two. */
export function isChoice(value: Expression): boolean {
    if (value.kind === 'unary') return value.operator === '!';
    return value.kind === 'binary' && COMPARISONS.has(value.operator);
}

const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '!in', '&&', '||']);

function isBounded(
    { resolved }: RuleFacts,
    sources: ReadonlySet<string>,
    computed: ReadonlyMap<string, readonly string[]>,
    made: ReadonlySet<string>,
): boolean {
    const terms = resolved.heads.flatMap(({ atom }) => atom.arguments.filter(term => term.kind !== 'variable'));
    const origins = [...[...made].flatMap(name => [name, ...(computed.get(name) ?? [])]), ...terms.flatMap(variablesIn)];
    const growing = new Set(
        origins.flatMap(name => (sources.has(name) || computed.has(name) ? [name, ...(computed.get(name) ?? [])] : [])),
    );
    const values = resolved.assignments.filter(({ variable }) => made.has(variable.name)).map(({ value }) => value);
    const rule: Growing = {
        growing,
        recursive: new Set([...sources, ...computed.keys()]),
        direction: growthDirection(values),
        added: [...values, ...terms],
    };
    return resolved.conditions.some(({ expression }) => bounds(expression, rule));
}

type Direction = 'up' | 'down' | 'either';

/** The way in which values move: steps by positive constants tell it, everything else may move either way. */
function growthDirection(values: readonly Expression[]): Direction {
    const steps = values.map((value): Direction => {
        if (!isStep(value)) return 'either';
        return value.operator === '+' ? 'up' : 'down';
    });
    const [first = 'either'] = steps;
    return steps.every(step => step === first) ? first : 'either';
}

/** A sum or difference with a positive constant behind. */
export function isStep(value: Expression): value is Extract<Expression, { kind: 'binary' }> {
    return value.kind === 'binary' && (value.operator === '+' || value.operator === '-') && isPositive(value.right);
}

function isPositive(expression: Expression): boolean {
    return (expression.kind === 'integer' || expression.kind === 'double') && expression.value > 0;
}

interface Growing {
    readonly growing: ReadonlySet<string>;
    /** These and all others whose values come from the recursion. */
    readonly recursive: ReadonlySet<string>;
    readonly direction: Direction;
    /** The expressions that make the growing values. */
    readonly added: readonly Expression[];
}

function bounds(expression: Expression, rule: Growing): boolean {
    const { growing, recursive } = rule;
    if (expression.kind === 'call') {
        const [value, ...limits] = expression.arguments;
        const limited = value !== undefined && mentions(value, growing) && !limits.some(limit => mentions(limit, recursive));
        return limited && /^_?between_?$/u.test(expression.name);
    }
    if (expression.kind !== 'binary') return false;
    const { operator, left, right } = expression;
    switch (operator) {
        case '&&':
            return bounds(left, rule) || bounds(right, rule);
        case '||':
            return bounds(left, rule) && bounds(right, rule);
        case '==':
        case '=':
            return fixes(left, right, rule) || fixes(right, left, rule);
        case 'in':
            return fixes(left, right, rule);
        case '!in':
            return isAddedTo(left, right, rule);
        case '<':
        case '<=':
            return limits(left, right, rule);
        case '>':
        case '>=':
            return limits(right, left, rule);
        default:
            return false;
    }
}

/** The first grows, the second does not come from the recursion. */
function fixes(value: Expression, limit: Expression, { growing, recursive }: Growing): boolean {
    return mentions(value, growing) && !mentions(limit, recursive);
}

/** `X !in S` where the rule adds `X` to `S`. */
function isAddedTo(value: Expression, collection: Expression, { added }: Growing): boolean {
    const [item, whole] = [variablesIn(value), variablesIn(collection)];
    return added.some(sum => {
        const names = variablesIn(sum);
        return item.length > 0 && item.every(name => names.includes(name)) && whole.some(name => names.includes(name));
    });
}

/** `small < large` limits growth upwards when only the small side grows, downwards when only the large side does. */
function limits(small: Expression, large: Expression, rule: Growing): boolean {
    const { direction } = rule;
    return (direction !== 'down' && fixes(small, large, rule)) || (direction !== 'up' && fixes(large, small, rule));
}
