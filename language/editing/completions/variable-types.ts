import { type ComparisonClass, comparisonClass } from '#language/library/comparison-class.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { isClosing, isOpening } from '#language/syntax/brackets.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { OpenCall } from '../completion-context.ts';
import { predicateMeant } from '../predicates-named.ts';

/** The classes of the values that the body atoms of a clause give its variables, as far as columns tell; the clause may be half typed. */
export function variableClasses(analysed: AnalysedProgram, text: string): ReadonlyMap<string, ComparisonClass> {
    const found = new Map<string, ComparisonClass>();
    for (const { variable, name, index } of variableTerms(text)) {
        const own = found.has(variable) ? undefined : columnClass(analysed, name, index);
        if (own !== undefined) found.set(variable, own);
    }
    return found;
}

/** A variable that is a term of a body atom. */
interface VariableTerm extends OpenCall {
    readonly variable: string;
}

/** The variables that are terms of the body atoms of a clause, which may be half typed. */
export function* variableTerms(text: string): Iterable<VariableTerm> {
    const open: { readonly name: string | undefined; commas: number }[] = [];
    const tokens = tokenize(text);
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    for (const [at, token] of tokens.entries()) {
        if (at <= arrow) continue;
        const innermost = open.at(-1);
        if (isOpening(token)) {
            const before = tokens[at - 1];
            open.push({ name: before?.kind === 'name' ? before.text : undefined, commas: 0 });
        } else if (isClosing(token)) open.pop();
        else if (token.text === ',' && innermost !== undefined) innermost.commas++;
        else if (token.kind === 'variable' && innermost?.name !== undefined && open.length === 1)
            yield { variable: token.text, name: innermost.name, index: innermost.commas };
    }
}

/** The class of the values in a column of a predicate that is used with at least so many terms. */
export function columnClass(analysed: AnalysedProgram, name: string, index: number): ComparisonClass | undefined {
    const type = predicateMeant(analysed, name, index + 1)?.columns[index]?.type;
    return type && comparisonClass(type);
}
