import type { Meanings, Occurrence, RuleFacts } from '#language/analysis/program-facts.ts';
import { editDistance } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withRemedy, withSeverity } from '../catalogue.ts';
import { didYouMean } from '../did-you-mean.ts';
import { unboundUse } from './bound-variables.ts';

/** Head variables that the body does not bind: RL2001 where it looks accidental, else RL2101. */
export function* checkHeadVariables(facts: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const { rule, place, occurrences, resolved } = facts;
    if (rule.body.kind !== 'items') return;
    if (rule.head.kind === 'equality') {
        for (const [name, places] of occurrences) {
            const head = places.find(isInHead);
            if (head === undefined || resolved.bound.has(name)) continue;
            yield withSeverity(problem('RL2001', place, head.variable.span, name), 'error');
        }
        return;
    }
    for (const name of resolved.existential) {
        const places = occurrences.get(name) ?? [];
        const head = places.find(isInHead);
        const use = unboundUse(facts, name);
        if (head === undefined || use === 'RL2005' || use === 'RL2006') continue;
        const meant = [...resolved.bound].find(other => isSlip(name, other));
        if (meant !== undefined || use !== undefined || isWritten(facts, meaningOf)) {
            yield withRemedy(problem('RL2001', place, head.variable.span, name), didYouMean(meant));
        } else yield problem('RL2101', place, head.variable.span, name, frontier(facts));
    }
}

function isInHead({ where }: Occurrence): boolean {
    return where === 'head';
}

/** One slip of the keyboard apart; short names and names that only their number tells apart are meant to differ. */
function isSlip(name: string, other: string): boolean {
    if (name.length < 3 || other.length < 3 || name.replace(/\d+$/u, '') === other.replace(/\d+$/u, '')) return false;
    return editDistance(name, other, 2) === 1;
}

function isWritten({ resolved }: RuleFacts, meaningOf: Meanings): boolean {
    return resolved.heads.some(({ atom }) => meaningOf(atom.predicate)?.written === atom.arguments.length);
}

function frontier({ occurrences, resolved }: RuleFacts): string[] {
    return [...occurrences].filter(([name, places]) => resolved.bound.has(name) && places.some(isInHead)).map(([name]) => name);
}
