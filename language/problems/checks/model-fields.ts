import { spanInText } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { FieldText } from '#language/analysis/model-text.ts';
import { type ModelReference, referencesOf } from '#language/analysis/models.ts';
import type { ModelFacts } from '#language/analysis/program-facts.ts';
import type { Piece } from '#language/analysis/source-text.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { TYPE_NAMES, typeNamed } from '#language/library/type-names.ts';
import { printString } from '#language/program/print-constant.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import { problem, suggesting, withMeant, withRelated } from '../catalogue.ts';

/** The fields in the usual form. */
function fieldListText(fields: readonly FieldText[]): string {
    const written = fields.map(({ name, key, type }) => {
        return `'${name.text}${key === undefined ? '' : `(${key})`}:${type.text === '' ? 'string' : type.text}'`;
    });
    return `[${written.join(', ')}]`;
}

/** The field list and the description of a model: RL6030, RL6032, RL6033, RL6034, RL6036, RL6037, RL6038, RL6039, RL6040. */
export function* checkModelFields(facts: ModelFacts, program: ProgramFacts): Iterable<Problem> {
    const { text, place, annotation, repeated } = facts;
    if (repeated) {
        const first = modelOf(text.predicate.text, program);
        const related = first === undefined ? [] : [{ place: first.place, span: first.annotation.span, message: say`the first model` }];
        yield withRelated(problem('RL6039', place, spanOf(facts, 0, text.predicate), text.predicate.text), related);
    }
    const list = annotation.arguments[1];
    if (!text.plainForm && list !== undefined) {
        const written = printString(fieldListText(text.fields));
        yield suggesting(problem('RL6030', place, list.span), { kind: 'write', text: written }, say`write ${written}`);
    }
    if (text.superModel !== undefined && modelOf(text.superModel.text, program) === undefined) {
        yield unknownModel(facts, spanOf(facts, 0, text.superModel), text.superModel.text, program);
    }
    for (const end of text.relationship === undefined ? [] : [text.relationship.from, text.relationship.to]) {
        if (modelOf(end.text, program) === undefined) yield problem('RL6040', place, spanOf(facts, 0, end), end.text);
    }
    const seen = new Set<string>();
    let keys = 0;
    for (const field of text.fields) {
        if (seen.has(field.name.text)) yield problem('RL6033', place, spanOf(facts, 1, field.name), field.name.text);
        seen.add(field.name.text);
        if (field.key === 'ID' && ++keys === 2) yield problem('RL6038', place, spanOf(facts, 1, field.name));
        yield* checkFieldType(field, facts, program);
    }
    for (const placeholder of text.placeholders) {
        if (seen.has(placeholder.text)) continue;
        const found = problem('RL6036', place, spanOf(facts, 2, placeholder), placeholder.text);
        yield withMeant(found, nearestName(placeholder.text, seen));
    }
}

function spanOf({ annotation }: ModelFacts, index: number, piece: Piece): Span {
    const argument = annotation.arguments[index];
    return argument === undefined ? annotation.span : spanInText(argument, piece.start, piece.end);
}

function modelOf(name: string, { nameFacts }: ProgramFacts): ModelFacts | undefined {
    return nameFacts(name)?.model;
}

function* checkFieldType(field: FieldText, facts: ModelFacts, program: ProgramFacts): Iterable<Problem> {
    const span = field.type.text === '' ? spanOf(facts, 1, field.name) : spanOf(facts, 1, field.type);
    if (typeNamed(field.type.text, () => MIXED) === undefined) {
        yield problem('RL6032', facts.place, span, field.type.text);
        return;
    }
    for (const { reference } of referencesOf(field)) yield* checkReference(reference, span, facts, program);
}

function* checkReference(reference: ModelReference, span: Span, facts: ModelFacts, program: ProgramFacts): Iterable<Problem> {
    const target = modelOf(reference.model, program);
    if (reference.field !== undefined) {
        const known = target?.text.fields.some(field => field.name.text === reference.field);
        if (known !== true) yield unknownModel(facts, span, target === undefined ? reference.model : reference.field, program);
    } else if (target === undefined) {
        const nearest = nearestName(reference.model, [...TYPE_NAMES, ...modelNames(program)]);
        yield withMeant(problem('RL6032', facts.place, span, reference.model), nearest);
    } else if (!target.text.fields.some(field => field.key === 'ID')) {
        yield problem('RL6037', facts.place, span, reference.model);
    }
}

function unknownModel({ place }: ModelFacts, span: Span, name: string, program: ProgramFacts): Problem {
    return withMeant(problem('RL6034', place, span, name), nearestName(name, modelNames(program)));
}

function modelNames({ models }: ProgramFacts): string[] {
    return models.map(facts => facts.text.predicate.text);
}
