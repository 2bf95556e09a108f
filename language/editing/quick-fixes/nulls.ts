import { isStep } from '#language/analysis/growth.ts';
import { say } from '#language/program/say.ts';
import { bodyEnd } from './clause-parts.ts';
import { type Fix, type FixRequest, insertion, otherFix, preferredFix, replacement } from './fix.ts';

/** RL2203 */
export function* joinConstants(request: FixRequest): Iterable<Fix> {
    yield otherFix(request, say`Add 'dom(*)' to join constants only`, insertion(bodyEnd(request.tokens), ', dom(*)'));
}

/** RL2204: adds a bound in the direction of the steps; the user has to choose its number. */
export function* addBound(request: FixRequest): Iterable<Fix> {
    const { clause, marked, tokens } = request;
    if (clause.kind !== 'rule' || clause.body.kind !== 'items') return;
    for (const item of clause.body.items) {
        if (item.kind !== 'expression' || item.expression.kind !== 'binary' || item.expression.operator !== '=') continue;
        const { left, right } = item.expression;
        if (left.kind !== 'variable' || left.name !== marked || !isStep(right)) continue;
        const bound = right.kind === 'binary' && right.operator === '-' ? `${marked} >= 0` : `${marked} <= 1000`;
        yield otherFix(request, say`Add the condition '${bound}'`, insertion(bodyEnd(tokens), `, ${bound}`));
    }
}

/** RL2301: the constraint that the equality acts as. */
export function* writeConstraint(request: FixRequest): Iterable<Fix> {
    const { clause, text, tokens } = request;
    if (clause.kind !== 'rule' || clause.head.kind !== 'equality') return;
    const { head } = clause;
    const [left, right] = [head.left.span, head.right.span].map(({ start, end }) => text.slice(start, end));
    const edits = [replacement(head.span, '#F'), insertion(bodyEnd(tokens), `, ${left} != ${right}`)];
    yield preferredFix(request, say`Write a constraint`, ...edits);
}
