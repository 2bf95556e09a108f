import { type AnnotationEntry, type AnnotationParameter, PARAMETER_WORDS } from '#language/library/annotation-catalogue.ts';
import type { DataSource } from '#language/library/data-sources.ts';
import type { FunctionEntry } from '#language/library/function-entry.ts';
import { AGGREGATE_WORDS, functionParameterWords, RELATION_WORDS } from '#language/library/parameter-words.ts';
import type { AggregateEntry } from '#language/program/aggregates.ts';
import type { Column, Predicate, SourceSchema } from '#language/program/analysed-program.ts';
import { translated } from '#language/program/say.ts';
import { printType, UNKNOWN } from '#language/program/types.ts';

/** The signature of a function, predicate or annotation, as one line. */
export interface Signature {
    readonly label: string;
    /** The part of the label of each parameter, in order. */
    readonly parameters: readonly { readonly start: number; readonly end: number; readonly words?: string }[];
}

/** `person(Name: string, int)`: columns by name and type, by type alone where nothing names them. */
export function predicateSignature(predicate: Predicate): Signature {
    return signature(
        predicate.name,
        predicate.columns.map((column, index) => columnText(predicate, column, index)),
    );
}

/** The same of a relation that is supplied. */
export function columnsSignature(name: string, columns: SourceSchema['columns']): Signature {
    return signature(
        name,
        columns.map(({ name: column = '', type = UNKNOWN }) => `${column}: ${printType(type)}`),
    );
}

function columnText(predicate: Predicate, { name, type }: Column, index: number): string {
    return isNamed(predicate, index) ? `${name}: ${printType(type)}` : printType(type);
}

/** False for a column that only has its position for a name. */
export function isNamed({ name, columns }: Predicate, index: number): boolean {
    return columns[index]?.name !== `${name}_${index}`;
}

/** `substring(s: string, start: integer, length?: integer) → string` */
export function functionSignature(entry: FunctionEntry, name: string = entry.name): Signature {
    const parameters = entry.parameters.map(
        parameter => `${parameter.name}${parameter.variadic ? '…' : ''}${parameter.optional ? '?' : ''}: ${parameter.kind}`,
    );
    const result = typeof entry.result === 'function' ? '' : ` → ${printType(entry.result)}`;
    const written = signature(name, parameters, entry.parameters.map(functionParameterWords));
    return { ...written, label: `${written.label}${result}` };
}

export function aggregateSignature(entry: AggregateEntry): Signature {
    const value = entry.least === 0 ? 'value?' : 'value';
    const variant = entry.variants === undefined ? [] : ['variant?'];
    const parameters = [value, ...variant, ...(entry.contributors ? ['<contributors>?'] : [])];
    return signature(
        entry.name,
        parameters,
        parameters.map(parameter => AGGREGATE_WORDS[parameter]),
    );
}

/** `@output(predicate)`; of a bind to a source of a known type, its arguments are called what they are there. */
export function annotationSignature(entry: AnnotationEntry, source?: DataSource): Signature {
    const called = ({ name }: AnnotationParameter): string =>
        source !== undefined && (name === 'outer' || name === 'inner') && source[name] !== '' ? translated(source[name]) : name;
    const parameters = entry.parameters.map(parameter => `${called(parameter)}${parameter.optional ? '?' : ''}`);
    if (parameters.length === 0 && !entry.open) return { label: `@${entry.name}`, parameters: [] };
    const words = entry.parameters.map(parameter => PARAMETER_WORDS[parameter.name]);
    return signature(`@${entry.name}`, [...parameters, ...(entry.open ? ['…'] : [])], words);
}

/** `#TC(input, options?) → (X, Y)` */
export function relationSignature(name: string, columns: string): Signature {
    const written = signature(`#${name}`, ['input', 'options?'], RELATION_WORDS);
    return { ...written, label: `${written.label} → (${columns})` };
}

function signature(name: string, parameters: readonly string[], words: readonly (string | undefined)[] = []): Signature {
    let label = `${name}(`;
    const places: { start: number; end: number; words?: string }[] = [];
    for (const [index, parameter] of parameters.entries()) {
        if (index > 0) label += ', ';
        const sentence = words[index];
        places.push({
            start: label.length,
            end: label.length + parameter.length,
            ...(sentence !== undefined && { words: translated(sentence) }),
        });
        label += parameter;
    }
    return { label: `${label})`, parameters: places };
}
