import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import type { AnalysedProgram, AnalysedRule, Column, Literal } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { TextEdit } from './format-edits.ts';
import { isNamed } from './signatures.ts';

/** Joins that are offered at a time. */
const MOST = 3;

/** A condition that joins an atom with another. */
export interface JoinFix {
    readonly title: string;
    readonly edits: readonly TextEdit[];
}

/** A term of an atom, and the column that it fills. */
interface Filled {
    readonly term: Expression;
    readonly column: Column;
}

/** Joins the body atom that begins at an offset with others of its rule by columns of the same name, which nothing compares yet. */
export function joinFixes({ analysed, file }: OpenDocument, start: number): JoinFix[] {
    for (const rule of analysed.rules) {
        const { place } = rule.rule;
        const own = place.file === file && rule.literals.find(({ atom }) => place.offset + atom.span.start === start);
        if (!own) continue;
        if (own.negated) return [];
        const others = othersOf(analysed, rule, own);
        const fixes = filledColumns(analysed, own).flatMap(({ term, column }) =>
            others.filter(other => isAlike(other.column, column)).flatMap(other => joined(rule, own, term, other)),
        );
        return fixes.slice(0, MOST);
    }
    return [];
}

/** The variables of the other atoms, with their columns. */
function othersOf(analysed: AnalysedProgram, { literals }: AnalysedRule, own: Literal): (Filled & { readonly name: string })[] {
    return literals
        .filter(literal => literal !== own && !literal.negated)
        .flatMap(literal => filledColumns(analysed, literal).map(filled => ({ ...filled, name: literal.atom.predicate })))
        .filter(({ term }) => term.kind === 'variable');
}

function filledColumns({ predicates }: AnalysedProgram, { atom, predicate: key }: Literal): Filled[] {
    const predicate = predicates.get(key);
    if (predicate === undefined) return [];
    return atom.arguments.flatMap((term, index) => {
        const column = predicate.columns[index];
        return column !== undefined && isNamed(predicate, index) ? [{ term, column }] : [];
    });
}

function isAlike(a: Column, b: Column): boolean {
    const [own, other] = [comparisonClass(a.type), comparisonClass(b.type)];
    return a.name.toLowerCase() === b.name.toLowerCase() && (own === undefined || other === undefined || own === other);
}

function joined(rule: AnalysedRule, { atom }: Literal, term: Expression, other: Filled & { readonly name: string }): JoinFix[] {
    const { place } = rule.rule;
    const [own, text] = [printExpression(term), printExpression(other.term)];
    const title = say`Join with ${other.name} by ${other.column.name}`;
    if (term.kind === 'anonymous') return [{ title, edits: [{ ...rangeOf({ place, span: term.span }), text }] }];
    if (term.kind !== 'variable' || own === text || isCompared(rule, own, text)) return [];
    const { end } = rangeOf({ place, span: atom.span });
    return [{ title, edits: [{ start: end, end, text: `, ${own} == ${text}` }] }];
}

function isCompared({ conditions }: AnalysedRule, own: string, other: string): boolean {
    return conditions.some(({ expression }) =>
        [`${own}==${other}`, `${other}==${own}`].includes(printExpression(expression).replace(/\s/gu, '')),
    );
}
