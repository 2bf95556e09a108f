import { isConnected, isQueried } from '#language/library/connected-sources.ts';
import type { AnalysedProgram, AnalysedRule, Bind, Parameter, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Program } from '#language/program/program.ts';
import { queryParameters } from '#language/program/query-parameters.ts';
import { bindKey } from './binds.ts';
import { chaseFacts, type NullCreation } from './chase-analysis.ts';
import type { ClauseState } from './clause-state.ts';
import type { Completion } from './complete.ts';
import type { Declarations } from './declarations.ts';
import type { EqualityGroup } from './equality-groups.ts';
import { levelsOf } from './levels.ts';
import type { ParameterUse, RuleFacts } from './program-facts.ts';
import { unsupportedConstructs } from './unsupported.ts';

/** A program that the analysis has brought up to date. */
export interface UpdatedProgram {
    readonly program: Program;
    readonly states: readonly ClauseState[];
    readonly declarations: Declarations;
    readonly parameterUses: readonly ParameterUse[];
    readonly schemas: ReadonlyMap<string, SourceSchema>;
    readonly hasSql: boolean;
    readonly querySchema: AnalysedProgram['querySchema'];
    readonly completion: Completion;
    readonly nulls: NullCreation;
    readonly equalities: readonly EqualityGroup<RuleFacts>[];
    readonly problems: readonly Problem[];
    /** The analysis has not gone on to another program. */
    readonly isCurrent: () => boolean;
    /** Analyses the program from the beginning. */
    readonly again: () => AnalysedProgram;
}

/** An analysed program of which those parts that only evaluation and answers to editors need are made when they are asked for. */
export function analysedProgram(updated: UpdatedProgram): AnalysedProgram {
    const { program, declarations, schemas, problems } = updated;
    const parameters = parametersOf(updated);
    const known = { states: updated.states, declarations, parameters };
    const again = once(updated.again);
    const { completion, isCurrent } = updated;
    const predicates = once(() => (isCurrent() ? completion.predicates(known) : again().predicates));
    const predicatesNamed = (name: string) => (isCurrent() ? completion.predicatesNamed(name, known) : again().predicatesNamed(name));
    const rules = once(() => (isCurrent() ? completion.rules(known) : again().rules));
    const strata = once(() => (isCurrent() ? completion.strata(known) : again().strata));
    const levels = once(() => (isCurrent() ? levelsOf(strata(), rules(), numbered(updated.equalities, rules())) : again().levels));
    const outputs = once(() => outputKeys(predicatesNamed, declarations));
    const chase = once(() => (updated.isCurrent() ? chaseFacts(updated.nulls, rulesOf(updated)) : again().chase));
    const unsupported = once(() => (updated.isCurrent() ? unsupportedIn(updated) : again().unsupported));
    return {
        program,
        get predicates() {
            return predicates();
        },
        get rules() {
            return rules();
        },
        predicatesNamed,
        predicateNames: () => (isCurrent() ? completion.predicateNames() : again().predicateNames()),
        get strata() {
            return strata();
        },
        get levels() {
            return levels();
        },
        get outputs() {
            return outputs();
        },
        parameters,
        libraryPrefixes: declarations.prefixes,
        binds: declarations.binds.map(({ bind }) => bind),
        provenance: declarations.provenance,
        get unsupported() {
            return unsupported();
        },
        schemaNeeds: schemaNeeds(declarations, schemas),
        schemas,
        hasSql: updated.hasSql,
        querySchema: rule => (isCurrent() ? updated.querySchema(rule) : again().querySchema(rule)),
        get chase() {
            return chase();
        },
        problems,
    };
}

/** The same with the numbers of rules. */
function numbered(groups: readonly EqualityGroup<RuleFacts>[], rules: readonly AnalysedRule[]): EqualityGroup<number>[] {
    const indexes = new Map(rules.map(({ rule, index }) => [rule, index]));
    const numbersOf = (some: readonly RuleFacts[]): number[] => some.flatMap(({ rule }) => indexes.get(rule) ?? []);
    return groups.map(({ equalities, sensitive, woken }) => ({
        equalities: numbersOf(equalities),
        sensitive: numbersOf(sensitive),
        woken: numbersOf(woken),
    }));
}

function unsupportedIn(updated: UpdatedProgram): AnalysedProgram['unsupported'] {
    return unsupportedConstructs(rulesOf(updated));
}

function rulesOf({ states }: UpdatedProgram): RuleFacts[] {
    return states.flatMap(({ rule }) => rule?.facts ?? []);
}

/** One key for each `@output`, in the order of the annotations. */
function outputKeys(predicatesNamed: AnalysedProgram['predicatesNamed'], { outputs }: Declarations): PredicateKey[] {
    const wanted = new Set(outputs.map(({ predicate }) => predicate));
    return [...wanted].flatMap(name => predicatesNamed(name).find(({ output }) => output)?.key ?? []);
}

function once<T>(make: () => T): () => T {
    let made: { readonly value: T } | undefined;
    return () => {
        made ??= { value: make() };
        return made.value;
    };
}

/** Declared parameters, then those that are only used. */
function parametersOf({ declarations, parameterUses }: UpdatedProgram): ReadonlyMap<string, Parameter> {
    const parameters = new Map(declarations.parameters);
    for (const { name, place, lenient } of parameterUses) if (!parameters.has(name) && !lenient) parameters.set(name, { name, place });
    return parameters;
}

/** The file binds whose columns nothing tells so far, which a model may contradict, or whose file may not be there. */
function schemaNeeds({ binds }: UpdatedProgram['declarations'], schemas: UpdatedProgram['schemas']): Bind[] {
    return binds
        .map(({ bind }) => bind)
        .filter(bind => bind.direction === 'input' && showsColumns(bind))
        .filter(bind => schemas.get(bindKey(bind)) === undefined && schemas.get(bind.predicate) === undefined);
}

/** A query that waits for values of a rule has no columns before it has them. */
function showsColumns(bind: Bind): boolean {
    return bind.kind === 'bind' ? isConnected(bind.type) : isQueried(bind.type) && queryParameters(bind).length === 0;
}
