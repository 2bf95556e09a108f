import { isWrittenPlainly, spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { bindKey, hasHeader } from '#language/analysis/binds.ts';
import type { AnalysisOptions, BindFacts, ModelFacts, NameFacts } from '#language/analysis/program-facts.ts';
import { comparisonClass } from '#language/library/comparison-class.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { ColumnTexts, SourceSchema } from '#language/program/analysed-program.ts';
import { cutText } from '#language/program/cut-text.ts';
import type { Problem, RelatedPlace } from '#language/program/problem.ts';
import type { AnnotationArgument } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import { printType, type Type } from '#language/program/types.ts';
import { problem, suggesting, withMeant, withRelated, withRemedy, withSeverity } from '../catalogue.ts';

/** How models and mappings fit the columns of sources: RL6112, RL6113, RL6114, RL6116, RL6118, RL6119, RL6123. */
export function* checkFileHeaders(name: NameFacts, { schemas = new Map() }: AnalysisOptions): Iterable<Problem> {
    for (const facts of name.binds) {
        const schema = schemas.get(bindKey(facts.bind)) ?? schemas.get(name.name);
        if (facts.bind.direction === 'output' || schema === undefined) continue;
        yield* checkDelimiter(facts, name.model, schema);
        if (name.mappings.length === 0) yield* checkFirstRecord(facts, schema);
        if (name.model !== undefined && name.mappings.length === 0) yield* checkColumnCount(facts, name.model, schema);
        if (name.model !== undefined) {
            yield* checkOrder(facts, name.model, name, schema);
            yield* checkRenamed(facts, name.model, name, schema);
            yield* checkFieldTypes(facts, name.model, name, schema);
        } else yield* checkMappedTypes(facts, name, schema);
        yield* checkMappedColumns(facts, name, schema);
    }
}

/** Mapped columns are found by name, and their number does not matter. */
function* checkColumnCount({ bind, place, annotation }: BindFacts, model: ModelFacts, { columns }: SourceSchema): Iterable<Problem> {
    const { predicate, fields } = model.model;
    if (!hasHeader(bind) || columns.length === fields.length) return;
    const span = annotation.arguments[3]?.span ?? annotation.span;
    const related = [{ place: model.place, span: model.annotation.span, message: say`the model` }];
    yield withRelated(problem('RL6112', place, span, bind.inner, columns.length, predicate, fields.length), related);
}

/** Reports a field that differs from its column if all other fields match theirs: the column was renamed. */
function* checkRenamed(facts: BindFacts, { model, text, place, annotation }: ModelFacts, name: NameFacts, { columns }: SourceSchema) {
    const { fields } = model;
    const list = annotation.arguments[1];
    if (name.mappings.length > 0 || list === undefined || columns.length !== fields.length) return;
    const headers = columns.map(({ name: header = '' }) => foldOf(header));
    const names = fields.map(field => foldOf(field.name));
    const others = [...names.keys()].filter(at => names[at] !== headers[at]);
    const [at, more] = others;
    const header = at === undefined ? undefined : columns[at]?.name?.trim();
    const piece = at === undefined ? undefined : text.fields[at]?.name;
    if (at === undefined || more !== undefined || fields.length < SURE || header === undefined || piece === undefined) return;
    if (headers.includes(names[at] ?? '') || names.includes(foldOf(header))) return;
    const found = problem('RL6119', place, spanInText(list, piece.start, piece.end), facts.bind.inner, at + 1, header, piece.text);
    const told = withRelated(found, [sourceOf(facts)]);
    yield isFieldName(header) && isExact(list) ? suggesting(told, { kind: 'write', text: header }) : told;
}

/** Fields, of which all but one have the name of their column. */
const SURE = 3;

/** True if a model can name a field like this without quotes. */
function isFieldName(text: string): boolean {
    return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text);
}

/** True if offsets in the value are offsets in the text. */
function isExact(argument: AnnotationArgument): boolean {
    return argument.kind === 'string' && isWrittenPlainly(argument);
}

