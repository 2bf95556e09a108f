import type { BinaryText, PrimaryText } from '#language/generated/ast.ts';
import type { Span } from '#language/program/span.ts';

/** The type that the generator makes for an infix rule is its binary node only. */
export type ExpressionText = BinaryText | PrimaryText;

export interface Operator {
    readonly text: BinaryText['operator'];
    readonly span: Span;
}

/** An operator expression as it is written: `operands[0] operators[0] operands[1] …`. */
export interface FlatExpression {
    readonly operands: readonly PrimaryText[];
    readonly operators: readonly Operator[];
}

export function flatten(expression: BinaryText): FlatExpression {
    const operands: PrimaryText[] = [];
    const operators: BinaryText['operator'][] = [];
    const waiting: ExpressionText[] = [expression];
    const after: (BinaryText['operator'] | undefined)[] = [undefined];
    while (waiting.length > 0) {
        const node = waiting.pop();
        const operator = after.pop();
        if (node === undefined) break;
        if (node.$type !== 'BinaryText') {
            operands.push(node);
            if (operator !== undefined) operators.push(operator);
            continue;
        }
        waiting.push(node.right, node.left);
        after.push(operator, node.operator);
    }
    const spans = operatorSpans(expression);
    return { operands, operators: operators.map((text, index) => ({ text, span: spans[index] ?? spanOf(expression) })) };
}

/** Every node of an infix tree shares one syntax node, whose leaves are the operators in text order. */
function operatorSpans(expression: BinaryText): Span[] {
    const node = expression.$cstNode;
    if (node === undefined || !('content' in node)) return [];
    const content = node.content as readonly {
        readonly hidden: boolean;
        readonly offset: number;
        readonly end: number;
        readonly content?: unknown;
    }[];
    return content.filter(child => !child.hidden && child.content === undefined).map(child => ({ start: child.offset, end: child.end }));
}

export function spanOf(node: { readonly $cstNode?: { readonly offset: number; readonly end: number } | undefined }): Span {
    return { start: node.$cstNode?.offset ?? 0, end: node.$cstNode?.end ?? 0 };
}
