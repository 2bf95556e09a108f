import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { BinaryOperator, Expression } from '#language/program/program.ts';
import { append } from './append.ts';
import { type Component, components } from './components.ts';
import { variablesIn } from './occurrences.ts';
import type { RuleFacts } from './program-facts.ts';

interface Flow {
    readonly from: string;
    readonly to: string;
    /** The value is computed on the way, and nothing in the rule limits it. */
    readonly grows: boolean;
}

/**
 * True when a computed value reaches its own position in a recursive component without a bounding condition (RL2204,
 * 4.7): the recursion may then create values for ever.
 */
export function isGrowing(component: Component<PredicateKey>, rules: readonly RuleFacts[]): boolean {
    if (!component.recursive) return false;
    const members = new Set(component.members);
    const flows = rules.flatMap(facts => flowsOf(facts, members));
    if (!flows.some(flow => flow.grows)) return false;
    const next = new Map<string, string[]>();
    for (const flow of flows) append(next, flow.from, flow.to);
    const positions = [...new Set(flows.flatMap(({ from, to }) => [from, to]))];
    const circles = components(positions, position => next.get(position) ?? []);
    const circleOf = new Map(circles.flatMap((circle, number) => circle.members.map(position => [position, number] as const)));
    return flows.some(({ from, to, grows }) => grows && circleOf.get(from) === circleOf.get(to));
}

/** Where the values of recursive body positions go in the head. */
function flowsOf(facts: RuleFacts, members: ReadonlySet<PredicateKey>): Flow[] {
    const sources = recursivePositions(facts, members);
    if (sources.size === 0) return [];
    const computed = computedFrom(facts, new Set(sources.keys()));
    const made = madeValues(facts, computed);
    const bounded = isBounded(facts, new Set([...sources.keys(), ...computed.keys()]), computed);
    const flows: Flow[] = [];
    for (const { atom, predicate } of facts.resolved.heads) {
        if (!members.has(predicate)) continue;
        atom.arguments.forEach((term, column) => {
            const to = `${predicate}:${column}`;
            const origins = term.kind === 'variable' ? (computed.get(term.name) ?? [term.name]) : variablesIn(term);
            const grows = !bounded && (term.kind !== 'variable' || made.has(term.name));
            for (const origin of origins) for (const from of sources.get(origin) ?? []) flows.push({ from, to, grows });
        });
    }
    return flows;
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

/** Assigned variables that depend on the given ones, each with those it depends on; aggregates end a dependence. */
function computedFrom({ resolved }: RuleFacts, growing: ReadonlySet<string>): Map<string, string[]> {
    const computed = new Map<string, string[]>();
    for (const { variable, value, afterAggregation } of resolved.assignments) {
        if (afterAggregation || isChoice(value)) continue;
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

function isBounded({ resolved }: RuleFacts, growing: ReadonlySet<string>, computed: ReadonlyMap<string, readonly string[]>): boolean {
    const direction = growthDirection(
        resolved.assignments.filter(assignment => computed.has(assignment.variable.name)).map(assignment => assignment.value),
    );
    return resolved.conditions.some(({ expression }) => bounds(expression, growing, direction));
}

type Direction = 'up' | 'down' | 'either';

/** The way in which values move: steps by positive constants tell it, everything else may move either way. */
function growthDirection(values: readonly Expression[]): Direction {
    const steps = values.map((value): Direction => {
        if (value.kind !== 'binary' || !isPositive(value.right)) return 'either';
        if (value.operator === '+') return 'up';
        return value.operator === '-' ? 'down' : 'either';
    });
    const [first = 'either'] = steps;
    return steps.every(step => step === first) ? first : 'either';
}

function isPositive(expression: Expression): boolean {
    return (expression.kind === 'integer' || expression.kind === 'double') && expression.value > 0;
}

function bounds(expression: Expression, growing: ReadonlySet<string>, direction: Direction): boolean {
    if (expression.kind === 'call') {
        const [value] = expression.arguments;
        return /^_?between_?$/u.test(expression.name) && value !== undefined && mentions(value, growing);
    }
    if (expression.kind !== 'binary') return false;
    const { operator, left, right } = expression;
    switch (operator) {
        case '&&':
            return bounds(left, growing, direction) || bounds(right, growing, direction);
        case '||':
            return bounds(left, growing, direction) && bounds(right, growing, direction);
        case '==':
        case '=':
        case 'in':
            return mentions(left, growing) !== mentions(right, growing);
        case '!in':
            return mentions(right, growing);
        case '<':
        case '<=':
            return limits(left, right, growing, direction);
        case '>':
        case '>=':
            return limits(right, left, growing, direction);
        default:
            return false;
    }
}

/** `small < large` limits growth upwards when only the small side grows, downwards when only the large side does. */
function limits(small: Expression, large: Expression, growing: ReadonlySet<string>, direction: Direction): boolean {
    const smallGrows = mentions(small, growing);
    if (smallGrows === mentions(large, growing)) return false;
    return direction === 'either' || (direction === 'up') === smallGrows;
}

function mentions(expression: Expression, names: ReadonlySet<string>): boolean {
    return variablesIn(expression).some(name => names.has(name));
}
