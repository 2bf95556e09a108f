import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import type { Dictionary } from '#engine/values/dictionary.ts';
import { compareValues } from '#engine/values/order.ts';
import { termText } from '#engine/values/text.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { UNKNOWN } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';

export const RUN_OPTIONS: RunOptions = {
    parameters: new Map(),
    limits: { maxMemory: 2 ** 30, maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 },
    connectors: { source: () => undefined, sink: () => undefined },
    cancelled: () => undefined,
    clock: () => 0,
};

/** The program that was read last: mostly the next run is of the same. */
let last: { readonly text: string; readonly program: AnalysedProgram } | undefined;

export function programOf(text: string): AnalysedProgram {
    if (last?.text !== text) last = { text, program: analyse(readProgram(text, 'test.rulelang').value) };
    return last.program;
}

export function hasErrors({ problems }: AnalysedProgram): boolean {
    return problems.some(({ severity }) => severity === 'error');
}

export interface TestRun {
    readonly outcome: RunOutcome;
    readonly codes: readonly string[];
    readonly messages: readonly string[];
    /** The facts of the only predicate with this name, as `1, "a"`, in the order of 3.4; with heights as `1, "a" @2`. */
    facts(name: string): string[];
}

export async function run(text: string, options: Partial<RunOptions> = {}): Promise<TestRun> {
    const program = programOf(text);
    const outcome = await evaluate(program, { ...RUN_OPTIONS, ...options });
    return {
        outcome,
        codes: outcome.reports.map(report => report.code),
        messages: outcome.reports.map(report => report.message),
        facts: name => factsOf(program, outcome, name),
    };
}

function factsOf(program: AnalysedProgram, outcome: RunOutcome, name: string): string[] {
    if (!outcome.ok) throw new Error(outcome.reports.map(report => report.message).join('; '));
    const predicate = [...program.predicates.values()].find(one => one.name === name);
    const rows = predicate && outcome.database.relation(predicate.key);
    if (predicate === undefined || rows === undefined) throw new Error(`No relation ${name}`);
    const { dictionary } = outcome.database;
    const labels = new Map<number, string>();
    const label = (id: number): string => {
        if (!labels.has(id)) labels.set(id, `z${labels.size + 1}`);
        return labels.get(id) ?? '';
    };
    const columns = rows.columns.map(column => column.subarray(0, rows.count));
    const ranks = ranksIn(dictionary, columns);
    const compare = (left: number, right: number): number => {
        for (const rank of ranks) {
            const order = (rank[left] ?? 0) - (rank[right] ?? 0);
            if (order !== 0) return order;
        }
        return 0;
    };
    const texts = predicate.columns.map(() => new Map<number, string>());
    const textAt = (row: number, column: number): string => {
        const id = columns[column]?.[row] ?? 0;
        const text = texts[column]?.get(id) ?? termText(dictionary, id, predicate.columns[column]?.type ?? UNKNOWN, label);
        texts[column]?.set(id, text);
        return text;
    };
    return Array.from({ length: rows.count }, (_, row) => row)
        .sort(compare)
        .map(row => {
            const values = predicate.columns.map((_, column) => textAt(row, column));
            return `${values.join(', ')}${rows.notes?.heights === undefined ? '' : ` @${rows.notes.heights[row]}`}`;
        });
}

/** For each column where its values stand among all that occur; values that no order tells apart stand at one place. */
function ranksIn(dictionary: Dictionary, columns: readonly Int32Array[]): Int32Array[] {
    const ids = new Set<number>();
    for (const column of columns) for (const id of column) ids.add(id);
    const rankOf = new Map<number, number>();
    let [before, rank]: [number | undefined, number] = [undefined, 0];
    for (const id of [...ids].sort((left, right) => compareValues(dictionary, left, right))) {
        if (before !== undefined && compareValues(dictionary, before, id) !== 0) rank++;
        rankOf.set(id, rank);
        before = id;
    }
    return columns.map(column => column.map(id => rankOf.get(id) ?? 0));
}
