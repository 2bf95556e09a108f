import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import { firstPlace } from '#language/analysis/names.ts';
import type { NameFacts } from '#language/analysis/program-facts.ts';
import { ANNOTATIONS, TEST_ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/** One name with several numbers of columns: RL1103, or RL6031 where a model has fewer fields. */
export function* checkSeveralArities(name: NameFacts): Iterable<Problem> {
    const fields = name.model?.model.fields.length;
    const [first, ...others] = [...name.definitions.values()].filter(definition => name.arities.includes(definition.arity));
    if (first === undefined) return;
    for (const definition of fields === undefined ? others : [first, ...others]) {
        const at = firstPlace(definition);
        if (at === undefined || definition.arity === fields) continue;
        if (fields !== undefined && definition.arity > fields) {
            yield problem('RL6031', at.place, at.span, name.name, fields, definition.arity);
            continue;
        }
        const other = fields === undefined ? firstPlace(first) : undefined;
        const found = problem('RL1103', at.place, at.span, name.name, fields ?? first.arity, definition.arity);
        yield withRelated(found, other === undefined ? [] : [{ ...other, message: say`defined with ${first.arity} columns here` }]);
    }
}

/** Annotations that name a predicate with several arities: RL1106. */
export function* checkAmbiguousAnnotations({ annotations, nameFacts }: ProgramFacts): Iterable<Problem> {
    for (const { annotation, place } of annotations) {
        // Expected facts tell which predicate is meant.
        if (ANNOTATIONS.get(annotation.name)?.parameters[0]?.name !== 'predicate' || TEST_ANNOTATIONS.has(annotation.name)) continue;
        const argument = annotation.arguments[0];
        const name = textOf(argument);
        if (argument === undefined || name === undefined) continue;
        if ((nameFacts(name)?.arities.length ?? 0) > 1) yield problem('RL1106', place, argument.span, name);
    }
}
