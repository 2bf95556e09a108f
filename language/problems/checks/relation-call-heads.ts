import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Heads that a relation function cannot fill: several atoms, repeated variables, computed terms (RL2011). */
export function* checkRelationCallHeads({ rule, place }: RuleFacts): Iterable<Problem> {
    if (rule.body.kind !== 'relation-function') return;
    const { head } = rule;
    if (head.kind !== 'atoms') {
        yield problem('RL2011', place, head.span);
        return;
    }
    const [first, second] = head.atoms;
    if (second !== undefined) yield problem('RL2011', place, second.span);
    const seen = new Set<string>();
    for (const term of first?.arguments ?? []) {
        const repeated = term.kind === 'variable' && seen.has(term.name);
        const computed = term.kind === 'binary' || term.kind === 'call' || term.kind === 'aggregate' || term.kind === 'skolem';
        if (repeated || computed) yield problem('RL2011', place, term.span);
        if (term.kind === 'variable') seen.add(term.name);
    }
}
