import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { queryBody, queryClauses } from '#language/tools/query-clauses.ts';
import type { RunJob } from '#server/protocol/jobs.ts';
import { isTableFormat } from '#server/protocol/result-formats.ts';
import type { LoadedProgram, ProgramSource } from './load-program.ts';

/** Problems of predicates that are neither shown nor used: queries may ask for them, too. */
export const UNUSED: ReadonlySet<string> = new Set(['RL1110', 'RL6013']);

/** Queries that a run answers beside its program. */
export interface AskedQueries {
    /** The program with the queries as outputs, each of which has its rule in a module. */
    readonly source: ProgramSource;
    /** The names of these outputs, once the source is read. */
    readonly names: ReadonlySet<string>;
    /** Texts that are not queries. */
    readonly refused: ReadonlySet<string>;
}

/** A program that is asked queries. Whatever is wrong with the text of one is a problem of its module. */
export function askedQueries(source: ProgramSource, { queries, format }: Pick<RunJob, 'queries' | 'format'>): AskedQueries {
    const names = new Set<string>();
    const refused = new Set<string>();
    const texts = new Map<string, string>();
    const linked: ProgramSource['linked'] = program => {
        const whole = source.linked(program);
        const { modules, targets } = whole.inclusion ?? { modules: [], targets: new Map() };
        const taken = [source.text, ...modules.map(({ file }) => source.textOf?.(file) ?? '')].join('\n');
        const asked = queries.map((query, at) => {
            const number = queries.length === 1 ? '' : at + 1;
            const found = queryClauses(taken, query, { name: `query${number}`, columnless: isTableFormat(format) });
            if (found === undefined) refused.add(query);
            else names.add(found.predicate);
            const file = `query ${number}`.trim();
            const text = found?.clauses ?? `query${number}() <- ${queryBody(query)}.`;
            texts.set(file, text);
            const { value, problems } = readProgram(text, file);
            return { file, clauses: value.clauses, problems };
        });
        // Outputs of modules are none of the program.
        const outputs = readProgram([...names].map(name => `@output("${name}").`).join('\n'), whole.file).value.clauses;
        return { ...whole, clauses: [...whole.clauses, ...outputs], inclusion: { modules: [...modules, ...asked], targets } };
    };
    const textOf = (file: string): string | undefined => texts.get(file) ?? source.textOf?.(file);
    return { source: queries.length === 0 ? source : { ...source, linked, textOf }, names, refused };
}

/** The program with the outputs alone that queries ask for, or that are named. */
export function askedAlone(loaded: LoadedProgram, { names }: AskedQueries, outputs: readonly string[]): LoadedProgram {
    if (names.size === 0) return loaded;
    const { program } = loaded;
    const isWanted = (name = ''): boolean => names.has(name) || outputs.includes(name);
    return { ...loaded, program: { ...program, outputs: program.outputs.filter(key => isWanted(program.predicates.get(key)?.name)) } };
}

export function refusedQuery({ refused }: AskedQueries): string | undefined {
    const [query] = refused;
    if (query === undefined) return undefined;
    return say`rulelang run: '${query}' is no query: write atoms and conditions as in the body of a rule, such as p("a", X), X > 3`;
}
