import type { AnalysedRule, Model, Predicate } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import { MIXED } from '#language/program/types.ts';
import type { Dictionary } from './dictionary.ts';
import { type NullLabel, termText, textOf } from './text.ts';
import type { ValueId } from './value-id.ts';

/** `p(1,"x",z1)` (11.1). */
export function factText(dictionary: Dictionary, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string {
    return `${predicate.name}(${values.map((id, column) => termText(dictionary, id, predicate.columns[column]?.type ?? MIXED, label)).join(',')})`;
}

/** The canonical text of a rule (D-74), and where it stands. */
export function ruleText({ rule }: AnalysedRule): { readonly rule: string } & Pick<AnalysedRule['rule'], 'place' | 'span'> {
    return { rule: printRuleText(rule), place: rule.place, span: rule.span };
}

/** The fact in words: the description of its model with each `[field]` replaced, without a final dot (11.3). */
export function verbalize(dictionary: Dictionary, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string {
    const words = filledDescription(predicate.model, column => {
        const id = values[column];
        return id === undefined ? undefined : textOf(dictionary, id, predicate.columns[column]?.type ?? MIXED, label);
    });
    return words ?? factText(dictionary, predicate, values, label);
}

/** A text that can stand without quotes. */
const PLAIN = /^"([\p{L}\p{N}](?:[\p{L}\p{N} ._/-]*[\p{L}\p{N}])?)"$/u;

/**
 * The fact with the names that its model gives the columns, where that has no description: `own (owner ada, share 0.6)`, and `company a1 has revenue 12`
 * of a predicate that is called as its last column. Undefined without names.
 */
export function namedText(dictionary: Dictionary, predicate: Predicate, values: readonly ValueId[], label: NullLabel): string | undefined {
    const { model, columns, name } = predicate;
    if (model === undefined || model.description !== undefined || model.fields.length !== values.length) return undefined;
    const named = values.map((id, column) => {
        const value = termText(dictionary, id, columns[column]?.type ?? MIXED, label);
        return `${model.fields[column]!.name} ${PLAIN.exec(value)?.[1] ?? value}`;
    });
    return named.length === 2 && model.fields[1]!.name === name ? say`${named[0]} has ${named[1]}` : `${name} (${named.join(', ')})`;
}

/** The description of a model with each `[field]` that has a text replaced; undefined without a description. */
export function filledDescription(model: Model | undefined, textAt: (column: number) => string | undefined): string | undefined {
    if (model?.description === undefined) return undefined;
    const text = model.description.replace(/\[([^[\]]+)\]/g, (whole, field: string) => textAt(fieldColumn(model, field)) ?? whole);
    return text.trim().replace(/\.$/, '');
}

function fieldColumn(model: Model, field: string): number {
    return model.fields.findIndex(({ name }) => name === field);
}
