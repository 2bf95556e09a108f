import { readParameters } from '#engine/evaluate/parameters.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { textOf } from '#engine/values/text.ts';
import { parametersOfClause } from '#language/analysis/parameters.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { CELL_LIMIT, type RunNotice, type RunParameter } from '#server/protocol/runs.ts';
import { secretParameters } from '#server/secrets/secret-parameters.ts';
import { MASK } from '#server/secrets/secret-shapes.ts';

/** A notice for each value that a run gives and its program has no use for. */
export function unknownParameters({ parameters, program }: AnalysedProgram, given: ReadonlyMap<string, unknown>): RunNotice[] {
    if (given.size === 0 || program.clauses.some(isScript)) return [];
    // Options of binds may name values that the program does not declare.
    const known = new Set([...parameters.keys(), ...program.clauses.flatMap(parametersOfClause).map(({ name }) => name)]);
    return [...given.keys()]
        .filter(name => !known.has(name))
        .map(name => {
            const nearest = nearestName(name, known);
            const remedy = nearest === undefined ? listed([...known]) : say`did you mean '${nearest}'?`;
            const message = say`Parameter '${name}' is given, but the program has none of this name, so it is not used`;
            return { code: '', severity: 'warning', message, parameter: name, ...(remedy !== undefined && { remedy }) };
        });
}

/** A script gets all values. */
function isScript(clause: Clause): boolean {
    return clause.kind === 'rule' && clause.body.kind === 'script';
}

const LISTED = 8;

function listed(names: readonly string[]): string | undefined {
    if (names.length === 0 || names.length > LISTED) return undefined;
    return say`it has ${names.map(name => `'${name}'`).join(', ')}`;
}

/** The parameters of a program that have a value in a run, in the order of their declarations; secrets are not told. */
export function usedParameters({ parameters, binds }: AnalysedProgram, given: ReadonlyMap<string, unknown>): RunParameter[] {
    if (parameters.size === 0) return [];
    const secrets = secretParameters({ parameters, binds });
    const dictionary = new Dictionary();
    const values = readParameters(parameters, given, dictionary, () => undefined);
    return [...parameters.keys()].flatMap(name => {
        const used = values.get(name);
        if (used === undefined) return [];
        if (secrets.has(name)) return [{ name, text: MASK, given: given.has(name) }];
        const text = textOf(dictionary, used.value, used.type, String);
        return [{ name, text: text.length > CELL_LIMIT ? `${text.slice(0, CELL_LIMIT)}…` : text, given: given.has(name) }];
    });
}
