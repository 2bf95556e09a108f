import type { Database } from '#engine/contracts/database.ts';
import type { RuleProfile } from '#engine/contracts/run-statistics.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { Origin } from '#engine/explain/explanation.ts';
import { explanationTree } from '#engine/explain/explanation-tree.ts';
import { whyNot } from '#engine/explain/why-not.ts';
import { whyNotTree } from '#engine/explain/why-not-text.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import { nullLabels } from '#engine/results/listing.ts';
import type { Expectation, ExpectedError, TestCase } from '#language/analysis/test-cases.ts';
import { isFileType } from '#language/library/connected-sources.ts';
import { type AnalysedProgram, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { predicatesBelow } from '#language/program/predicates-below.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { positionAt, type SourceText } from '#server/notices/source-texts.ts';
import type { TestJob } from '#server/protocol/jobs.ts';
import type { TestFailure, TextReplacement, ToldFact } from '#server/protocol/tests.ts';
import type { JobContext } from '../job-context.ts';
import { type LoadedProgram, loadProgram, type ProgramSource } from '../load-program.ts';
import { providersOf } from '../model-providers.ts';
import { originText } from '../origin-text.ts';
import { prepareRun } from '../prepare-run.ts';
import { withQueries } from '../with-queries.ts';
import { checkpointOf } from '../write-outputs.ts';
import { acceptedPart } from './accepted-text.ts';
import { caseProgram } from './case-program.ts';
import { type ComparedFacts, compareFacts, expectedPredicates, type MissingFact, type UnexpectedFact } from './compare-facts.ts';

/** The outcome of a test case. */
export interface CaseOutcome {
    readonly failures: readonly TestFailure[];
    /** Expectations that can be made true by writing down what there is. */
    readonly differing: readonly Differing[];
    readonly loaded: LoadedProgram;
    /** Figures of its rules; none if the run failed. */
    readonly profile: readonly RuleProfile[];
    /** Its derived facts, if the run did not fail. */
    readonly database?: Database;
}

export interface Differing {
    readonly expectation: Expectation;
    readonly actual: readonly string[];
}

/** Facts of one expectation to report with their reasons, and to report at all. */
const [EXPLAINED, TOLD] = [3, 20];
/** Lines of a reason. */
const LINES = 8;

/** Runs a test case of a file and compares what it expects. */
export async function runTestCase(source: ProgramSource, test: TestCase, job: TestJob, context: JobContext): Promise<CaseOutcome> {
    const loaded = await loadProgram({ ...source, linked: program => caseProgram(source.linked(program), test) });
    const text = loaded.texts.get(loaded.file);
    const lineOf = (of: Placed): number => lineAt(of, text);
    const errors = loaded.problems.filter(({ severity }) => severity === 'error').map(problemNotice);
    if (errors.length > 0) return { failures: errorFailures(errors, test, lineOf), differing: [], loaded, profile: [] };
    const { program } = loaded;
    const goals = test.expectations.flatMap(one => expectedPredicates({ program }, one).map(({ key }) => key));
    const connected = connections(program, goals, test, lineOf);
    // What bodies did is counted from all rows.
    const also = job.coverage ? [...neededPredicates(program, goals)] : goals;
    if (connected.length > 0) return { failures: connected, differing: [], loaded, profile: [] };
    try {
        const { surroundings, limits, python } = job;
        const prepared = await prepareRun(
            loaded,
            {
                shown: [],
                also,
                writes: false,
                heights: true,
                constraints: true,
                profile: job.coverage,
                unread: test.given,
                input: name => (test.given.has(name) ? { name, types: [], load: () => undefined } : undefined),
                limits,
                python,
                providers: providersOf(job),
                ...(surroundings.seed !== undefined && { seed: surroundings.seed }),
                ...(surroundings.now !== undefined && { now: () => surroundings.now ?? 0 }),
            },
            context,
        );
        const outcome = await prepared.evaluate();
        if (!outcome.ok || outcome.reports.some(({ severity }) => severity === 'error')) {
            const found = outcome.reports.filter(({ severity }) => severity === 'error').map(reportNotice);
            checkpointOf(context)();
            return { failures: errorFailures(found, test, lineOf), differing: [], loaded, profile: [] };
        }
        const { database, statistics } = outcome;
        const profile = statistics.rules ?? [];
        return { ...(await compared(database, test, { loaded, job, context, lineOf })), loaded, profile, database };
    } catch (error) {
        if (!(error instanceof RunStopped) || context.cancelled() !== undefined) throw error;
        return { failures: errorFailures([reportNotice(error.report)], test, lineOf), differing: [], loaded, profile: [] };
    }
}

interface Placed {
    readonly place: ClausePlace;
    readonly annotation: { readonly span: Span };
}

function lineAt({ place, annotation }: Placed, text: SourceText | undefined): number {
    return text === undefined ? place.line : positionAt(text, place.offset + annotation.span.start).line;
}

/** Errors are failures but for those that were expected; so are expected ones that did not come. */
function errorFailures(errors: readonly Notice[], test: TestCase, lineOf: (of: Placed) => number): TestFailure[] {
    const wanted = new Set(test.errors.map(({ code }) => code));
    const others = errors.filter(({ code }) => !wanted.has(code));
    const got = new Set(errors.map(({ code }) => code));
    return [
        ...others.map(({ code, message, remedy, details = [] }) =>
            failure(`${code}: ${message}${remedy === undefined ? '' : `; ${remedy}`}`, lineOf(test), details),
        ),
        ...test.errors.filter(({ code }) => !got.has(code)).map(one => missedError(one, lineOf)),
    ];
}

function missedError(one: ExpectedError, lineOf: (of: Placed) => number): TestFailure {
    return failure(say`the error ${one.code} was expected, and did not come`, lineOf(one));
}

function failure(message: string, line: number, details: readonly string[] = []): TestFailure {
    return { message, details, line, missing: [], unexpected: [] };
}

/** Predicates that an expectation needs and that only a database or a service has. */
function connections(
    program: AnalysedProgram,
    goals: readonly PredicateKey[],
    test: TestCase,
    lineOf: (of: Placed) => number,
): TestFailure[] {
    const names = new Map<string, string>();
    for (const key of neededPredicates(program, goals)) {
        const { name, inputBinds } = program.predicates.get(key) ?? { name: '', inputBinds: [] };
        const bind = inputBinds.find(({ type }) => type !== 'sqlite' && !isFileType(type));
        if (bind !== undefined && !test.given.has(name)) names.set(name, bind.type);
    }
    return [...names].map(([name, type]) =>
        failure(
            say`'${name}' is read from ${type}, and a test opens no connection: give its facts, or say @given("${name}") for none`,
            lineOf(test),
        ),
    );
}

/** Returns the predicates that a case with expectations of these predicates evaluates. */
function neededPredicates(program: AnalysedProgram, goals: readonly PredicateKey[]): Iterable<PredicateKey> {
    return goals.length === 0 ? program.predicates.keys() : predicatesBelow(program, goals);
}

interface Comparing {
    readonly loaded: LoadedProgram;
    readonly job: TestJob;
    readonly context: JobContext;
    readonly lineOf: (of: Placed) => number;
}

async function compared(database: Database, test: TestCase, by: Comparing): Promise<Pick<CaseOutcome, 'failures' | 'differing'>> {
    const failures = test.errors.map(one => missedError(one, by.lineOf));
    if (failures.length + test.expectations.length === 0) failures.push(failure(say`the test case expects nothing`, by.lineOf(test)));
    const differing: Differing[] = [];
    for (const expectation of test.expectations) {
        const found = compareFacts(database, expectation);
        const wrong = await differenceOf(database, expectation, found, by);
        if (wrong === undefined) continue;
        const one: Differing = { expectation, actual: found.actual };
        const acceptance = acceptanceOf(one, by.loaded);
        failures.push({ ...wrong, ...(acceptance && { acceptance }) });
        differing.push(one);
    }
    return { failures, differing };
}

function acceptanceOf(differing: Differing, { texts, file }: LoadedProgram): TextReplacement | undefined {
    const source = texts.get(file);
    const part = source && acceptedPart(source.text, differing);
    if (source === undefined || part === undefined) return undefined;
    return { start: positionAt(source, part.span.start), end: positionAt(source, part.span.end), text: part.text };
}

async function differenceOf(
    database: Database,
    expectation: Expectation,
    { expected, actual, missing, unexpected }: ComparedFacts,
    by: Comparing,
): Promise<TestFailure | undefined> {
    const { kind, count, predicate } = expectation;
    const isMore = kind === 'exact' || kind === 'empty';
    if (kind === 'count') {
        if (actual.length === count) return undefined;
        return failure(
            say`the number of facts of ${predicate} is ${countText(actual.length)}, and ${countText(count ?? 0)} was expected`,
            by.lineOf(expectation),
        );
    }
    const surplus = isMore ? unexpected : [];
    if (missing.length === 0 && surplus.length === 0) return undefined;
    return {
        message: differenceText(predicate, missing.length, surplus.length),
        details: [],
        line: by.lineOf(expectation),
        expected,
        actual: isMore ? actual : actual.filter(text => expected.includes(text)),
        missing: await toldMissing(database, missing, by),
        unexpected: toldUnexpected(database, surplus, by),
    };
}

function differenceText(predicate: string, missing: number, unexpected: number): string {
    const lacking = missing === 1 ? say`1 fact of ${predicate} is missing` : say`${countText(missing)} facts of ${predicate} are missing`;
    const surplus =
        unexpected === 1
            ? say`1 fact of ${predicate} was not expected`
            : say`${countText(unexpected)} facts of ${predicate} were not expected`;
    return [...(missing > 0 ? [lacking] : []), ...(unexpected > 0 ? [surplus] : [])].join('; ');
}

async function toldMissing(database: Database, missing: readonly MissingFact[], { loaded, job, context }: Comparing): Promise<ToldFact[]> {
    const label = nullLabels(database.dictionary);
    const place = (origin: Origin): string => originText(origin, loaded);
    const checkpoint = checkpointOf(context);
    const told: ToldFact[] = [];
    for (const [number, { text, fact, values }] of missing.slice(0, TOLD).entries()) {
        if (number >= EXPLAINED || !database.program.predicates.has(predicateKey(fact.atom.predicate, values.length))) {
            told.push({ fact: text, why: [] });
            continue;
        }
        const asked = { predicate: predicateKey(fact.atom.predicate, values.length), values };
        const answer = await withQueries([database], job.limits.maxMemory, checkpoint, () =>
            whyNot(database, asked, { label, checkpoint }),
        );
        told.push({ fact: text, why: short(whyNotTree({ ...answer, edits: [] }, { place, reasons: 1 }).slice(1)) });
    }
    return told;
}

function toldUnexpected(database: Database, unexpected: readonly UnexpectedFact[], { loaded, context }: Comparing): ToldFact[] {
    const label = nullLabels(database.dictionary);
    const place = (origin: Origin): string => originText(origin, loaded);
    const checkpoint = checkpointOf(context);
    return unexpected.slice(0, TOLD).map(({ text, row }, number) => {
        if (number >= EXPLAINED) return { fact: text, why: [] };
        const tree = explanationTree(explainFact(database, row, { label, checkpoint }), { place, limit: LINES, depth: 2 });
        return { fact: text, why: short(tree.slice(1)) };
    });
}

function short(lines: readonly string[]): string[] {
    const told = lines.filter(line => line.trim() !== '');
    return told.length > LINES ? [...told.slice(0, LINES), '…'] : told;
}
