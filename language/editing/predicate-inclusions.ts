import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, AnalysedRule, Predicate, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { dependencyView } from './dependency-view.ts';
import { type ListedPredicate, listed } from './predicate-uses.ts';

/** The predicates that have every row of this one, as its rules and theirs say (`person(X) <- employee(X)`). */
export function widerThan(document: OpenDocument, key: PredicateKey): readonly ListedPredicate[] {
    return listedAmong(
        document,
        inclusionsOf(document.analysed)
            .filter(({ narrow }) => narrow === key)
            .map(({ wide }) => wide),
    );
}

/** The predicates whose rows are all rows of this one. */
export function narrowerThan(document: OpenDocument, key: PredicateKey): readonly ListedPredicate[] {
    return listedAmong(
        document,
        inclusionsOf(document.analysed)
            .filter(({ wide }) => wide === key)
            .map(({ narrow }) => narrow),
    );
}

function listedAmong({ analysed }: OpenDocument, keys: readonly PredicateKey[]): readonly ListedPredicate[] {
    const wanted = new Set(keys);
    return dependencyView(analysed)
        .predicates.filter(({ key }) => wanted.has(key))
        .flatMap(node => listed(node));
}

interface Inclusion {
    readonly narrow: PredicateKey;
    readonly wide: PredicateKey;
}

/**
 * Finds predicates that have all rows of another, whatever the data. Either a rule copies one to the other, or every rule of one has the
 * other in its body. The arguments there must be those of the head. A predicate that is only a copy is the wider one.
 */
function inclusionsOf({ rules, predicates }: AnalysedProgram): Inclusion[] {
    const copies = rules.flatMap(rule => {
        const [literal] = rule.literals;
        if (literal === undefined || literal.negated || rule.literals.length > 1 || !isPlain(rule)) return [];
        const names = variablesOf(literal);
        if (names === undefined || new Set(names).size < names.length) return [];
        return rule.heads.flatMap(head => (hasSameArguments(head, literal) ? [{ narrow: literal.predicate, wide: head.predicate }] : []));
    });
    const copied = new Set(copies.map(({ narrow, wide }) => `${narrow} ${wide}`));
    const parts = [...predicates.values()].flatMap(predicate =>
        containersOf(predicate, rules)
            .filter(wide => !copied.has(`${wide} ${predicate.key}`))
            .map(wide => ({ narrow: predicate.key, wide })),
    );
    return [...copies, ...parts].filter(({ narrow, wide }) => narrow !== wide);
}

/** It has nothing that leaves out matches. */
function isPlain({ conditions, assignments, constantsOnly, rule }: AnalysedRule): boolean {
    return conditions.length === 0 && assignments.length === 0 && !constantsOnly && rule.body.kind === 'items';
}

function containersOf({ key, facts, rules: own, inputBinds, input }: Predicate, rules: readonly AnalysedRule[]): PredicateKey[] {
    if (facts.length > 0 || input || inputBinds.length > 0 || own.length === 0) return [];
    const containers = own.map(index => {
        const { heads = [], literals = [] } = rules[index] ?? {};
        const same = heads.filter(({ predicate }) => predicate === key);
        return literals
            .filter(literal => !literal.negated && same.every(head => hasSameArguments(head, literal)))
            .map(({ predicate }) => predicate);
    });
    const [first = [], ...others] = containers;
    return [...new Set(first)].filter(predicate => others.every(other => other.includes(predicate)));
}

function hasSameArguments(left: ResolvedAtom, right: ResolvedAtom): boolean {
    const [names, others] = [variablesOf(left), variablesOf(right)];
    return names !== undefined && others !== undefined && names.join() === others.join() && arityOf(left) === arityOf(right);
}

function arityOf({ predicate }: ResolvedAtom): string {
    return predicate.slice(predicate.lastIndexOf('/') + 1);
}

/** The names of its arguments where all of them are variables, one for each column. */
function variablesOf(atom: ResolvedAtom): readonly string[] | undefined {
    const names = atom.atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : []));
    return names.length === atom.atom.arguments.length && String(names.length) === arityOf(atom) ? names : undefined;
}
