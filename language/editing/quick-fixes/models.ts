import { readModelText } from '#language/analysis/model-text.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { TYPE_NAMES } from '#language/library/type-names.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import { printString } from '#language/program/print-constant.ts';
import type { Annotation, AnnotationArgument, Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';
import type { TextEdit } from '../format-edits.ts';
import { annotationsAbout } from './annotations.ts';
import { nullStringAddition } from './binds.ts';
import { annotationAddition, type Fix, type FixRequest, inDocument, insertion, meantName, preferredFix, replaceMarked } from './fix.ts';

/** RL6031: a field for every column that has none. */
export function* addFields({ document, problem, marked }: FixRequest): Iterable<Fix> {
    const [, given, wanted] = argumentsOf(problem, 'RL6031');
    const model = modelOf(document, marked);
    const list = model?.annotation.arguments[1];
    if (model === undefined || list?.kind !== 'string') return;
    const bracket = document.text.lastIndexOf(']', model.clause.place.offset + list.span.end);
    if (bracket < model.clause.place.offset + list.span.start || wanted <= given) return;
    const added = Array.from({ length: wanted - given }, (_, index) => `'${marked}_${given + index}:string'`).join(', ');
    const text = given === 0 ? added : `, ${added}`;
    yield {
        title: say`Add ${wanted - given === 1 ? say`a field` : say`${wanted - given} fields`}`,
        edits: [{ start: bracket, end: bracket, text }],
        preferred: true,
    };
}

/** RL4020: a model in which the mixed column is text, which every value can be. */
export function* describeColumns({ document, problem }: FixRequest): Iterable<Fix> {
    const [name, place] = argumentsOf(problem, 'RL4020');
    const [predicate, ...others] = document.analysed.predicatesNamed(name);
    if (predicate === undefined || others.length > 0) return;
    const fields = predicate.columns.map(({ type }, index) => {
        const known = index + 1 === place || type.kind === 'mixed' || type.kind === 'unknown' ? 'string' : printType(type);
        return `'${name}_${index}:${known}'`;
    });
    const text = `@model("${name}", "[${fields.join(', ')}]")`;
    yield { title: say`Add '${text}'`, edits: [annotationAddition(document, 'model', `${text}.`)], preferred: false };
}

/** RL4023, RL4026, RL4028: the types that the texts of the source read as; empty cells are unknown where they have to be. */
export function* addTypes({ document, problem }: FixRequest): Iterable<Fix> {
    const [, predicate, , , model, needsNulls] = argumentsOf(problem, 'RL4023');
    if (model === undefined || document.analysed.predicatesNamed(predicate).some(known => known.model !== undefined)) return;
    const nulls = needsNulls === true ? nullStringAddition(document, predicate) : [];
    if (nulls === undefined) return;
    const added = annotationAddition(document, 'model', `${model}.`);
    const edits = [...nulls, added].sort((a, b) => a.start - b.start);
    yield { title: say`Add '${model}'`, edits, preferred: true, madeUp: predicate };
}

/** RL4021: the field as text, which every value can be. */
export function* changeField({ document, problem }: FixRequest): Iterable<Fix> {
    const [, , name, field] = argumentsOf(problem, 'RL4021');
    const model = modelOf(document, name);
    const list = model?.annotation.arguments[1];
    if (model === undefined || list === undefined) return;
    const start = model.clause.place.offset + list.span.start;
    const written = document.text.slice(start, model.clause.place.offset + list.span.end);
    const match = new RegExp(`(?<=\\b${field}\\s*(?:\\([^()]*\\))?\\s*:\\s*)[A-Za-z][\\w<>,]*`, 'u').exec(written);
    if (match === null) return;
    const edits = [{ start: start + match.index, end: start + match.index + match[0].length, text: 'string' }];
    yield { title: say`Change '${field}' to string in the model`, edits, preferred: false };
}

/**
 * RL6113: the fields in the order of the file, where they are its columns and no others; or mappings for those that are columns at other
 * places, which rules read by the order of the model then.
 */
export function* orderColumns({ document, clause, problem }: FixRequest): Iterable<Fix> {
    const annotation = clause.annotations.find(({ span }) => span.start <= problem.span.start && problem.span.end <= span.end);
    const [name] = annotation?.arguments ?? [];
    if (name?.kind !== 'string') return;
    const [predicate] = document.analysed.predicatesNamed(readModelText(name.value, '', undefined).predicate.text);
    const model = predicate?.model;
    if (model === undefined || predicate === undefined) return;
    const headers = predicate.columns.flatMap(({ header }) => header ?? []);
    const mappings = predicate.columns.flatMap(({ header, mapped, type }, at) => {
        const field = foldOf(model.fields[at]?.name ?? '');
        const column = headers.find(name => foldOf(name) === field);
        if (mapped !== undefined || column === undefined || header === undefined || foldOf(header) === field) return [];
        return [`@mapping("${model.predicate}", ${at}, ${printString(column)}, "${printType(type)}").`];
    });
    if (mappings.length === 0) return;
    const ordered = orderedFields(document, clause, annotation?.arguments[1], predicate);
    if (ordered.length > 0) yield { title: say`Write the fields in the order of the file`, edits: ordered, preferred: true };
    const edits = [annotationAddition(document, 'mapping', mappings.join('\n'))];
    yield { title: say`Read these columns by name`, edits, preferred: ordered.length === 0 };
}

/**
 * Reorders the fields so that each takes the place of the column with its name. Empty if a field has no column, or if a column has a
 * mapping.
 */
function orderedFields(
    { text }: FixRequest['document'],
    { place }: Clause,
    list: AnnotationArgument | undefined,
    { columns, model }: Predicate,
): TextEdit[] {
    if (list === undefined || model === undefined || columns.some(({ mapped }) => mapped !== undefined)) return [];
    const start = place.offset + list.span.start;
    const written = [...text.slice(start, place.offset + list.span.end).matchAll(/'[^']*'/gu)];
    const names = model.fields.map(({ name }) => foldOf(name));
    const order = columns.map(({ header }) => names.indexOf(foldOf(header ?? '')));
    const isPermutation = written.length === names.length && order.length === names.length && new Set(order).size === names.length;
    if (!isPermutation || order.includes(-1)) return [];
    return written.flatMap((item, at) => {
        const [field = ''] = written[order[at] ?? at] ?? [];
        return field === item[0] ? [] : [{ start: start + item.index, end: start + item.index + item[0].length, text: field }];
    });
}

function foldOf(name: string): string {
    return name.trim().toLowerCase();
}

/** RL6040: a model with a key for the end of a relationship. */
export function* addModel({ document, marked }: FixRequest): Iterable<Fix> {
    const text = `@model("${marked}", "['id(ID):string']")`;
    yield { title: say`Add '${text}'`, edits: [annotationAddition(document, 'model', `${text}.`)], preferred: true };
}

interface PlacedModel {
    readonly clause: Clause;
    readonly annotation: Annotation;
}

function modelOf(document: FixRequest['document'], name: string): PlacedModel | undefined {
    const [first] = annotationsAbout(document, 'model', name);
    return first && { clause: first[0], annotation: first[1] };
}

/** RL6032: the nearest type. */
export function* writeType(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request) ?? nearestName(request.marked, TYPE_NAMES);
    if (meant !== undefined) yield* replaceMarked(request, meant);
}

/** RL6037: the first field of the other model identifies it. */
export function* markKey({ document, problem }: FixRequest): Iterable<Fix> {
    const [name] = argumentsOf(problem, 'RL6037');
    const model = modelOf(document, name);
    const list = model?.annotation.arguments[1];
    if (model === undefined || list === undefined) return;
    const field = mentionsOfClause(document, model.clause).find(
        ({ kind, span }) => kind === 'field' && span.start >= list.span.start && span.end <= list.span.end,
    );
    if (field === undefined) return;
    yield {
        title: say`Add (ID) to the first field`,
        edits: [inDocument(model.clause, insertion(field.span.end, '(ID)'))],
        preferred: true,
    };
}

/** RL6038: the mark behind the field. */
export function* removeKey(request: FixRequest): Iterable<Fix> {
    const { text, problem } = request;
    const mark = /^\s*\(\s*ID\s*\)/.exec(text.slice(problem.span.end))?.[0].length;
    if (mark !== undefined)
        yield preferredFix(request, say`Remove (ID)`, { start: problem.span.end, end: problem.span.end + mark, text: '' });
}
