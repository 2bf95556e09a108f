import { variablesIn } from '#language/analysis/occurrences.ts';
import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import { nearestNames, withoutNumber } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { problem, withMeant, withRelated } from '../catalogue.ts';

/**
 * Positive atoms that no shared variable and no comparison connects: RL9002 (4.3). What has one fact at most multiplies nothing. What a constant
 * chooses goes with whatever is computed from both.
 */
export function* checkCartesianProducts({ resolved, place, occurrences }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const atoms = resolved.literals
        .filter(literal => !literal.negated)
        .map(({ atom }) => ({ atom, variables: variableNames(atom.arguments) }))
        .filter(({ variables }) => variables.length > 0);
    if (atoms.length < 2) return;
    const group = new Map<string, string>();
    const rootOf = (name: string): string => {
        let root = name;
        for (let up = group.get(root); up !== undefined; up = group.get(root)) root = up;
        return root;
    };
    const connect = (names: readonly string[]): void => {
        const [first, ...others] = names;
        for (const other of others) {
            const [a, b] = [rootOf(first ?? other), rootOf(other)];
            if (a !== b) group.set(b, a);
        }
    };
    for (const { variables } of atoms) connect(variables);
    const sources = new Map(resolved.assignments.map(({ variable, value }) => [variable.name, value]));
    for (const { expression } of resolved.conditions) if (isComparison(expression)) connect(withSources(expression, sources));
    const chosen = new Set(atoms.flatMap(({ atom, variables }) => (atom.arguments.some(isFixed) ? variables : [])));
    for (const { value } of resolved.assignments) {
        const names = withSources(value, sources);
        if (names.some(name => chosen.has(name))) connect(names);
    }
    const components = new Map<string, (typeof atoms)[number]>();
    for (const found of atoms) {
        if (meaningOf(found.atom.predicate)?.hasOneFact) continue;
        const root = rootOf(found.variables[0] ?? '');
        if (!components.has(root)) components.set(root, found);
    }
    const [first, second] = components.values();
    if (first === undefined || second === undefined) return;
    const names = [...components.values()].map(({ atom }) => `'${atom.predicate}'`).join(say` and `);
    const related = [{ place, span: first.atom.nameSpan, message: say`the other side` }];
    const slip = slipBetween(
        [...components.values()].map(({ atom }) => atom),
        occurrences,
    );
    const found = withRelated(problem('RL9002', place, slip?.written.span ?? second.atom.nameSpan, names), related);
    yield withMeant(found, slip?.meant);
}

interface Slip {
    readonly written: Extract<Expression, { kind: 'variable' }>;
    readonly meant: string;
}

/** A variable of a later atom that occurs nowhere else and is nearly called like one of an earlier atom. */
function slipBetween([first, ...others]: readonly Atom[], occurrences: RuleFacts['occurrences']): Slip | undefined {
    const earlier = variableNames(first?.arguments ?? []);
    const nearestTo = nearestNames(earlier);
    for (const term of others.flatMap(atom => atom.arguments)) {
        if (term.kind !== 'variable' || term.name.length < 3 || occurrences.get(term.name)?.length !== 1) continue;
        const meant = nearestTo(term.name);
        if (meant !== undefined && withoutNumber(meant) !== withoutNumber(term.name)) return { written: term, meant };
    }
    return undefined;
}

const isFixed = ({ kind }: Expression): boolean => kind !== 'variable' && kind !== 'anonymous';

const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '!=', '<>', '<', '<=', '>', '>=']);

function isComparison(expression: Expression): boolean {
    return expression.kind === 'binary' && COMPARISONS.has(expression.operator);
}

/** The variables of a comparison, assigned ones replaced by those they are computed from. */
function withSources(expression: Expression, sources: ReadonlyMap<string, Expression>): string[] {
    const found = new Set<string>();
    const waiting = variablesIn(expression);
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
        if (found.has(name)) continue;
        found.add(name);
        const value = sources.get(name);
        if (value !== undefined) waiting.push(...variablesIn(value));
    }
    return [...found];
}
