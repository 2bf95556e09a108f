import type { Meanings, ReadItem, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem } from '../catalogue.ts';

/** Anonymous variables where a value is read: RL2002. As a term of an atom or of a head they need none. */
export function* checkAnonymousValues({ rule, items, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const heads = rule.head.kind === 'atoms' ? rule.head.atoms.flatMap(atom => atom.arguments) : [];
    const read = [...heads.filter(term => term.kind !== 'anonymous'), ...items.flatMap(item => readBy(item, meaningOf))];
    for (const { name, span } of read.flatMap(anonymousIn)) yield problem('RL2002', place, span, name);
}

function readBy(item: ReadItem, meaningOf: Meanings): Expression[] {
    switch (item.kind) {
        case 'condition':
        case 'negated-condition':
            return [item.expression];
        case 'equation':
            return isCountedAtom(item.value, meaningOf) ? [] : [item.value];
        case 'literal':
        case 'joined-atoms':
        case 'domain':
            return [];
    }
}

/** `count(p(_))`, for which RL5001 says that the atom stands before the aggregate. */
function isCountedAtom(value: Expression, meaningOf: Meanings): boolean {
    const [counted] = value.kind === 'aggregate' ? value.arguments : [];
    return counted?.kind === 'call' && (meaningOf(counted.name)?.arities.length ?? 0) > 0;
}

type Anonymous = Extract<Expression, { kind: 'anonymous' }>;

function anonymousIn(expression: Expression): Anonymous[] {
    const found: Anonymous[] = [];
    visitExpression(expression, part => {
        if (part.kind === 'anonymous') found.push(part);
    });
    return found;
}
