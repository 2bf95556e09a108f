import { spanInText } from '#language/analysis/annotation-arguments.ts';
import { bindKey } from '#language/analysis/binds.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { PlacedAnnotation } from '#language/analysis/program-facts.ts';
import { namesIn, provenanceKind, provenanceTarget, provenanceText, sourceArgument } from '#language/analysis/provenance.ts';
import { readSourceText } from '#language/analysis/source-text.ts';
import { PROVENANCE_OPTIONS } from '#language/library/data-sources.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, suggesting, withRemedy } from '../catalogue.ts';
import { checkBindOptions } from './bind-options.ts';

/** The type and options of `@chase` and `@explain`, which are those of a bind and their own; RL6004 and RL6080. */
export function* checkProvenance(placed: PlacedAnnotation): Iterable<Problem> {
    const { annotation, place } = placed;
    const kind = provenanceKind(placed);
    const written = provenanceText(annotation);
    if (kind === undefined || written === undefined) return;
    const at = sourceArgument(annotation);
    const [first] = annotation.arguments;
    if (at === 1 && first !== undefined) yield problem('RL6080', place, first.span);
    const text = readSourceText(written);
    const given = annotation.arguments.length - at;
    const isConsole = text.type.text.toLowerCase() === 'console';
    if ((kind === 'chase' && given > 3) || (given < 3 && !isConsole)) {
        const written = `@${kind}("${text.type.text}", "folder", "file")`;
        const found = problem('RL6004', place, annotation.nameSpan, annotation.name, isConsole ? '1 to 3' : '3');
        yield suggesting(found, { kind: 'write', text: written }, say`write ${written}`);
    }
    yield* checkBindOptions({ ...placed, text, at, own: PROVENANCE_OPTIONS[kind] });
}

/** Targets of `@chase` and `@explain` at which a run would end: RL6117. */
export function* checkProvenanceTargets({ annotations, options }: ProgramFacts): Iterable<Problem> {
    for (const placed of annotations) {
        const target = provenanceTarget(placed);
        const refused = target && options.refusedBinds?.get(bindKey(target.bind));
        const { annotation, place } = placed;
        const span = annotation.arguments[sourceArgument(annotation)]?.span ?? annotation.span;
        if (refused !== undefined) yield withRemedy(problem('RL6117', place, span, refused.reason), refused.remedy);
    }
}

/** Predicates that `@explain` names and the program does not use: RL6006. */
export function* checkExplainedPredicates({ annotations, nameFacts, openWorld }: ProgramFacts): Iterable<Problem> {
    if (openWorld) return;
    for (const placed of annotations) {
        const written = provenanceText(placed.annotation);
        const argument = placed.annotation.arguments[sourceArgument(placed.annotation)];
        if (provenanceKind(placed) !== 'explain' || written === undefined || argument === undefined) continue;
        const option = readSourceText(written).options.find(({ key }) => key.text === 'predicates');
        for (const name of namesIn(option?.value.text ?? '')) {
            const known = nameFacts(name);
            if (known !== undefined && (known.definitions.size > 0 || known.used || known.binds.length > 0 || known.possiblyDefined))
                continue;
            const start = written.indexOf(name, option?.value.start);
            yield problem('RL6006', placed.place, spanInText(argument, start, start + name.length), 'explain', name);
        }
    }
}
