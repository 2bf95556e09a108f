import type { PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { PlanLiteral, PlanRead, PlanRelation, PlanRule, PlanStep } from '../plan.ts';
import { countsByFacts } from '../plan.ts';
import { boundBy, stepReads } from './first-match.ts';

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
    const countsFacts = rule.outputs.some(output => output.kind === 'match' || countsByFacts(output));
    if (countsFacts || rule.parent !== undefined) return [...steps];
    const boundAt = new Map<string, number>(rule.constants.map(({ variable }) => [variable, -1]));
    /** Steps that look for their rows by all columns, by the variables that these are. */
    const lookups = new Map<string, number[]>();
    for (const [index, step] of steps.entries()) {
        if (step.kind !== 'read' && step.kind !== 'assign') continue;
        for (const name of boundBy(step)) if (!boundAt.has(name)) boundAt.set(name, index);
        if (step.kind !== 'read' || step.access.kind !== 'key') continue;
        for (const name of new Set(step.access.variables)) append(lookups, name, index);
    }
    const united: PlanStep[] = [];
    const taken = new Set<PlanStep>();
    for (const [index, step] of steps.entries()) {
        if (taken.has(step)) continue;
        const others = step.kind === 'read' ? readsToUnite(step, index) : [];
        for (const other of others) taken.add(other);
        united.push(step.kind === 'read' && others.length > 0 ? { kind: 'intersect', reads: [step, ...others] } : step);
    }
    return united;

    function readsToUnite(first: PlanRead, at: number): PlanRead[] {
        const [bind] = first.binds;
        const { access } = first;
        if (bind === undefined || first.binds.length > 1 || access.kind !== 'index' || !fits(first, bind.variable)) return [];
        if (access.columns.length + 1 < rule.literals[first.literal]!.terms.length) return [];
        const isBound = (name: string): boolean => (boundAt.get(name) ?? at) < at;
        return (lookups.get(bind.variable) ?? []).flatMap(index => {
            const step = steps[index]!;
            if (index <= at || step.kind !== 'read' || !fits(step, bind.variable)) return [];
            return stepReads(step, rule).every(name => name === bind.variable || isBound(name)) ? [step] : [];
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
