import { say } from '#language/program/say.ts';
import { replacement } from '../quick-fixes/fix.ts';
import { freshVariable } from '../quick-fixes/fresh-variable.ts';
import { inClause, type Refactoring, type RefactoringRequest } from './refactoring.ts';

/** An anonymous term of a head stands for an unknown value; it gets a name, `_Owner` its own. */
export function* nameAnonymous(request: RefactoringRequest): Iterable<Refactoring> {
    const { clause, selection, text } = request;
    if (clause.kind !== 'rule' || clause.head.kind !== 'atoms' || clause.body.kind !== 'items') return;
    const terms = clause.head.atoms.flatMap(atom => atom.arguments);
    const term = terms.find(({ span }) => span.start <= selection.start && selection.end <= span.end);
    if (term?.kind !== 'anonymous') return;
    const own = term.name.replace(/^_+/, '');
    const name = freshVariable(text, /^[A-Z]/.test(own) && own.toLowerCase() !== 'null' ? own : 'Unknown');
    yield inClause(request, { kind: 'rewrite', title: say`Name the unknown value '${name}'`, madeUp: name }, replacement(term.span, name));
}
