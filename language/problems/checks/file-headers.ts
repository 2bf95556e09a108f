import { spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { bindKey, hasHeader } from '#language/analysis/binds.ts';
import type { AnalysisOptions, BindFacts, ModelFacts, NameFacts } from '#language/analysis/program-facts.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, suggesting, withMeant, withRelated, withRemedy } from '../catalogue.ts';

/** How models and mappings fit the columns of files: RL6112, RL6113, RL6114, RL6116. */
export function* checkFileHeaders(name: NameFacts, { schemas = new Map() }: AnalysisOptions): Iterable<Problem> {
    for (const facts of name.binds) {
        const schema = schemas.get(bindKey(facts.bind)) ?? schemas.get(name.name);
        if (facts.bind.direction === 'output' || schema === undefined) continue;
        yield* checkDelimiter(facts, name.model, schema);
        if (name.model !== undefined && name.mappings.length === 0) yield* checkColumnCount(facts, name.model, schema);
        if (name.model !== undefined) yield* checkOrder(facts, name.model, name, schema);
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
