import type { Database } from '#engine/contracts/database.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import type { NullLabel } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { say } from '#language/program/say.ts';
import { type AskedFact, findAsked, questionProblem, readFact, valuesOf } from './asked-fact.ts';

/** The labels of two unknown values in the question why they are two. */
export type AskedEquality = readonly [left: string, right: string];

/** `z1 = z2` */
export function readEquality(text: string): AskedEquality | undefined {
    const [, left, right] = /^\s*(z\d+)\s*==?\s*(z\d+)\s*\.?\s*$/u.exec(text) ?? [];
    return left === undefined || right === undefined ? undefined : [left, right];
}

/** The unknown values that have these labels, or a problem in words. */
export function labelledValues(database: Database, labels: AskedEquality, label: NullLabel): readonly [ValueId, ValueId] | string {
    const found = new Map<string, ValueId>();
    const { outputs, predicates } = database.program;
    for (const key of new Set([...outputs, ...predicates.keys()])) {
        const { columns = [], count = 0 } = database.relation(key) ?? {};
        for (let row = 0; row < count; row++)
            for (const column of columns) {
                const id = column[row] as ValueId;
                if (database.dictionary.isNull(id)) found.set(label(id), id);
            }
        if (labels.every(one => found.has(one))) break;
    }
    const [left, right] = labels.map(one => found.get(one));
    if (left === undefined || right === undefined) return say`No fact has the unknown value ${left === undefined ? labels[0] : labels[1]}`;
    return [left, right];
}

/** A fact with its only unknown value. */
export interface UnknownIn {
    readonly fact: FactRow;
    readonly value: ValueId;
}

/** The unknown value of the only fact that fits a pattern such as `who(4, _)`, or a problem in words. */
export function unknownIn(database: Database, pattern: string, label: NullLabel): UnknownIn | string {
    const asked = readFact(pattern);
    const problem = questionProblem(database.program, asked);
    if (asked === undefined || problem !== undefined) return `'${pattern}': ${problem}`;
    const found = findAsked(database, asked, label);
    const [fact, ...others] = found.kind === 'found' ? found.facts : [];
    if (fact === undefined) return say`No fact fits ${pattern}`;
    if (others.length > 0) return say`${others.length + 1} facts fit ${pattern}: name one of them`;
    const open = openColumns(asked);
    const unknown = valuesOf(database, fact).filter((id, column) => open(column) && database.dictionary.isNull(id));
    const [value, ...more] = new Set(unknown);
    if (value === undefined) return say`The fact that fits ${pattern} has no unknown value`;
    return more.length > 0 ? say`The fact that fits ${pattern} has several unknown values: leave one of them open` : { fact, value };
}

/** Whether a pattern leaves a column open; a label asks for its value too. */
function openColumns({ atom, labels }: AskedFact): (column: number) => boolean {
    const blank = atom.arguments.flatMap(({ kind }, column) => (kind === 'anonymous' ? [column] : []));
    const chosen = new Set(blank.length > 0 ? blank : labels.map(([column]) => column));
    return column => chosen.size === 0 || chosen.has(column);
}
