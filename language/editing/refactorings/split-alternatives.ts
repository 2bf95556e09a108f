import { isKnownConstant } from '#language/program/constants.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import type { Token } from '#language/syntax/token.ts';
import { splitAt, termsInside } from '../quick-fixes/clause-parts.ts';
import { inClause, lineBreakOf, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { type BodyItem, bodyItems, contributes, createsNulls, isPlain } from './rule-parts.ts';

/** A rule with `A || B`, or with `X in {a, b}`, becomes one for each alternative. */
export function* splitAlternatives(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, rule, text, tokens, selection } = request;
    if (rule === undefined || rule.rule.head.kind !== 'atoms') return;
    if (!isPlain(rule.rule) || createsNulls(rule) || contributes(request.programs, rule)) return;
    const item = bodyItems(rule, tokens)?.find(({ span }) => span.start <= selection.start && selection.end <= span.end);
    const alternatives = item === undefined ? [] : alternativesOf(item, tokens, text);
    if (item === undefined || alternatives.length < 2) return;
    const { start } = rule.rule.head.span;
    const rules = alternatives.map(alternative => text.slice(start, item.span.start) + alternative + text.slice(item.span.end));
    yield inClause(
        request,
        { kind: 'rewrite', title: say`Split into ${rules.length} rules, one for each alternative` },
        { start, end: text.length, text: rules.join(lineBreakOf(document.text)) },
    );
}

function alternativesOf({ item, span }: BodyItem, tokens: readonly Token[], text: string): readonly string[] {
    if (item.kind !== 'expression' || item.expression.kind !== 'binary') return [];
    const inside = tokens.filter(({ start, end }) => start >= span.start && end <= span.end);
    const { operator, left, right } = item.expression;
    if (operator === '||') {
        const parts = splitAt(inside, token => token.text === '||' && token.kind === 'operator');
        return operands(item.expression).every(isComparison) ? parts.map(({ start, end }) => text.slice(start, end)) : [];
    }
    const open = inside.findIndex(token => token.text === '{' || token.text === '[');
    const whole = open >= 0 && closingBrackets(inside).get(open) === inside.length - 1;
    if (operator !== 'in' || left.kind !== 'variable' || (right.kind !== 'set' && right.kind !== 'list') || !whole) return [];
    const kinds = new Set(right.items.map(({ kind }) => kind));
    if (kinds.size > 1 || !right.items.every(isKnownConstant)) return [];
    const elements = termsInside(inside, open)?.spans ?? [];
    return elements.map(({ start, end }) => `${left.name} == ${text.slice(start, end)}`);
}

function operands(expression: Expression): readonly Expression[] {
    if (expression.kind !== 'binary' || expression.operator !== '||') return [expression];
    return [...operands(expression.left), ...operands(expression.right)];
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '!in']);

/** Its value is never unknown, and it cannot fail where the alternatives before it guard it. */
function isComparison(expression: Expression): boolean {
    return expression.kind === 'binary' && COMPARISONS.has(expression.operator) && isValue(expression.left) && isValue(expression.right);
}

function isValue(expression: Expression): boolean {
    if (expression.kind === 'list' || expression.kind === 'set') return expression.items.every(isValue);
    return expression.kind === 'variable' || expression.kind === 'parameter' || isKnownConstant(expression);
}
