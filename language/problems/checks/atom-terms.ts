import type { RuleFacts } from '#language/analysis/program-facts.ts';
import { isConstantTerm } from '#language/program/constants.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { problem, suggesting, withRemedy } from '../catalogue.ts';
import { takesGoals } from '../foreign-predicates.ts';

/** Terms of body atoms that are neither variables nor constants: RL1107. */
export function* checkAtomTerms({ resolved, place }: RuleFacts): Iterable<Problem> {
    const plain = new Set(resolved.literals.flatMap(({ atom }) => variableNames(atom.arguments)));
    for (const { atom } of resolved.literals) {
        if (takesGoals(atom.predicate)) continue;
        for (const term of atom.arguments) {
            if (term.kind !== 'variable' && term.kind !== 'anonymous' && term.kind !== 'aggregate' && !isConstantOrSigned(term)) {
                const found = problem('RL1107', place, term.span);
                const joined = joinedName(term, plain);
                if (term.kind === 'list') yield withRemedy(found, say`take the list apart with 'collections:get'`);
                else if (joined === undefined) yield found;
                else yield suggesting(found, { kind: 'write', text: joined }, say`names have no '-', write '${joined}'`);
            }
        }
    }
}

/** `First-Name` may be meant as one name. */
function joinedName(term: Expression, bound: ReadonlySet<string>): string | undefined {
    if (term.kind !== 'binary' || term.operator !== '-') return undefined;
    const { left, right } = term;
    if (left.kind !== 'variable' || right.kind !== 'variable' || right.span.start !== left.span.end + 1) return undefined;
    if (bound.has(left.name) || bound.has(right.name)) return undefined;
    return `${left.name}${right.name}`;
}

function isConstantOrSigned(term: Expression): boolean {
    return isSigned(term) || isConstantTerm(term, isConstantOrSigned);
}

function isSigned(term: Expression): boolean {
    return term.kind === 'unary' && term.operator === '-' && (term.operand.kind === 'integer' || term.operand.kind === 'double');
}
