import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Atom, Expression } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Rules whose every head atom stands in their body as well: RL1116. */
export function* checkNothingNew({ resolved, place }: RuleFacts): Iterable<Problem> {
    const [first] = resolved.heads;
    if (first === undefined) return;
    const repeats = resolved.heads.every(({ atom, predicate }) =>
        resolved.literals.some(literal => !literal.negated && literal.predicate === predicate && sameTerms(atom, literal.atom)),
    );
    if (repeats) yield problem('RL1116', place, first.atom.span);
}

function sameTerms(left: Atom, right: Atom): boolean {
    return left.arguments.length === right.arguments.length && left.arguments.every((term, i) => sameTerm(term, right.arguments[i]));
}

export function sameTerm(left: Expression, right: Expression | undefined): boolean {
    if (left.kind !== right?.kind) return false;
    switch (left.kind) {
        case 'variable':
            return right.kind === 'variable' && left.name === right.name;
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
            return right.kind === left.kind && left.value === right.value;
        default:
            return false;
    }
}
