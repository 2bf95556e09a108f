import type { Clause, Expression } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { annotationAddition, inDocument, replacement } from '../quick-fixes/fix.ts';
import { freshParameter } from './fresh-names.ts';
import { inFile, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { clauseExpressions, isConstant, isPrompting } from './rule-parts.ts';

/** A constant becomes a parameter of the program with the constant as its default. */
export function* extractParameter(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, clause, text } = request;
    const found = constantAt(clause, request.selection);
    const written = found && text.slice(found.span.start, found.span.end);
    if (found === undefined || written === undefined || written.includes('${')) return;
    const name = freshParameter(request, 'value');
    yield inFile(document, { kind: 'extract', title: 'Extract to a parameter', madeUp: name }, [
        inDocument(clause, replacement(found.span, `?${name}`)),
        annotationAddition(document, 'param', `@param("${name}", ${written}).`),
    ]);
}

function constantAt(clause: Clause, { start, end }: RefactoringRequest['selection']): Expression | undefined {
    let waiting = clauseExpressions(clause);
    for (;;) {
        const around = waiting.find(({ span }) => span.start <= start && end <= span.end);
        if (around === undefined) return undefined;
        if (isConstant(around)) return around;
        if (hasFixedArguments(around)) return undefined;
        waiting = partsOf(around);
    }
}

/** Keys of structs, options of aggregates and prompts are a part of the program, not values. */
function hasFixedArguments(expression: Expression): boolean {
    return expression.kind === 'aggregate' || (expression.kind === 'call' && (expression.name === 'struct' || isPrompting(expression)));
}
