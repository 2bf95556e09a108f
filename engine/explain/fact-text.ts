import type { Model, Predicate } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Dictionary, ValueId } from '../values/dictionary.ts';
import { type NullLabel, termText, textOf } from '../values/text.ts';

/** `p(1,"x",z1)`, section 11.1. */
export function factText(dictionary: Dictionary, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string {
    return `${predicate.name}(${values.map((id, column) => termText(dictionary, id, predicate.columns[column]?.type ?? MIXED, label)).join(',')})`;
}

/** The fact in words: the description of its model with each `[field]` replaced, without a final dot (11.3). */
export function verbalize(dictionary: Dictionary, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string {
    const model = predicate.model;
    if (model?.description === undefined) return factText(dictionary, predicate, values, label);
    const text = model.description.replace(/\[([^\]]+)\]/g, (whole, field: string) => {
        const column = fieldColumn(model, field);
        const id = values[column];
        return id === undefined ? whole : textOf(dictionary, id, predicate.columns[column]?.type ?? MIXED, label);
    });
    return text.trim().replace(/\.$/, '');
}

function fieldColumn(model: Model, field: string): number {
    return model.fields.findIndex(({ name }) => name === field);
}
