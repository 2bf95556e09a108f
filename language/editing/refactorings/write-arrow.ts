import { say } from '#language/program/say.ts';
import { replacement } from '../quick-fixes/fix.ts';
import { inClause, type Refactoring, type RefactoringRequest } from './refactoring.ts';

/** `:-` and `<-` mean the same (1.1); layout writes `<-`. */
export function* writeArrow(request: RefactoringRequest): Iterable<Refactoring> {
    const arrow = request.tokens.find(({ kind }) => kind === 'arrow');
    if (arrow?.text !== ':-') return;
    yield inClause(request, { kind: 'rewrite', title: say`Replace ':-' with '<-'` }, replacement(arrow, '<-'));
}
