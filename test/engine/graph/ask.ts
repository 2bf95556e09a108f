import type { Scope } from '#engine/evaluate/scope.ts';
import { answer } from '#engine/graph/answer.ts';
import { readGraph } from '#engine/graph/read-graph.ts';
import { Work } from '#engine/graph/work.ts';
import type { PlanCall } from '#engine/plan/plan.ts';
import { Dictionary } from '#engine/values/dictionary.ts';
import { unlimitedMemory } from '#engine/values/memory.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { readRelationOptions } from '#language/library/relation-options.ts';
import { type GraphFunctionName, inputColumns, type RelationQuestion, resultColumns } from '#language/library/relation-question.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { naiveAnswer } from '../../naive/naive-answer.ts';

/** An edge of numbers or texts, with a weight where there is a third value. */
export type Edge = readonly (number | string)[];

const place = { file: 'test', offset: 0, line: 0, column: 0 };
const span = { start: 0, end: 0 };

/** The question that an option text asks. */
export function questionOf(name: GraphFunctionName, options = ''): RelationQuestion {
    const { question, problems } = readRelationOptions(name, options);
    if (question === undefined) throw new Error(JSON.stringify(problems));
    return question;
}

/** The rows that the algorithms of the engine give, as text, in order; each row is checked to be new. */
export function rowsOf(edges: readonly Edge[], name: GraphFunctionName, options = ''): string[] {
    const dictionary = new Dictionary();
    const rows: string[] = [];
    const work = quietWork();
    const input = inputOf(edges, dictionary);
    const columns = [0, 1, 2].map(column => Int32Array.from(input, row => row[column] ?? 0));
    const read = readGraph({ count: edges.length, columns }, inputColumns(name) === 3, dictionary, work);
    if (read.kind !== 'graph') return [read.kind];
    const { graph, nodes } = read;
    const add = (row: readonly ValueId[]): void => void rows.push(textOf(row, dictionary));
    answer(questionOf(name, options), { graph, nodes, dictionary, work, below: () => 0, add });
    if (new Set(rows).size < rows.length) throw new Error(`A row comes twice: ${rows.join(' ')}`);
    return rows.sort();
}

/** The rows that follow from the definitions. */
export function expectedRows(edges: readonly Edge[], name: GraphFunctionName, options = ''): string[] {
    const dictionary = new Dictionary();
    const call: PlanCall = {
        function: name,
        input: 'e/3' as PredicateKey,
        options: { kind: 'string', value: options, span },
        location: { place, span },
    };
    const scope: Scope = {
        dictionary,
        place,
        slot: () => 0,
        type: () => MIXED,
        parameter: () => ({ value: 0, type: MIXED }),
        report: () => undefined,
    };
    const columns = resultColumns(questionOf(name, options)).length;
    const rows = naiveAnswer(call, columns, inputOf(edges, dictionary), scope, () => 0);
    return [...new Set(rows.map(row => textOf(row, dictionary)))].sort();
}

export function quietWork(): Work {
    return new Work({ left: 0, check: () => undefined }, unlimitedMemory());
}

function inputOf(edges: readonly Edge[], dictionary: Dictionary): ValueId[][] {
    return edges.map(edge => edge.map(value => (typeof value === 'number' ? dictionary.number(value) : dictionary.string(value))));
}

/** Scores are rounded, away from halves, since sums in another order differ in their last digits. */
function textOf(row: readonly ValueId[], dictionary: Dictionary): string {
    const isFraction = (id: ValueId): boolean => dictionary.isNumber(id) && !dictionary.isInteger(id);
    return row
        .map(id => (isFraction(id) ? (dictionary.numberOf(id) + 3.7e-11).toFixed(9) : termText(dictionary, id, MIXED, String)))
        .join(' ');
}
