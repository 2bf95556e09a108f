import type { CallText, PrefixText, PrimaryText } from '#language/generated/ast.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { withForm } from '#language/problems/catalogue.ts';
import { type AggregateName, isAggregateName } from '#language/program/aggregates.ts';
import { COMPARISON_LEVEL, LEVELS } from '#language/program/precedence.ts';
import type { Aggregate, Expression, Variable } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { type Span, spanning } from '#language/program/span.ts';
import { clauseProblem } from '#language/syntax/clause-problem.ts';
import { numberConstant, type Report, stringConstant, timeConstant } from '#language/syntax/literals.ts';
import type { ClauseProblem } from '#language/syntax/parsed-clause.ts';
import { type ExpressionText, flatten, type Operator, spanOf } from './operators.ts';

/** Lowers an expression; `=` and `<-` are refused in it. */
export function lowerExpression(text: ExpressionText, report: Report): Expression {
    if (text.$type !== 'BinaryText') return lowerPrimary(text, report);
    const { operands, operators } = flatten(text);
    for (const operator of operators) {
        if (operator.text === '=') report(withForm(clauseProblem('RL0005', operator.span, ['=='], '='), '=='));
    }
    return climb(operands, operators, report);
}

/** Lowers a whole body item, where `=` may stand and `X<-3` is read as `X < -3`. */
export function lowerItemExpression(text: ExpressionText, report: Report): Expression {
    if (text.$type === 'PrefixText' && (text.operator === 'not' || text.operator === '~')) return refusedNegation(text, report);
    if (text.$type !== 'BinaryText') return lowerPrimary(text, report);
    const { operands, operators } = flatten(text);
    return climb(operands, operators, report);
}

/** Builds the tree that 2.2 gives to `operands[0] operators[0] operands[1] …`. */
function climb(operands: readonly PrimaryText[], operators: readonly Operator[], report: Report): Expression {
    let next = 0;
    return binary(0, operand(0));

    function operand(level: number): Expression {
        const text = operands[next];
        const arrow = operators[next - 1];
        next++;
        if (text === undefined) throw new Error('An operator without its right side reached lowering');
        if (arrow?.text === '<-') {
            report(clauseProblem('RL0015', arrow.span));
            return negated(text, { start: arrow.span.start + 1, end: arrow.span.end }, report);
        }
        if (text.$type === 'PrefixText' && text.operator === '!') return negation(text, Math.max(level, COMPARISON_LEVEL));
        return lowerPrimary(text, report);
    }

    /** `!` takes the whole comparison that follows it, unless it stands inside one. */
    function negation(prefix: PrefixText, level: number): Expression {
        const inner = prefix.operand;
        const first = inner.$type === 'PrefixText' && inner.operator === '!' ? negation(inner, level) : lowerPrimary(inner, report);
        const whole = binary(level, first);
        return { kind: 'unary', operator: '!', operand: whole, span: spanning(spanOf(prefix), whole.span) };
    }

    function binary(level: number, first: Expression): Expression {
        let left = first;
        let compared = -1;
        for (let operator = operators[next - 1]; operator !== undefined; operator = operators[next - 1]) {
            const { name, span } = meaning(operator);
            const own = LEVELS[name];
            if (own < level) break;
            if (isComparison(own) && compared === own) report(chained(left, span));
            compared = own;
            const right = binary(own + 1, operand(own + 1));
            left = { kind: 'binary', operator: name, left, right, operatorSpan: span, span: spanning(left.span, right.span) };
        }
        return left;
    }
}

/** `A = 1 && B = 2`: the value of the first is all that follows its sign. */
function chained(left: Expression, span: Span): ClauseProblem {
    const found = clauseProblem('RL0043', span);
    const isJoined = left.kind === 'binary' && left.operator === '=' && left.right.kind === 'binary' && JOINING.has(left.right.operator);
    return isJoined ? { ...found, remedy: say`write '==' for '=', which takes all that follows as its value` } : found;
}

const JOINING: ReadonlySet<string> = new Set(['&&', '||']);

function isComparison(level: number): boolean {
    return level === COMPARISON_LEVEL || level === LEVELS['='];
}

function meaning(operator: Operator): { readonly name: keyof typeof LEVELS; readonly span: Span } {
    switch (operator.text) {
        case '<>':
            return { name: '!=', span: operator.span };
        case '<-':
            return { name: '<', span: { start: operator.span.start, end: operator.span.start + 1 } };
        default:
            return { name: operator.text, span: operator.span };
    }
}

/** `-` before an operand; before a number it is that number's sign. */
function negated(operand: PrimaryText, minus: Span, report: Report): Expression {
    const span = spanning(minus, spanOf(operand));
    if (operand.$type === 'NumberText') return numberConstant(operand.text, true, span, report);
    return { kind: 'unary', operator: '-', operand: lowerPrimary(operand, report), span };
}

