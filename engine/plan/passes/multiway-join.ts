import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { PlanLiteral, PlanRead, PlanRelation, PlanRule, PlanStep } from '../plan.ts';
import { stepReads } from './first-match.ts';

/**
 * Unites the literals that one variable has to satisfy at once, as Z in `e(X,Y), e(X,Z), e(Y,Z)`: its values are those of
 * the literal that has the fewest of them for the match at hand, and are looked for in the others. No order of joins of
 * two literals bounds the work of triangles and cliques like that (generic join: Ngo et al. 2012).
 */
export function uniteReads(
    rule: PlanRule,
    steps: readonly PlanStep[],
    relations: ReadonlyMap<PredicateKey, PlanRelation>,
    isComplete: (literal: PlanLiteral) => boolean,
): PlanStep[] {
    const countsFacts = rule.outputs.some(
        output =>
            output.kind === 'match' ||
            (output.kind === 'contribute' && output.contributions.some(({ contributors }) => contributors === 'facts of the match')),
    );
    if (countsFacts || rule.parent !== undefined) return [...steps];
    const united: PlanStep[] = [];
    let open = steps;
    while (open.length > 0) {
        const [step, ...later] = open as [PlanStep, ...PlanStep[]];
        const others = step.kind === 'read' ? readsToUnite(step) : [];
        united.push(step.kind === 'read' && others.length > 0 ? { kind: 'intersect', reads: [step, ...others] } : step);
        open = later.filter(one => !others.some(other => other === one));
    }
    return united;

    function readsToUnite(first: PlanRead): PlanRead[] {
        const [bind] = first.binds;
        const { access } = first;
        if (bind === undefined || first.binds.length > 1 || access.kind !== 'index' || !fits(first, bind.variable)) return [];
        if (access.columns.length + 1 < rule.literals[first.literal]!.terms.length) return [];
        const bound = new Set(rule.constants.map(({ variable }) => variable));
        for (const step of steps.slice(0, steps.indexOf(first))) {
            if (step.kind === 'read') for (const { variable } of step.binds) bound.add(variable);
            if (step.kind === 'assign') bound.add(step.definition.variable);
        }
        return steps.slice(steps.indexOf(first) + 1).filter((step): step is PlanRead => {
            if (step.kind !== 'read' || step.access.kind !== 'key' || !fits(step, bind.variable)) return false;
            return stepReads(step, rule).every(name => name === bind.variable || bound.has(name));
        });
    }

    function fits(read: PlanRead, variable: string): boolean {
        const literal = rule.literals[read.literal]!;
        const { relation, terms } = literal;
        const named = terms.filter(term => term.kind === 'variable' && term.name === variable);
        if (named.length !== 1 || terms.length < 2 || terms.some(term => term.kind !== 'variable')) return false;
        return read.checks.length === 0 && isComplete(literal) && relations.get(relation)!.groups === undefined;
    }
}
