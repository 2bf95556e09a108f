import type { CallText, ClauseText, HashText } from '#language/generated/ast.ts';
import { withForm } from '#language/problems/catalogue.ts';
import { isAggregateName } from '#language/program/aggregates.ts';
import type { Body, Item, RelationCall } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { type Span, spanning } from '#language/program/span.ts';
import { stringContent } from '#language/symbols/string-content.ts';
import { clauseProblem } from '#language/syntax/clause-problem.ts';
import { type Report, stringConstant } from '#language/syntax/literals.ts';
import { queryBodyAt } from '#language/syntax/query-body.ts';
import { lowerAggregate, lowerExpression, lowerItemExpression } from './lower-expression.ts';
import { type ExpressionText, flatten, spanOf } from './operators.ts';

/** Lowers what stands between the arrow and the final dot; `text` is that of the clause. */
export function lowerBody(clause: ClauseText, text: string, report: Report): Body {
    if (clause.query !== undefined) return queryBody(clause, text);
    const items: readonly ExpressionText[] = clause.items;
    const [only] = items;
    if (only !== undefined && items.length === 1) {
        if (only.$type === 'HashText' && isRelationName(only.name)) {
            const call = relationCall(only, report);
            return { kind: 'relation-function', call, span: call.span };
        }
        const script = only.$type === 'CallText' ? scriptName(only, report) : undefined;
        if (script !== undefined) return { kind: 'script', script, span: spanOf(only) };
    }
    const lowered = items.map(item => lowerItem(item, text, report));
    const first = lowered[0]?.span ?? { start: 0, end: 0 };
    return { kind: 'items', items: lowered, span: spanning(first, lowered.at(-1)?.span ?? first) };
}

function queryBody(clause: ClauseText, text: string): Body {
    const query = clause.query ?? '';
    const end = text.lastIndexOf(query);
    const span = { start: end, end: end + query.length };
    return { kind: 'query', language: queryBodyAt(text, span.start)?.language ?? 'sql', text: query, span };
}

function isRelationName(name: string): boolean {
    return /^#[A-Z]/.test(name);
}

function scriptName(call: CallText, report: Report): string | undefined {
    const [argument, ...more] = call.arguments as readonly ExpressionText[];
    if (call.name !== 'python:run' || argument?.$type !== 'StringText' || more.length > 0) return undefined;
    const constant = stringConstant(argument.text, spanOf(argument), report);
    return constant.kind === 'string' ? constant.value : undefined;
}

function relationCall(text: HashText, report: Report): RelationCall {
    const span = spanOf(text);
    const [input, options, ...more] = text.arguments as readonly ExpressionText[];
    const name = text.name.slice(1);
    const surplus = options !== undefined && options.$type !== 'StringText' ? options : more[0];
    if (surplus !== undefined) report(misplaced(surplus, say`one string of options`));
    const optional = options?.$type === 'StringText' ? { options: stringOf(options.text, spanOf(options), report) } : {};
    return { name, input: relationInput(input, span, report), ...optional, span };
}

function relationInput(input: ExpressionText | undefined, call: Span, report: Report): RelationCall['input'] {
    const span = input === undefined ? call : spanOf(input);
    if (input?.$type === 'CallText' && !input.parenthesised) return { kind: 'predicate', text: input.name, span };
    if (input?.$type === 'StringText')
        return { kind: 'query', text: stringOf(input.text, span, report).value, ...escapesIn(input.text, span), span };
    const expected = say`a predicate name or a query in a string`;
    report(
        input === undefined ? clauseProblem('RL0005', { start: call.end - 1, end: call.end }, expected, ')') : misplaced(input, expected),
    );
    return { kind: 'predicate', text: '', span };
}

function escapesIn(text: string, { start, end }: Span): { readonly places?: readonly number[] } {
    const { value, at } = stringContent({ kind: 'string', text, start, end });
    return value.length === text.length - 2 ? {} : { places: Array.from(value, (_, i) => at(i)) };
}

/** Variables in a call belong to the head; anything else is simply not expected there. */
function misplaced(text: ExpressionText, expected: string) {
    const span = spanOf(text);
    if (text.$type === 'VariableText' || text.$type === 'CallText') return clauseProblem('RL7102', span);
    return clauseProblem('RL0005', span, expected, text.$cstNode?.text ?? '');
}

function stringOf(text: string, span: Span, report: Report) {
    const constant = stringConstant(text, span, report);
    return constant.kind === 'string' ? constant : { kind: 'string' as const, value: '', span };
}

function lowerItem(item: ExpressionText, text: string, report: Report): Item {
    const span = spanOf(item);
    if (item.$type === 'DomainText') return { kind: 'domain', span };
    if (item.$type === 'CallText' && item.parenthesised) return callItem(item, span, false, report);
    if (item.$type === 'PrefixText' && (item.operator === 'not' || item.operator === '~')) {
        const { operand } = item;
        if (operand.$type === 'CallText' && operand.parenthesised && operand.name !== 'dom') return callItem(operand, span, true, report);
    }
    if (item.$type === 'CallText' && !item.parenthesised) {
        const problem = clauseProblem('RL0046', span, item.name);
        report(withForm(problem, `${item.name}()`));
        return { kind: 'expression', expression: { kind: 'null', span }, span };
    }
    if (item.$type === 'BinaryText') reportArrowBetweenAtoms(item, text, report);
    return { kind: 'expression', expression: lowerItemExpression(item, report), span };
}

/** Whether `name(…)` is an atom or a function used as a condition is decided by analysis. */
function callItem(call: CallText, span: Span, negated: boolean, report: Report): Item {
    const whole = spanOf(call);
    const contributors = (call.arguments as readonly ExpressionText[]).some(argument => argument.$type === 'ContributorsText');
    if (call.name === 'dom') report(clauseProblem('RL0044', whole));
    if (contributors && !negated && isAggregateName(call.name))
        return { kind: 'expression', expression: lowerAggregate(call, call.name, report), span };
    const nameSpan = { start: whole.start, end: whole.start + call.name.length };
    const values = call.arguments.map(argument => lowerExpression(argument, report));
    return { kind: 'atom', negated, atom: { predicate: call.name, arguments: values, nameSpan, span: whole }, span };
}

/** `X<-3` compares, but an arrow between two atoms is a second arrow. */
function reportArrowBetweenAtoms(item: Extract<ExpressionText, { $type: 'BinaryText' }>, text: string, report: Report): void {
    const { operands, operators } = flatten(item);
    for (const [index, { text: operator, span }] of operators.entries()) {
        if (operator !== '<-') continue;
        const atoms = isCall(operands[index]) && isCall(operands[index + 1]) && /\s/.test(text.charAt(span.end));
        if (atoms) report(clauseProblem('RL0005', span, [',', '.'], '<-'));
    }
}

function isCall(operand: ExpressionText | undefined): boolean {
    return operand?.$type === 'CallText' && operand.parenthesised;
}
