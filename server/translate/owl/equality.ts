import type { OwlRule, RuleAtom } from './rule.ts';

/** A predicate for members of a class, or for a property of individuals. Data stand for themselves and have no equals. */
export interface Substituted {
    readonly predicate: string;
    readonly holds: 'members' | 'individuals' | 'data';
}

/** The rules by which equal individuals are equal in all statements: no document says that two names mean two individuals. */
export function equalityRules(equality: string, substituted: readonly Substituted[]): OwlRule[] {
    const same = (left: string, right: string): RuleAtom => ({ predicate: equality, terms: [left, right] });
    const rule = (head: RuleAtom, ...atoms: readonly RuleAtom[]): OwlRule => ({
        heads: [head],
        atoms,
        conditions: [],
        constantsOnly: false,
    });
    return [
        rule(same('Y', 'X'), same('X', 'Y')),
        { ...rule(same('X', 'Z'), same('X', 'Y'), same('Y', 'Z')), conditions: [{ kind: 'different', left: 'X', right: 'Z' }] },
        ...substituted.flatMap(({ predicate, holds }) => {
            const atom = (...terms: readonly string[]): RuleAtom => ({ predicate, terms });
            if (holds === 'members') return [rule(atom('Y'), atom('X'), same('X', 'Y'))];
            const ofSubject = rule(atom('Z', 'Y'), atom('X', 'Y'), same('X', 'Z'));
            return holds === 'individuals' ? [ofSubject, rule(atom('X', 'Z'), atom('X', 'Y'), same('Y', 'Z'))] : [ofSubject];
        }),
    ];
}
