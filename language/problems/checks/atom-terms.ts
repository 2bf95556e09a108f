import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { isConstantTerm } from '#language/program/constants.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Terms of body atoms that are neither variables nor constants: RL1107. */
export function* checkAtomTerms({ resolved, place }: RuleFacts): Iterable<Problem> {
    for (const { atom } of resolved.literals) {
        for (const term of atom.arguments) {
            if (term.kind !== 'variable' && term.kind !== 'anonymous' && term.kind !== 'aggregate' && !isConstantOrSigned(term)) {
                yield problem('RL1107', place, term.span);
            }
        }
    }
}

function isConstantOrSigned(term: Expression): boolean {
    return isSigned(term) || isConstantTerm(term, isConstantOrSigned);
}

function isSigned(term: Expression): boolean {
    return term.kind === 'unary' && term.operator === '-' && (term.operand.kind === 'integer' || term.operand.kind === 'double');
}
