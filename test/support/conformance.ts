import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import { placedAnnotations } from '#language/analysis/annotation-arguments.ts';
import { bindKey } from '#language/analysis/binds.ts';
import { declaredParameters } from '#language/analysis/parameters.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { allProblems } from '#language/modules/all-problems.ts';
import { withModules } from '#language/modules/include.ts';
import type { AnalysedProgram, SourceSchema } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { apiType } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { sqlEngine } from '#server/compute/sql-engine.ts';
import { NO_GRANTS } from '#server/files/grants.ts';
import { parameterTexts } from '#server/sources/bind-parameters.ts';
import type { SourceAccess } from '#server/sources/connector.ts';
import { peekSource, runConnectors } from '#server/sources/connectors.ts';
import { type Expectation, type Row, readExpectation, readRow } from './expected-facts.ts';
import { finding } from './modules.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A program with the facts that it must give. */
export interface ConformanceProgram {
    /** Its path below the corpus, without extension: `recursion/linear`. */
    readonly name: string;
    readonly folder: string;
    readonly text: string;
    readonly expectation: Expectation;
}

/** Files in a folder of this name are modules of the programs beside it. */
const INCLUDED = 'included';

/** The programs of the corpus, and the samples with an expectation beside them. */
export function conformancePrograms(): ConformanceProgram[] {
    return [...programsBelow(join(ROOT, 'test/conformance/programs')), ...programsBelow(join(ROOT, 'samples'))];
}

function programsBelow(folder: string): ConformanceProgram[] {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        file => file.endsWith('.rulelang') && !isTestFile(file) && basename(dirname(file)) !== INCLUDED,
    );
    return files.sort().map(file => readConformanceProgram(join(folder, file), relative(ROOT, join(folder, file))));
}

