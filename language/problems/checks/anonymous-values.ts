import type { ReadItem, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Anonymous variables where a value is read: RL2002. As a term of an atom or of a head they need none. */
export function* checkAnonymousValues({ rule, items, place }: RuleFacts): Iterable<Problem> {
    const heads = rule.head.kind === 'atoms' ? rule.head.atoms.flatMap(atom => atom.arguments) : [];
    const read = [...heads.filter(term => term.kind !== 'anonymous'), ...items.flatMap(readBy)];
    for (const { name, span } of read.flatMap(anonymousIn)) yield problem('RL2002', place, span, name);
}

function readBy(item: ReadItem): Expression[] {
    switch (item.kind) {
        case 'condition':
        case 'negated-condition':
            return [item.expression];
        case 'equation':
            return [item.value];
        case 'literal':
        case 'joined-atoms':
        case 'domain':
            return [];
    }
}

type Anonymous = Extract<Expression, { kind: 'anonymous' }>;

function anonymousIn(expression: Expression): Anonymous[] {
    const found: Anonymous[] = [];
    visitExpression(expression, part => {
        if (part.kind === 'anonymous') found.push(part);
    });
    return found;
}
