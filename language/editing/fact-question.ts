import type { OpenDocument } from '#language/document/open-document.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Atom, Clause, Expression } from '#language/program/program.ts';
import { visitExpression } from '#language/program/subexpressions.ts';

/** The fact or atom at an offset as a question about facts: constants as written, `_` for the rest and for columns left out. */
export function factQuestion(document: OpenDocument, offset: number): string | undefined {
    const clause = document.clauseAt(offset);
    if (clause === undefined) return undefined;
    const at = offset - clause.place.offset;
    const atom = atomsIn(clause).find(({ span }) => span.start <= at && at <= span.end);
    if (atom === undefined) return undefined;
    const { predicates, predicatesNamed } = document.analysed;
    const given = atom.arguments.length;
    const arity = predicates.has(predicateKey(atom.predicate, given))
        ? given
        : predicatesNamed(atom.predicate).find(predicate => predicate.arity > given)?.arity;
    if (arity === undefined) return undefined;
    const terms = Array.from({ length: arity }, (_, column) => {
        const term = atom.arguments[column];
        return term !== undefined && isConstant(term) ? printExpression(term) : '_';
    });
    return `${atom.predicate}(${terms.join(', ')})`;
}

function atomsIn(clause: Clause): readonly Atom[] {
    switch (clause.kind) {
        case 'fact':
            return [clause.atom];
        case 'rule': {
            const heads = clause.head.kind === 'atoms' ? clause.head.atoms : [];
            const items = clause.body.kind === 'items' ? clause.body.items : [];
            return [...heads, ...items.flatMap(item => (item.kind === 'atom' ? [item.atom] : []))];
        }
        case 'annotation':
        case 'broken':
            return [];
    }
}

function isConstant(expression: Expression): boolean {
    let constant = true;
    visitExpression(expression, ({ kind }) => {
        if (kind === 'variable' || kind === 'anonymous' || kind === 'aggregate' || kind === 'skolem') constant = false;
    });
    return constant;
}
