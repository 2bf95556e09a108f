import { say } from '#language/program/say.ts';
import { annotationAddition } from '../quick-fixes/fix.ts';
import { inFile, type Refactoring, type RefactoringRequest } from './refactoring.ts';

/** The derived predicate under the cursor becomes an output. */
export function* addOutput({ document, rule, selection }: RefactoringRequest): Iterable<Refactoring> {
    const head = rule?.heads.find(({ atom: { nameSpan } }) => nameSpan.start <= selection.start && selection.end <= nameSpan.end);
    if (head === undefined) return;
    const name = head.atom.predicate;
    const [predicate, ...others] = document.analysed.predicatesNamed(name);
    if (predicate === undefined || others.length > 0 || predicate.output || predicate.inputBinds.length > 0) return;
    yield inFile(document, { kind: 'rewrite', title: say`Add '@output("${name}")'` }, [
        annotationAddition(document, 'output', `@output("${name}").`),
    ]);
}
