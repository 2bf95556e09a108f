import type { NullCreation } from '#language/analysis/chase-analysis.ts';
import type { Declarations } from '#language/analysis/declarations.ts';
import { nameOf } from '#language/analysis/forbidden-cycles.ts';
import type { NameFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import { type Literal, predicateKey, type RuleWardedness } from '#language/program/analysed-program.ts';
import { printAtomText } from '#language/program/print.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated, withSeverity } from '../catalogue.ts';

/** Reports the consequences of created nulls for evaluation (D-28): RL2201, RL2202, RL2203. */
export function* checkNullCreation(nulls: NullCreation, relaxed: boolean): Iterable<Problem> {
    const severity: Severity = nulls.cycles.length === 0 ? 'information' : relaxed ? 'warning' : 'error';
    for (const [facts, found] of nulls.wardedness) {
        if (!found.warded) yield withSeverity(notWarded(facts, found), severity);
        for (const name of found.harmfulJoins) yield* harmfulJoin(facts, name);
    }
    for (const { facts, predicates, position } of nulls.cycles) {
        const created = nulls.positions.position(position);
        const head = facts.resolved.heads.find(({ predicate }) => predicate === created?.predicate);
        const term = head?.atom.arguments[created?.column ?? -1];
        if (term !== undefined) yield problem('RL2202', facts.place, term.span, predicates.map(nameOf).join(' → '));
    }
}

/** Outputs whose rows are not restricted to known values: RL2102, once for each column that created nulls may come to. */
export function* checkOutputNulls(
    { positions, affected }: NullCreation,
    { outputs, posts }: Declarations,
    nameFacts: (name: string) => NameFacts | undefined,
): Iterable<Problem> {
    for (const { predicate, argument, place } of outputs) {
        if (posts.some(post => post.predicate === predicate && post.text.directive?.kind === 'certain')) continue;
        for (const arity of nameFacts(predicate)?.arities ?? []) {
            for (let column = 0; column < arity; column++) {
                const position = positions.known(predicateKey(predicate, arity), column);
                if (position !== undefined && affected[position] === 1)
                    yield problem('RL2102', place, argument.span, predicate, column + 1);
            }
        }
    }
}

/** Names the dangerous variables that no atom has together, or the variables that keep an atom that has them from guarding. */
function notWarded(facts: RuleFacts, { dangerous, harmful }: RuleWardedness): Problem {
    const literals = facts.resolved.literals.filter(({ negated }) => !negated);
    const together = literals.find(literal => [...dangerous].every(name => mentions(literal, name)));
    const shared = [...harmful].filter(
        name => together !== undefined && mentions(together, name) && literals.filter(literal => mentions(literal, name)).length > 1,
    );
    const names = together === undefined ? [...dangerous] : shared;
    const sharing = literals.filter(literal => names.some(name => mentions(literal, name)));
    const { place, resolved, rule } = facts;
    const terms = resolved.heads.flatMap(({ atom }) => atom.arguments);
    const term =
        terms.find(other => other.kind === 'variable' && names.includes(other.name)) ??
        terms.find(other => other.kind === 'variable' && harmful.has(other.name));
    const found = problem('RL2201', place, term?.span ?? rule.head.span, names, [
        ...new Set(sharing.map(({ atom }) => printAtomText(atom))),
    ]);
    const related = sharing.map(literal => ({ place, span: literal.atom.span, message: whyNoWard(literal, shared, dangerous) }));
    return withRelated(found, [
        { place, span: term?.span ?? rule.head.span, message: kindsOfVariables(facts, harmful, dangerous) },
        ...related,
    ]);
}

/** Lists the dangerous, harmful and harmless variables of the positive atoms (4.7). */
function kindsOfVariables({ positive }: RuleFacts, harmful: ReadonlySet<string>, dangerous: ReadonlySet<string>): string {
    const kinds = [
        [say`dangerous (may be unknown, reaches the head)`, [...dangerous]],
        [say`harmful (may be unknown)`, [...positive].filter(name => harmful.has(name) && !dangerous.has(name))],
        [say`harmless (always known)`, [...positive].filter(name => !harmful.has(name))],
    ] as const;
    return kinds.flatMap(([kind, names]) => (names.length === 0 ? [] : [`${kind}: ${listed(names)}`])).join('; ');
}

/** Says why an atom cannot be the ward, the one atom that may hold dangerous variables. */
function whyNoWard(literal: Literal, shared: readonly string[], dangerous: ReadonlySet<string>): string {
    const missing = [...dangerous].filter(name => !mentions(literal, name));
    if (missing.length > 0) return say`no ward: it does not have ${listed(missing)}`;
    return say`no ward: it shares ${listed(shared.filter(name => mentions(literal, name)))} with another atom`;
}

function listed(names: readonly string[]): string {
    return names.map(name => `'${name}'`).join(', ');
}

function* harmfulJoin({ occurrences, place }: RuleFacts, name: string): Iterable<Problem> {
    const [first, second] = occurrences.get(name)?.filter(({ where }) => where === 'positive') ?? [];
    const other = occurrences.get(name)?.find(({ where, item }) => where === 'positive' && item !== first?.item) ?? second;
    if (first === undefined || other === undefined) return;
    yield withRelated(problem('RL2203', place, other.variable.span, name), [
        { place, span: first.variable.span, message: say`'${name}' joins with this` },
    ]);
}

function mentions({ atom }: Literal, name: string): boolean {
    return atom.arguments.some(term => term.kind === 'variable' && term.name === name);
}
