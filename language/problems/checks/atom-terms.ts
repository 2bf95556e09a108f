import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { problem } from '../catalogue.ts';

/** Terms of body atoms that are neither variables nor constants: RL1107. */
export function* checkAtomTerms({ resolved, place }: RuleFacts): Iterable<Problem> {
    for (const { atom } of resolved.literals) {
        for (const term of atom.arguments) {
            if (term.kind !== 'variable' && term.kind !== 'anonymous' && term.kind !== 'aggregate' && !isConstantTerm(term)) {
                yield problem('RL1107', place, term.span);
            }
        }
    }
}

/** A constant of the grammar (2.1): literals, signed numbers, collections of constants, struct calls, parameters. */
function isConstantTerm(term: Expression): boolean {
    switch (term.kind) {
        case 'string':
        case 'integer':
        case 'double':
        case 'boolean':
        case 'date':
        case 'timestamp':
        case 'null':
        case 'parameter':
            return true;
        case 'list':
        case 'set':
            return term.items.every(isConstantTerm);
        case 'call':
            return term.name === 'struct' && term.arguments.every(isConstantTerm);
        case 'unary':
            return term.operator === '-' && (term.operand.kind === 'integer' || term.operand.kind === 'double');
        case 'variable':
        case 'anonymous':
        case 'binary':
        case 'aggregate':
        case 'skolem':
            return false;
    }
}
