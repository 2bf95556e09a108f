import type { DependencyNode, DependencyView } from '#language/editing/dependency-view.ts';

/** The predicates of each stratum, lowest first. */
export function strataOf({ predicates }: DependencyView): { readonly stratum: number; readonly predicates: readonly DependencyNode[] }[] {
    const numbers = [...new Set(predicates.map(({ stratum }) => stratum))].sort((a, b) => a - b);
    return numbers.map(stratum => ({ stratum, predicates: predicates.filter(node => node.stratum === stratum) }));
}
