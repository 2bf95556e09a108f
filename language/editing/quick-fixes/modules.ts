import { say } from '#language/program/say.ts';
import { annotationRemoval, type Fix, type FixRequest } from './fix.ts';

/** RL8014: the annotation goes to the top of the file. */
export function* moveModuleUp({ document, clause, problem, text }: FixRequest): Iterable<Fix> {
    const [first] = document.program.clauses;
    const annotation = clause.annotations.find(({ nameSpan }) => nameSpan.start === problem.span.start);
    if (first === undefined || annotation === undefined) return;
    const { start, end } = annotation.span;
    const at = first.place.offset + first.span.start;
    const lineBreak = document.text.includes('\r\n') ? '\r\n' : '\n';
    const insertion = { start: at, end: at, text: `${text.slice(start, end)}.${lineBreak}` };
    yield { title: say`Move it to the top`, edits: [insertion, annotationRemoval(document, clause, annotation)], preferred: true };
}
