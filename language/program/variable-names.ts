import type { Expression } from './program.ts';

type Term =
    | { readonly kind: 'variable'; readonly name: string }
    /** Anything else that may stand in its place. */
    | { readonly kind: Exclude<Expression['kind'], 'variable'> };

/** The names of the variables among terms, each as often as it stands there; those inside of other terms are left out. */
export function variableNames(terms: readonly Term[]): string[] {
    return terms.flatMap(term => (term.kind === 'variable' ? [term.name] : []));
}