function sourceOf({ place, annotation }: BindFacts): RelatedPlace {
    return { place, span: annotation.span, message: say`the source` };
}

function* checkFieldTypes(facts: BindFacts, { model, text, place, annotation }: ModelFacts, name: NameFacts, { columns }: SourceSchema) {
    const list = annotation.arguments[1];
    if (list === undefined) return;
    const mapped = new Map(name.mappings.map(({ position, column }) => [position, columns.find(one => one.name === column)] as const));
    for (const [at, field] of model.fields.entries()) {
        const piece = text.fields[at]?.type;
        const column = mapped.has(at) ? mapped.get(at) : columns[at];
        if (piece === undefined || piece.text === '' || column === undefined) continue;
        const location = { place, span: spanInText(list, piece.start, piece.end) };
        yield* misfit(facts, column, { name: field.name, type: field.type, location, isExact: isExact(list) });
    }
}

function* checkMappedTypes(facts: BindFacts, { mappings }: NameFacts, { columns }: SourceSchema): Iterable<Problem> {
    for (const { annotation, place, column: name, type } of mappings) {
        const argument = annotation.arguments[3];
        const column = columns.find(one => one.name === name);
        if (argument?.kind !== 'string' || column === undefined) continue;
        const location = { place, span: spanInText(argument, 0, argument.value.length) };
        yield* misfit(facts, column, { name, type, location, isExact: isExact(argument) });
    }
}

/** A column of a program, and where it says its type. */
interface WrittenType {
    readonly name: string;
    readonly type: Type;
    readonly location: Location;
    readonly isExact: boolean;
}

/** A type by which values of the source are lost: they have another one, which is converted to nothing, in part, or for some texts alone. */
function* misfit(facts: BindFacts, column: SourceSchema['columns'][number], written: WrittenType): Iterable<Problem> {
    const { place, span } = written.location;
    const held =
        column.type ?? widerNumber(column.texts, written.type) ?? (holdsText(column.examples ?? [], written.type) ? STRING : undefined);
    if (held === undefined) return;
    const given = comparisonClass(held);
    const wanted = comparisonClass(written.type);
    // Everything can be text, dates often are, and the fraction of a number is lost where it becomes an integer.
    const isUsual = wanted === 'string' || (column.type !== undefined && given === 'string' && wanted === 'time');
    const isFraction = isFractional(held) && isInteger(written.type);
    const isLost = given === wanted ? isFraction || column.type === undefined : !isUsual;
    if (given === undefined || wanted === undefined || !isLost) return;
    const name = column.name ?? written.name;
    const found = problem('RL6118', place, span, name, facts.bind.inner, printType(held), printType(written.type));
    const told = withRelated(column.type !== undefined && given === 'string' ? withSeverity(found, 'information') : found, [
        sourceOf(facts),
    ]);
    yield written.isExact ? suggesting(told, { kind: 'write', text: printType(held) }) : told;
}

const STRING: Type = { kind: 'string' };

/** None of these texts, which are all that were looked at, becomes a value of the type; a single one may stand for what is missing. */
function holdsText(examples: readonly string[], type: Type): boolean {
    const wanted = comparisonClass(type);
    const fits = wanted === 'number' ? /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/iu : wanted === 'time' ? /\d/u : undefined;
    return fits !== undefined && examples.length > 1 && !examples.some(text => fits.test(text));
}

/** The type of the numbers that a column of texts holds, where the written one has not all of them. */
function widerNumber(texts: ColumnTexts | undefined, written: Type): Type | undefined {
    const seems = texts?.seems;
    if (seems !== 'long' && seems !== 'double') return undefined;
    // Fractions do not fit into integers, nor integers of 64 bits into those of 32.
    const isNarrow = seems === 'double' ? isInteger(written) : written.kind === 'int';
    return isNarrow ? { kind: seems } : undefined;
}

