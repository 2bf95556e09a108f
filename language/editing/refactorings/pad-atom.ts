import { say } from '#language/program/say.ts';
import { insertion } from '../quick-fixes/fix.ts';
import { inClause, type Refactoring, type RefactoringRequest } from './refactoring.ts';

/** An atom that leaves out trailing columns gets a `_` for each (D-24). */
export function* padAtom(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, rule, selection } = request;
    const literal = rule?.literals.find(({ atom: { span } }) => span.start <= selection.start && selection.end <= span.end);
    const predicate = literal && document.analysed.predicates.get(literal.predicate);
    const last = literal?.atom.arguments.at(-1);
    if (literal === undefined || predicate === undefined || last === undefined) return;
    const missing = predicate.arity - literal.atom.arguments.length;
    if (missing <= 0) return;
    const title = say`Write the columns that are left out as '_'`;
    yield inClause(request, { kind: 'rewrite', title }, insertion(literal.atom.span.end - 1, ', _'.repeat(missing)));
}
