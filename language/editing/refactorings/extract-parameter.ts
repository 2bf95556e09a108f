import { functionNamed } from '#language/library/function-catalogue.ts';
import { parameterAt } from '#language/library/function-entry.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { annotationAddition, inDocument, replacement } from '../quick-fixes/fix.ts';
import { freshParameter } from './fresh-names.ts';
import { inFile, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { clauseExpressions, isPrompting } from './rule-parts.ts';

/** A constant becomes a parameter of the program with the constant as its default. */
export function* extractParameter(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, clause, text } = request;
    const found = constantAt(request);
    const written = found && text.slice(found.span.start, found.span.end);
    if (found === undefined || written === undefined || written.includes('${')) return;
    const name = freshParameter(request, 'value');
    yield inFile(document, { kind: 'extract', title: say`Extract to a parameter`, madeUp: name }, [
        inDocument(clause, replacement(found.span, `?${name}`)),
        annotationAddition(document, 'param', `@param("${name}", ${written}).`),
    ]);
}

function constantAt({ clause, selection: { start, end }, document }: RefactoringRequest): Expression | undefined {
    let around: Expression | undefined;
    for (;;) {
        const parts = around === undefined ? clauseExpressions(clause) : partsOf(around);
        const index = parts.findIndex(({ span }) => span.start <= start && end <= span.end);
        const part = parts[index];
        if (part === undefined || (around !== undefined && isFixed(around, part, index, document.analysed))) return undefined;
        if (isKnownConstant(part)) return part;
        around = part;
    }
}

/** Options of aggregates, keys of structs, prompts, lambdas and texts that decide a type are a part of the program, not values. */
function isFixed(around: Expression, part: Expression, index: number, { libraryPrefixes }: AnalysedProgram): boolean {
    if (around.kind === 'aggregate') return part.kind === 'string';
    if (around.kind !== 'call' || part.kind !== 'string') return false;
    const entry = functionNamed(around.name, libraryPrefixes);
    if (entry === undefined || isPrompting(around) || typeof entry.result === 'function' || entry.name === 'struct') return true;
    return parameterAt(entry, index, around.arguments.length)?.name === 'lambda';
}