function isFractional({ kind }: Type): boolean {
    return kind === 'double' || kind === 'float';
}

function isInteger({ kind }: Type): boolean {
    return kind === 'int' || kind === 'long';
}

/** The first field without a mapping that has the name of a column at another place. */
function* checkOrder(facts: BindFacts, { model, text, place, annotation }: ModelFacts, name: NameFacts, { columns }: SourceSchema) {
    const names = columns.map(column => foldOf(column.name ?? ''));
    const mapped = new Set(name.mappings.map(({ position }) => position));
    for (const [at, field] of model.fields.entries()) {
        const header = columns[at]?.name;
        const other = names.indexOf(foldOf(field.name));
        const piece = text.fields[at]?.name;
        const list = annotation.arguments[1];
        if (header === undefined || other < 0 || names[at] === foldOf(field.name) || mapped.has(at)) continue;
        const span = piece === undefined || list === undefined ? annotation.span : spanInText(list, piece.start, piece.end);
        const found = problem('RL6113', place, span, facts.bind.inner, at + 1, header, field.name, other + 1);
        yield withRelated(found, [{ place: facts.place, span: facts.annotation.span, message: say`the file` }]);
        return;
    }
}

function foldOf(name: string): string {
    return name.trim().toLowerCase();
}

function* checkMappedColumns({ bind }: BindFacts, { mappings }: NameFacts, { columns }: SourceSchema): Iterable<Problem> {
    const names = columns.flatMap(column => column.name ?? []);
    if (names.length === 0) return;
    for (const { annotation, place, column } of mappings) {
        const argument = annotation.arguments[2];
        if (argument === undefined || names.includes(column)) continue;
        const nearest = nearestName(column, names);
        const span = spanInText(argument, 0, textOf(argument)?.length ?? 0);
        const found = problem('RL6114', place, span, bind.inner, column);
        yield withMeant(withRemedy(found, say`write one of ${names.map(name => `'${name}'`).join(', ')}`), nearest);
    }
}

function* checkFirstRecord({ bind, place, annotation }: BindFacts, { seemsNamed }: SourceSchema): Iterable<Problem> {
    if (seemsNamed === undefined || bind.options.has('useHeaders')) return;
    const span = annotation.arguments[3]?.span ?? annotation.span;
    const found = problem('RL6123', place, span, bind.inner, shownNames(seemsNamed));
    yield suggesting(found, { kind: 'write', text: 'useHeaders=true' }, say`write useHeaders=true in the bind`);
}

/** The first of the names, each cut where it is long. */
function shownNames(names: readonly string[]): string {
    const first = names.slice(0, MOST_NAMES).map(name => `'${cutText(name, LONGEST_NAME)}'`);
    return `${first.join(', ')}${names.length > MOST_NAMES ? ' …' : ''}`;
}

const MOST_NAMES = 4;
const LONGEST_NAME = 30;

/** A header, or a model with several fields, tells that one column is too few. */
function* checkDelimiter({ bind, place, annotation }: BindFacts, model: ModelFacts | undefined, { delimiter }: SourceSchema) {
    const several = hasHeader(bind) || (model?.model.fields.length ?? 0) > 1;
    if (delimiter === undefined || !several || bind.options.get('delimiter') === delimiter) return;
    const span = annotation.arguments[3]?.span ?? annotation.span;
    const found = problem('RL6116', place, span, bind.inner, delimiter === '\t' ? 'tabs' : `'${delimiter}'`);
    yield suggesting(found, { kind: 'write', text: delimiterOption(delimiter) }, delimiterRemedy(delimiter));
}

export function delimiterRemedy(delimiter: string | undefined): string | undefined {
    return delimiter === undefined ? undefined : say`write ${delimiterOption(delimiter)} in the bind`;
}

/** The option as it is written inside the text of a bind. */
function delimiterOption(delimiter: string): string {
    return `delimiter='${delimiter === '\t' ? '\\t' : delimiter}'`;
}
