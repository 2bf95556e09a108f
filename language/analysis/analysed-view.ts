import type { AnalysedProgram, Bind, Parameter } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { complete, type KnownProgram } from './complete.ts';
import { columnCount } from './names.ts';
import type { ParameterUse, RuleFacts } from './program-facts.ts';
import { unsupportedConstructs } from './unsupported.ts';

export interface UpdatedProgram extends Omit<KnownProgram, 'parameters' | 'rules'> {
    /** In text order; to be asked for as long as the analysis has not gone on. */
    readonly rules: () => readonly RuleFacts[];
    readonly parameterUses: readonly ParameterUse[];
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
    const completed = once(() => (updated.isCurrent() ? madeNow(updated, parameters) : updated.again()));
    return {
        program,
        get predicates() {
            return completed().predicates;
        },
        get rules() {
            return completed().rules;
        },
        get strata() {
            return completed().strata;
        },
        get outputs() {
            return completed().outputs;
        },
        parameters,
        libraryPrefixes: declarations.prefixes,
        binds: declarations.binds.map(({ bind }) => bind),
        get unsupported() {
            return completed().unsupported;
        },
        schemaNeeds: schemaNeeds(declarations, schemas),
        problems,
    };
}

/** What can be made only until the analysis goes on. */
function madeNow(updated: UpdatedProgram, parameters: ReadonlyMap<string, Parameter>): Completed {
    const rules = updated.rules();
    const unsupported = unsupportedConstructs(updated.declarations.annotations, rules);
    return { ...complete({ ...updated, parameters, rules }), unsupported };
}

type Completed = Pick<AnalysedProgram, 'predicates' | 'rules' | 'strata' | 'outputs' | 'unsupported'>;

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

/** The file binds whose columns nothing tells so far. */
function schemaNeeds({ binds, models }: UpdatedProgram['declarations'], schemas: UpdatedProgram['schemas']): Bind[] {
    const modelled = new Set(models.map(({ model }) => model.predicate));
    return binds
        .map(({ bind }) => bind)
        .filter(bind => bind.direction === 'input' && bind.kind === 'bind' && FILES.has(bind.type) && !modelled.has(bind.predicate))
        .filter(bind => columnCount(bind, schemas) === undefined);
}

const FILES: ReadonlySet<string> = new Set(['csv', 'json']);
