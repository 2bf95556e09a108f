import { printAtomText, printExpression } from '#language/program/print.ts';
import type { Span } from '#language/program/span.ts';
import type { AtomItem, RuleItem } from './rule-body.ts';

/** As written, but what tests or computes not before its variables have values. */
export function inBodyOrder(items: readonly RuleItem[]): RuleItem[] {
    const left = [...items].sort((a, b) => itemSpan(a).start - itemSpan(b).start);
    const bound = new Set<number>();
    const ordered: RuleItem[] = [];
    while (left.length > 0) {
        const ready = left.findIndex(item => item.kind === 'atom' || needsOf(item).every(slot => bound.has(slot)));
        const [next] = left.splice(Math.max(0, ready), 1);
        if (next === undefined) break;
        ordered.push(next);
        for (const slot of next.kind === 'assignment' ? [next.slot] : next.kind === 'atom' ? needsOf(next) : []) bound.add(slot);
    }
    return ordered;
}

/** The registers that it needs, or gives a value to. */
function needsOf(item: RuleItem): readonly number[] {
    switch (item.kind) {
        case 'atom':
        case 'negation':
            return item.terms.flatMap(({ needs }) => needs);
        case 'condition':
        case 'assignment':
            return item.needs;
    }
}

/** As the rule writes it. */
export function itemText(item: RuleItem): string {
    switch (item.kind) {
        case 'atom':
            return atomText(item);
        case 'negation':
            return `not ${atomText(item)}`;
        case 'condition':
            return printExpression(item.condition.expression);
        case 'assignment':
            return `${item.assignment.variable.name} = ${printExpression(item.assignment.value)}`;
    }
}

function atomText({ literal }: AtomItem): string {
    return printAtomText(literal.atom);
}

export function itemSpan(item: RuleItem): Span {
    switch (item.kind) {
        case 'atom':
        case 'negation':
            return item.literal.atom.span;
        case 'condition':
            return item.condition.expression.span;
        case 'assignment':
            return { start: item.assignment.variable.span.start, end: item.assignment.value.span.end };
    }
}