function readConformanceProgram(path: string, name: string): ConformanceProgram {
    const text = readFileSync(path, 'utf8');
    const beside = join(dirname(path), `${basename(path, '.rulelang')}.expected`);
    const isSample = name.startsWith('samples');
    return {
        name: name.replace(/^test\/conformance\/programs\//u, '').replace(/\.rulelang$/u, ''),
        folder: dirname(path),
        text,
        expectation: readExpectation(isSample ? readFileSync(beside, 'utf8') : text),
    };
}

/** A program as analysis sees it, and its errors as `RL2401 3`: code and one-based line. */
interface Checked {
    readonly program: AnalysedProgram;
    readonly errors: string[];
}

const NO_PARAMETERS: ReadonlyMap<string, unknown> = new Map();
/** The program that was checked last: mostly the next question is about the same. */
let last: { readonly asked: readonly unknown[]; readonly checked: Checked } | undefined;

/** The program as analysis sees it beside its data. */
export function check(
    text: string,
    parameters = NO_PARAMETERS,
    folder = '.',
    modules: readonly (readonly [string, string])[] = includedTexts(folder),
): Checked {
    const asked = [text, folder, parameters, modules.length, ...modules.flat()];
    if (last === undefined || last.asked.length !== asked.length || !asked.every((part, i) => part === last?.asked[i]))
        last = { asked, checked: checkedAnew(text, parameters, folder, modules) };
    return last.checked;
}

function checkedAnew(
    text: string,
    parameters: ReadonlyMap<string, unknown>,
    folder: string,
    modules: readonly (readonly [string, string])[],
): Checked {
    const read = readProgram(text, FILE);
    const linked = withModules(read.value, finding([[FILE, text], ...modules]));
    const access = fileAccess(folder, linked, parameters);
    const program = analysedAtOnce(linked, access, parameters);
    const errors = allProblems(program, read.problems).filter(problem => problem.severity === 'error');
    const placeOf = (error: Problem): string => (error.place.file === FILE ? `${lineOf(text, error)}` : error.place.file);
    return { program, errors: errors.map(error => `${error.code} ${placeOf(error)}`) };
}

/** As `SourceLookup` does it; files answer at once. */
function analysedAtOnce(program: Program, access: SourceAccess, suppliedParameters: ReadonlyMap<string, unknown>): AnalysedProgram {
    const schemas = new Map<string, SourceSchema>();
    let analysed = analyse(program, { sql: readQuery, suppliedParameters });
    for (let known = -1; known < schemas.size; ) {
        known = schemas.size;
        for (const bind of analysed.schemaNeeds) {
            const schema = peekSource(bind, access);
            if (schema instanceof Promise) throw new Error('A file does not answer at once');
            if (schema !== undefined) schemas.set(bindKey(bind), schema);
        }
        if (schemas.size > known) analysed = analyse(program, { sql: readQuery, schemas: new Map(schemas), suppliedParameters });
    }
    return analysed;
}

/** What a program of the corpus is called when it is read. */
export const FILE = 'conformance.rulelang';

/** The modules of the programs in a folder, by their paths from there. */
export function includedTexts(folder: string): (readonly [string, string])[] {
    const below = join(folder, INCLUDED);
    if (!existsSync(below)) return [];
    return readdirSync(below).map(name => [`${INCLUDED}/${name}`, readFileSync(join(below, name), 'utf8')] as const);
}

function lineOf(text: string, { place, span }: Problem): number {
    return text.slice(0, place.offset + span.start).split('\n').length;
}

/** What a run gave, in the terms of an expectation. */
export interface Observed {
    readonly facts: Map<string, Row[]>;
    readonly columnNames: Map<string, string>;
    readonly types: Map<string, string>;
    readonly reports: string[];
}

export type Evaluator = (program: AnalysedProgram, options: RunOptions) => Promise<RunOutcome>;

/** Runs a program text with an evaluator. Errors of the program are an error of the test. */
export async function observe(
    { folder, expectation }: Pick<ConformanceProgram, 'folder' | 'expectation'>,
    text: string,
    evaluator: Evaluator,
    disabledPasses: RunOptions['disabledPasses'] = new Set(),
    modules: readonly (readonly [string, string])[] = includedTexts(folder),
): Promise<Observed> {
    const { program, errors } = check(text, expectation.parameters, folder, modules);
    if (errors.length > 0) throw new Error(`The program has errors: ${errors.join(', ')}`);
    return outcomeOf(await evaluator(program, { ...runOptions(folder, expectation.parameters, program.program), disabledPasses }));
}

/** A run may read the files beside the program, and nothing else. */
function fileAccess(folder: string, program: Program | undefined, parameters: ReadonlyMap<string, unknown>): SourceAccess {
    const declared = program === undefined ? new Map() : declaredParameters(placedAnnotations(program));
    return {
        grants: { ...NO_GRANTS, readRoots: [resolve(folder)] },
        programFile: join(folder, FILE),
        pathOf: file => join(folder, file),
        currentFolder: ROOT,
        parameters: parameterTexts(declared, parameters),
    };
}

/** One database for the queries of all programs. */
const QUERIES = sqlEngine({ memory: 2 ** 28, threads: 1 });

export function runOptions(folder: string, parameters: ReadonlyMap<string, unknown> = new Map(), program?: Program): RunOptions {
    return {
        parameters,
        limits: { maxMemory: 2 ** 30, maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 },
        connectors: runConnectors(fileAccess(folder, program, parameters)),
        queries: QUERIES,
        cancelled: () => undefined,
        clock: () => performance.now(),
    };
}

/** The outputs of a run after post-processing; a run that was stopped has none. */
export function outcomeOf(outcome: RunOutcome): Observed {
    const facts = new Map<string, Row[]>();
    const columnNames = new Map<string, string>();
    const types = new Map<string, string>();
    const reports = [...new Set(outcome.reports.map(report => report.code))].sort();
    if (!outcome.ok) return { facts, columnNames, types, reports };
    const { database } = outcome;
    const label = nullLabels(database.dictionary);
    for (const predicate of database.program.outputs) {
        const listing = listPredicate(database, predicate);
        const row = (at: number): Row =>
            listing.columns.flatMap((column, i) => readRow(termText(database.dictionary, listing.at(at, i), column.type, label)));
        facts.set(
            listing.name,
            Array.from({ length: listing.count }, (_, at) => row(at)),
        );
        columnNames.set(listing.name, listing.columns.map(column => column.name).join(', '));
        types.set(listing.name, listing.columns.map(column => apiType(column.type)).join(', '));
    }
    return { facts, columnNames, types, reports };
}
