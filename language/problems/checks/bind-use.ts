import { spanInText } from '#language/analysis/annotation-arguments.ts';
import { bindKey } from '#language/analysis/binds.ts';
import type { Declarations } from '#language/analysis/declarations.ts';
import { columnCount } from '#language/analysis/names.ts';
import type { AnalysisOptions, BindFacts, NameFacts } from '#language/analysis/program-facts.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Annotation } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { say } from '#language/program/say.ts';
import { problem, withMeant, withRelated, withRemedy, withSeverity, withWritten } from '../catalogue.ts';
import { checkBindOptions } from './bind-options.ts';
import { checkFileHeaders } from './file-headers.ts';

/** How the binds of one predicate fit the program and each other: RL6060 to RL6063, RL6065 to RL6068, RL6108, RL6109, RL6111, RL6117, and what `checkFileHeaders` finds. */
export function* checkBindUse(name: NameFacts, { openWorld, file, written }: Declarations, options: AnalysisOptions): Iterable<Problem> {
    if (name.binds.length === 0) return;
    yield* checkIdentical(name.binds);
    yield* checkColumnCounts(name, options);
    yield* checkFileHeaders(name, options);
    yield* checkFiles(name, options);
    const targets = name.binds.filter(({ bind }) => bind.direction === 'output');
    const [first, second] = targets;
    if (first !== undefined && second !== undefined) {
        const related = [{ place: first.place, span: first.annotation.span, message: say`the first bind` }];
        yield withRelated(problem('RL6063', second.place, second.argument.span, name.name, targets.length), related);
    }
    const derived = [...name.definitions.values()].some(definition => definition.rules.length > 0);
    const isWrittenOutput = name.output !== undefined && written.has(name.name);
    const unused = !name.used && !name.mentioned && name.output === undefined && name.definitions.size === 0 && !openWorld;
    for (const facts of name.binds) {
        const { bind, place, argument, annotation } = facts;
        if (bind.kind === 'qbind' && isWrittenOutput) yield problem('RL6060', place, annotation.nameSpan);
        else if (bind.direction === 'input' && derived)
            yield problem(queryParameters(bind).length > 0 ? 'RL6068' : 'RL6061', place, argument.span, name.name);
        yield* checkQuery(name, bind, annotation);
        if (!unused) yield* checkRefused(facts, options);
        yield* checkTarget(facts, options);
        const missing = bind.direction === 'output' ? 'in' : 'out';
        if (dataSourceNamed(bind.type)?.direction === missing) {
            yield problem('RL6109', place, argument.span, bind.type, missing === 'in' ? say`written` : say`read`);
        }
        if (unused && place.file === file) yield problem('RL6066', place, argument.span, name.name);
    }
}

/** Binds at which a run would end: RL6117. Other checks report the mistakes in their text. */
function* checkRefused(facts: BindFacts, { refusedBinds }: AnalysisOptions): Iterable<Problem> {
    const { bind, place, annotation } = facts;
    const refused = refusedBinds?.get(bindKey(bind));
    if (refused === undefined || [...checkBindOptions(facts)].some(({ severity }) => severity === 'error')) return;
    yield withRemedy(problem('RL6117', place, annotation.arguments[1]?.span ?? annotation.span, refused.reason), refused.remedy);
}

/** Targets that a run would replace, or that end it: RL6108. */
function* checkTarget({ bind, place, annotation }: BindFacts, { heldTargets }: AnalysisOptions): Iterable<Problem> {
    const held = heldTargets?.get(bindKey(bind));
    if (held === undefined) return;
    const found = problem('RL6108', place, annotation.arguments[3]?.span ?? annotation.span, held.name, held.reason);
    yield held.reason === undefined ? withSeverity(found, 'hint') : found;
}

/** Files that the host does not find: RL6111, at the name inside its quotes. */
function* checkFiles({ binds }: NameFacts, { missingFiles = new Map() }: AnalysisOptions): Iterable<Problem> {
    for (const { bind, place, annotation } of binds) {
        const missing = missingFiles.get(bindKey(bind));
        const argument = annotation.arguments[3];
        if (missing === undefined || bind.direction === 'output' || argument === undefined) continue;
        const span = spanInText(argument, 0, bind.inner.length);
        if (dataSourceNamed(bind.type)?.isFile !== true) {
            const absent = withMeant(problem('RL6111', place, span, bind.inner, 'table'), missing.nearest);
            yield missing.nearest === undefined
                ? withRemedy(absent, say`correct the name, whose letters count as they are written`)
                : absent;
            continue;
        }
        const found = problem('RL6111', place, span, bind.inner);
        const slashed = withSlashes(bind.inner);
        yield slashed === undefined
            ? withMeant(found, missing.nearest)
            : withWritten(found, slashed, say`: '\\' begins a sign such as '\\n'`);
    }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
    ['\n', '/n'],
    ['\t', '/t'],
    ['\r', '/r'],
    ['\b', '/b'],
    ['\f', '/f'],
    ['\\', '/'],
]);

/** A path of Windows that was read with signs in the place of its backslashes. */
function withSlashes(path: string): string | undefined {
    const isRead = /[\n\t\r\b\f]/u.test(path);
    return isRead ? path.replace(/[\n\t\r\b\f\\]/gu, sign => ESCAPES.get(sign) ?? sign) : undefined;
}

/** `${n}` in the query of a `@qbind`. */
function* checkQuery({ name, arities }: NameFacts, bind: Bind, { arguments: given, span }: Annotation): Iterable<Problem> {
    const [arity] = arities;
    for (const column of queryParameters(bind)) {
        if (arity !== undefined && (column === 0 || column > arity)) {
            yield problem('RL6065', bind.place, given[3]?.span ?? span, column, name);
        }
    }
}

function* checkIdentical(binds: readonly BindFacts[]): Iterable<Problem> {
    const seen = new Map<string, BindFacts>();
    for (const facts of binds) {
        const earlier = seen.get(bindKey(facts.bind));
        if (earlier === undefined) seen.set(bindKey(facts.bind), facts);
        else {
            const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`the first bind` }];
            yield withRelated(problem('RL6067', facts.place, facts.annotation.nameSpan), related);
        }
    }
}

function* checkColumnCounts(name: NameFacts, options: AnalysisOptions): Iterable<Problem> {
    const counted = name.binds
        .filter(({ bind }) => bind.direction === 'input')
        .map(facts => ({ facts, count: columnCount(facts.bind, options.schemas ?? new Map()) }));
    const [first, ...others] = counted.filter(({ count }) => count !== undefined);
    for (const { facts, count } of others) {
        if (count === undefined || first?.count === undefined || count === first.count) continue;
        yield problem('RL6062', facts.place, facts.argument.span, name.name, first.count, count);
    }
}
