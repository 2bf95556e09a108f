import { typeNamed } from '#language/library/type-names.ts';
import type { Model, ModelField } from '#language/program/analysed-program.ts';
import { MIXED, type Type } from '#language/program/types.ts';
import { textOf } from './annotation-arguments.ts';
import { type FieldText, type ModelText, readModelText } from './model-text.ts';
import type { ModelFacts, PlacedAnnotation } from './program-facts.ts';
import type { Piece } from './source-text.ts';

interface ReadModel {
    readonly placed: PlacedAnnotation;
    readonly text: ModelText;
}

/** The models in text order, their field types resolved through inheritance and composition (8.4). */
export function readModels(annotations: readonly PlacedAnnotation[]): ModelFacts[] {
    const read = annotations.flatMap(placed => {
        const [name, fields, description] = placed.annotation.arguments;
        const nameText = textOf(name);
        const fieldText = textOf(fields);
        if (placed.annotation.name !== 'model' || nameText === undefined || fieldText === undefined) return [];
        return [{ placed, text: readModelText(nameText, fieldText, textOf(description)) }];
    });
    const byName = new Map<string, ReadModel>();
    for (const model of read) if (!byName.has(model.text.predicate.text)) byName.set(model.text.predicate.text, model);
    return read.map(model => ({
        ...model.placed,
        text: model.text,
        model: buildModel(model, byName),
        repeated: byName.get(model.text.predicate.text) !== model,
    }));
}

function buildModel({ placed, text }: ReadModel, models: ReadonlyMap<string, ReadModel>): Model {
    const description = textOf(placed.annotation.arguments[2]);
    return {
        predicate: text.predicate.text,
        fields: text.fields.map(
            (field): ModelField => ({
                name: field.name.text,
                type: fieldType(field, models, 0) ?? MIXED,
                ...(field.key !== undefined && { key: field.key }),
            }),
        ),
        place: placed.place,
        annotation: placed.annotation,
        ...(description !== undefined && { description }),
        ...(text.superModel !== undefined && { superModel: text.superModel.text }),
        ...(text.relationship !== undefined && { relationship: { from: text.relationship.from.text, to: text.relationship.to.text } }),
    };
}

const LONGEST_REFERENCE = 50;

function fieldType(field: FieldText, models: ReadonlyMap<string, ReadModel>, depth: number): Type | undefined {
    return typeNamed(field.type.text, word => {
        const target = depth > LONGEST_REFERENCE ? undefined : referencedField(readReference(word), models);
        return target && fieldType(target, models, depth + 1);
    });
}

/** A word of a field type that refers to a model: `q`, the key of a model, or `q[f]`, one of its fields. */
export interface ModelReference {
    readonly model: string;
    readonly field?: string;
}

function readReference(word: string): ModelReference {
    const open = word.indexOf('[');
    if (open < 0 || !word.endsWith(']')) return { model: word.trim() };
    return { model: word.slice(0, open).trim(), field: word.slice(open + 1, -1).trim() };
}

function referencedField(reference: ModelReference, models: ReadonlyMap<string, ReadModel>): FieldText | undefined {
    const fields = models.get(reference.model)?.text.fields;
    return fields?.find(field => (reference.field === undefined ? field.key === 'ID' : field.name.text === reference.field));
}

/** The references in a field type, with the place of the whole type text. */
export function referencesOf(field: FieldText): { readonly reference: ModelReference; readonly piece: Piece }[] {
    const found: { reference: ModelReference; piece: Piece }[] = [];
    typeNamed(field.type.text, word => {
        found.push({ reference: readReference(word), piece: field.type });
        return MIXED;
    });
    return found;
}