function lowerPrimary(text: PrimaryText, report: Report): Expression {
    const span = spanOf(text);
    switch (text.$type) {
        case 'VariableText':
            return text.name.startsWith('_') ? { kind: 'anonymous', name: text.name, span } : { kind: 'variable', name: text.name, span };
        case 'StringText':
            return stringConstant(text.text, span, report);
        case 'NumberText':
            return numberConstant(text.text, false, span, report);
        case 'TimeText':
            return timeConstant(text.text, span, report);
        case 'BooleanText':
            return { kind: 'boolean', value: text.text === '#T', span };
        case 'NullText':
            return { kind: 'null', span };
        case 'ParameterText':
            return { kind: 'parameter', name: text.text.replace(/[?${}]/g, ''), span };
        case 'ListText':
            return { kind: 'list', items: text.items.map(item => lowerExpression(item, report)), span };
        case 'SetText':
            return { kind: 'set', items: text.items.map(item => lowerExpression(item, report)), span };
        case 'ParenthesisText':
            return parenthesised(lowerExpression(text.inner, report), span);
        case 'PrefixText':
            return lowerPrefix(text, report);
        case 'CallText':
            return lowerCall(text, report);
        case 'HashText':
            return lowerHash(text.name, text.arguments, span, report);
        case 'ContributorsText':
            report(clauseProblem('RL0005', { start: span.start, end: span.start + 1 }, say`a value`, '<'));
            return { kind: 'null', span };
        case 'DomainText':
            report(clauseProblem('RL0005', span, say`a value`, text.text));
            return { kind: 'null', span };
    }
}

/** An operator expression owns the parentheses around it; a name does not, so that renaming leaves them alone. */
function parenthesised(inner: Expression, span: Span): Expression {
    return inner.kind === 'binary' || inner.kind === 'unary' ? { ...inner, span } : inner;
}

function lowerPrefix(text: PrefixText, report: Report): Expression {
    const span = spanOf(text);
    switch (text.operator) {
        case '-':
            return negated(text.operand, { start: span.start, end: span.start + 1 }, report);
        case '!':
            return { kind: 'unary', operator: '!', operand: lowerPrimary(text.operand, report), span };
        case 'not':
        case '~':
            return functionForm(text, report) ?? refusedNegation(text, report);
    }
}

/** `not(B)` inside an expression calls the function. */
function functionForm(text: PrefixText, report: Report): Expression | undefined {
    const span = spanOf(text);
    const nameSpan = { start: span.start, end: span.start + text.operator.length };
    const { operand } = text;
    if (text.operator !== 'not' || operand.$type !== 'ParenthesisText' || spanOf(operand).start !== nameSpan.end) return undefined;
    return { kind: 'call', name: 'not', arguments: [lowerExpression(operand.inner, report)], nameSpan, span };
}

function refusedNegation(text: PrefixText, report: Report): Expression {
    const span = spanOf(text);
    report(withAtomRemedy(clauseProblem('RL0041', { start: span.start, end: span.start + text.operator.length }), text.operand));
    return { kind: 'unary', operator: '!', operand: lowerPrimary(text.operand, report), span };
}

/** In parentheses, a call of an unknown function was meant as an atom. */
function withAtomRemedy(problem: ClauseProblem, operand: PrimaryText): ClauseProblem {
    const inner = operand.$type === 'ParenthesisText' ? operand.inner : operand;
    if (inner.$type !== 'CallText' || !inner.parenthesised || functionNamed(inner.name) !== undefined) return problem;
    return { ...problem, remedy: say`write 'not ${inner.name}(…)' without parentheses around it` };
}

function lowerCall(text: CallText, report: Report): Expression {
    const span = spanOf(text);
    const nameSpan = { start: span.start, end: span.start + text.name.length };
    if (!text.parenthesised) {
        report(clauseProblem('RL0046', nameSpan, text.name));
        return { kind: 'null', span };
    }
    if (isAggregateName(text.name)) return lowerAggregate(text, text.name, report);
    if (text.name === 'dom') report(clauseProblem('RL0044', span));
    return { kind: 'call', name: text.name, arguments: text.arguments.map(item => lowerExpression(item, report)), nameSpan, span };
}

/** `#name(…)`: a Skolem term. A relation function is lowered where it is the whole body, and refused here. */
function lowerHash(name: string, texts: readonly ExpressionText[], span: Span, report: Report): Expression {
    if (/^#[A-Z]/.test(name)) {
        report(clauseProblem('RL2010', { start: span.start, end: span.start + name.length }, `'${name}'`));
        return { kind: 'null', span };
    }
    return { kind: 'skolem', name: name.slice(1), arguments: texts.map(item => lowerExpression(item, report)), span };
}

/** Lowers an aggregate with its contributor list, wherever it stands; analysis judges the place. */
export function lowerAggregate(text: CallText, name: AggregateName, report: Report): Aggregate {
    const span = spanOf(text);
    const contributors: Variable[] = [];
    const values: Expression[] = [];
    let listed = false;
    for (const argument of text.arguments as readonly ExpressionText[]) {
        if (argument.$type !== 'ContributorsText' || listed) values.push(lowerExpression(argument, report));
        else {
            listed = true;
            for (const variable of argument.variables) contributors.push(contributor(variable.name, spanOf(variable), report));
        }
    }
    const nameSpan = { start: span.start, end: span.start + name.length };
    const aggregate: Aggregate = { kind: 'aggregate', name, arguments: values, nameSpan, span };
    return listed ? { ...aggregate, contributors } : aggregate;
}

function contributor(name: string, span: Span, report: Report): Variable {
    if (name.startsWith('_')) report(clauseProblem('RL0005', span, say`a variable`, name));
    return { kind: 'variable', name, span };
}
