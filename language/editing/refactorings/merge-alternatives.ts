import { typeOfExpression } from '#language/library/expression-type.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import { printExpression, printItemText } from '#language/program/print.ts';
import type { Expression, Item } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { isNumeric, MIXED, printType, type Type } from '#language/program/types.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { clauseRemoval, inDocument } from '../quick-fixes/fix.ts';
import { inFile, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { type BodyItem, bodyItems, contributes, createsNulls, hasComment, isPlain } from './rule-parts.ts';

/** Two rules that differ in a condition and its opposite become one, whose head has `if(condition, …, …)` where they differ. */
export function* mergeAlternatives({
    document,
    clause,
    rule,
    text,
    tokens,
    selection,
    programs,
}: RefactoringRequest): Iterable<Refactoring> {
    if (rule === undefined || selection.start > rule.rule.head.span.end || hasComment(text)) return;
    const isMergeable = (one: AnalysedRule): boolean =>
        one.heads.length === 1 && isPlain(one.rule) && !createsNulls(one) && !contributes(programs, one);
    const items = isMergeable(rule) ? bodyItems(rule, tokens) : undefined;
    if (items === undefined) return;
    for (const other of document.analysed.rules) {
        if (other === rule || other.heads[0]?.predicate !== rule.heads[0]?.predicate || !isMergeable(other)) continue;
        const { annotations, documentation, place } = other.rule;
        const otherText = place.file === document.file ? clauseText(document, other.rule) : undefined;
        if (otherText === undefined || annotations.length > 0 || documentation !== undefined || hasComment(otherText)) continue;
        const alternative = alternativesOf(rule, items, other);
        const head = alternative && mergedHead([rule, text], [other, otherText], alternative);
        if (alternative === undefined || head === undefined) continue;
        const kept = items.filter(item => item !== alternative.item).map(({ span }) => text.slice(span.start, span.end));
        const body = [...kept, ...(alternative.known === undefined ? [] : [`is_not_null(${alternative.known})`])];
        const { start } = rule.rule.head.span;
        const merged = `${head} <- ${body.join(', ')}.`;
        yield inFile(document, { kind: 'rewrite', title: say`Merge with the rule of the opposite condition, with 'if'` }, [
            inDocument(clause, { start, end: text.length, text: merged }),
            clauseRemoval(document, other.rule),
        ]);
        return;
    }
}

/** The difference of two rules. */
interface Alternative {
    /** The item of the first rule that the other one has not. */
    readonly item: BodyItem;
    /** The condition for which one of them fires; the other one fires where it does not hold. */
    readonly condition: Expression;
    readonly isFirst: boolean;
    /** A variable that neither fires for where it is unknown. */
    readonly known?: string;
}

function alternativesOf(rule: AnalysedRule, items: readonly BodyItem[], { rule: other }: AnalysedRule): Alternative | undefined {
    if (other.body.kind !== 'items' || other.body.items.length !== items.length || items.length < 2) return undefined;
    const left = new Map<string, Item[]>();
    for (const item of other.body.items) left.set(printItemText(item), [...(left.get(printItemText(item)) ?? []), item]);
    const own = items.filter(({ item }) => left.get(printItemText(item))?.pop() === undefined);
    const [item, ...more] = own;
    const [opposite] = [...left.values()].flat();
    if (item?.item.kind !== 'expression' || more.length > 0 || opposite?.kind !== 'expression') return undefined;
    const [one, two] = [item.item.expression, opposite.expression];
    if (isNegationOf(two, one)) return { item, condition: one, isFirst: true };
    if (isNegationOf(one, two)) return { item, condition: two, isFirst: false };
    const known = opposites(one, two, rule);
    return known === undefined ? undefined : { item, condition: one, isFirst: true, known };
}

/** `!(c)` of a comparison: exactly one of both holds, unknown values included (D-20). */
function isNegationOf(negated: Expression, condition: Expression): boolean {
    return (
        negated.kind === 'unary' &&
        negated.operator === '!' &&
        isSimple(condition) &&
        printExpression(negated.operand) === printExpression(condition)
    );
}

const OPPOSITES: ReadonlyMap<string, string> = new Map([
    ['==', '!='],
    ['!=', '=='],
    ['<', '>='],
    ['>=', '<'],
    ['>', '<='],
    ['<=', '>'],
]);

/** The variable for whose known values exactly one of the comparisons holds. */
function opposites(one: Expression, two: Expression, rule: AnalysedRule): string | undefined {
    if (one.kind !== 'binary' || two.kind !== 'binary' || OPPOSITES.get(one.operator) !== two.operator) return undefined;
    const areSame = printExpression(one.left) === printExpression(two.left) && printExpression(one.right) === printExpression(two.right);
    if (!areSame || one.left.kind !== 'variable' || !isKnownConstant(one.right)) return undefined;
    if (one.operator === '==' || one.operator === '!=') return one.left.name;
    // Values of different kinds are in no order, so that neither would hold.
    const [left, right] = [typeIn(one.left, rule), typeIn(one.right, rule)].map(kindOf);
    return left !== undefined && left === right ? one.left.name : undefined;
}

function isSimple(condition: Expression): boolean {
    return condition.kind === 'binary' && OPPOSITES.has(condition.operator) && [condition.left, condition.right].every(isOperand);
}

function isOperand(expression: Expression): boolean {
    return expression.kind === 'variable' || isKnownConstant(expression);
}

function typeIn(expression: Expression, { types }: AnalysedRule): Type {
    return typeOfExpression(expression, { variable: name => types.get(name) ?? MIXED, parameter: () => MIXED });
}

/** Returns the kind of values that an order compares; undefined if the type may hold several kinds. */
function kindOf(type: Type): string | undefined {
    if (isNumeric(type)) return 'number';
    return type.kind === 'string' || type.kind === 'date' || type.kind === 'timestamp' ? type.kind : undefined;
}

/** The head with `if` in the columns that differ; nothing where a column would have values of another type than before. */
function mergedHead(
    [rule, text]: readonly [AnalysedRule, string],
    [other, otherText]: readonly [AnalysedRule, string],
    { condition, isFirst }: Alternative,
): string | undefined {
    const [atom, otherAtom] = [rule.heads[0]?.atom, other.heads[0]?.atom];
    if (atom === undefined || otherAtom?.arguments.length !== atom.arguments.length) return undefined;
    let differs = false;
    const terms = atom.arguments.map((term, column) => {
        const there = otherAtom.arguments[column];
        const [own, foreign] = [text.slice(term.span.start, term.span.end), there && otherText.slice(there.span.start, there.span.end)];
        if (there === undefined || foreign === undefined) return undefined;
        if (printExpression(term) === printExpression(there)) return own;
        differs = true;
        const type = typeIn(term, rule);
        if (type.kind === 'mixed' || type.kind === 'unknown' || printType(type) !== printType(typeIn(there, other))) return undefined;
        const [yes, no] = isFirst ? [own, foreign] : [foreign, own];
        return `if(${printExpression(condition)}, ${yes}, ${no})`;
    });
    if (!differs || terms.includes(undefined)) return undefined;
    return `${text.slice(atom.nameSpan.start, atom.nameSpan.end)}(${terms.join(', ')})`;
}
