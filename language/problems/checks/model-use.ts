import { spanInText } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import { referencesOf } from '#language/analysis/models.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Models of predicates that the program mentions nowhere else: RL6006. Other models count as a mention. */
export function* checkModelUse({ models, nameFacts, openWorld, file }: ProgramFacts): Iterable<Problem> {
    if (openWorld) return;
    const referred = new Set(
        models.flatMap(({ text }) => [
            text.superModel?.text,
            text.relationship?.from.text,
            text.relationship?.to.text,
            ...text.fields.flatMap(field => referencesOf(field).map(({ reference }) => reference.model)),
        ]),
    );
    for (const { text, place, annotation, repeated } of models) {
        const name = nameFacts(text.predicate.text);
        const argument = annotation.arguments[0];
        if (name === undefined || argument === undefined || repeated || place.file !== file) continue;
        const known = name.definitions.size > 0 || name.used || name.binds.length > 0 || name.input !== undefined;
        if (known || name.output !== undefined || name.mentioned || referred.has(name.name)) continue;
        yield problem('RL6006', place, spanInText(argument, text.predicate.start, text.predicate.end), 'model', name.name);
    }
}
