import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { MappingFacts } from '#language/analysis/program-facts.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { TYPE_NAMES, typeNamed } from '#language/library/type-names.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { sameType } from '#language/program/types.ts';
import { problem, withMeant, withRelated } from '../catalogue.ts';

/** Checks `@mapping`: RL6050, RL6051, RL6052, RL6053, and RL6032 for its type. */
export function* checkMappings(facts: ProgramFacts): Iterable<Problem> {
    const first = new Map<string, MappingFacts>();
    for (const mapping of facts.mappings) {
        const { predicate, position, annotation, place } = mapping;
        const key = `${position} ${predicate}`;
        const earlier = first.get(key);
        if (earlier === undefined) {
            first.set(key, mapping);
            yield* checkMapping(mapping, facts);
            continue;
        }
        const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`mapped here` }];
        yield withRelated(problem('RL6052', place, annotation.arguments[1]?.span ?? annotation.span, position), related);
    }
}

function* checkMapping({ predicate, position, type, place, argument, annotation }: MappingFacts, facts: ProgramFacts): Iterable<Problem> {
    const name = facts.nameFacts(predicate);
    const [, positionArgument, , typeArgument] = annotation.arguments;
    if (name?.binds.length === 0 && !facts.openWorld) yield problem('RL6050', place, argument.span, predicate);
    const arity = name?.arities[0];
    if (arity !== undefined && arity > 0 && position >= arity) {
        yield problem('RL6051', place, positionArgument?.span ?? annotation.span, position, predicate, arity - 1);
    }
    const typeSpan = typeArgument?.span ?? annotation.span;
    const typeText = textOf(typeArgument) ?? '';
    if (typeNamed(typeText) === undefined) {
        yield withMeant(problem('RL6032', place, typeSpan, typeText), nearestName(typeText, TYPE_NAMES));
        return;
    }
    const model = name?.model?.model;
    const field = model?.fields[position];
    if (model === undefined || field === undefined || sameType(field.type, type)) return;
    const related = [{ place: model.place, span: model.annotation.span, message: say`the model, which gives the type` }];
    yield withRelated(problem('RL6053', place, typeSpan, position), related);
}
