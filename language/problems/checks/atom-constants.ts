import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import { typeOfConstant } from '#language/library/expression-type.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Constant } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { printType, type Type } from '#language/program/types.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** Constants in body atoms that no value of their column can be equal to: RL4031. */
export function* checkAtomConstants({ resolved, place }: RuleFacts, columns: ColumnTypes): Iterable<Problem> {
    for (const { atom, predicate } of resolved.literals) {
        const types = columns.get(predicate) ?? [];
        for (const [i, term] of atom.arguments.entries()) {
            const type = types[i];
            if (type === undefined || !isKnownConstant(term)) continue;
            const [own, wanted] = [comparisonClass(typeOfConstant(term)), comparisonClass(type)];
            if (own === undefined || wanted === undefined || own === wanted) continue;
            const found = problem('RL4031', place, term.span, i + 1, atom.predicate, printType(type), printExpression(term));
            yield withRemedy(found, remedyFor(term, type));
        }
    }
}

/** Returns a remedy if the constant shows what its author meant. */
function remedyFor(term: Constant, type: Type): string | undefined {
    if (term.kind !== 'string') return comparisonClass(type) === 'string' ? say`write it as text: '"${printExpression(term)}"'` : undefined;
    const { value } = term;
    const isWrittenPlainly = comparisonClass(type) === 'number' ? NUMBER.test(value) : comparisonClass(type) === 'time' && DATE.test(value);
    if (isWrittenPlainly) return say`write it without quotes: '${value}'`;
    return VARIABLE.test(value) ? say`for a variable, write it without quotes: '${value}'` : undefined;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/u;
const DATE = /^\d{4}-\d{2}-\d{2}$/u;
const VARIABLE = /^[A-Z]\w*$/u;
