import { say } from '#language/program/say.ts';
import type { Dialect } from '../contracts/compute.ts';
import type { PlanAggregate, PlanGroups, PlanOutput, PlanRule } from '../plan/plan.ts';
import { isInteger } from './column-kinds.ts';
import type { Encoded, SqlValue } from './encoded.ts';
import type { SqlMatches } from './sql-rule.ts';
import { stayHere } from './stays-here.ts';

type Contribute = Extract<PlanOutput, { kind: 'contribute' }>;

/** The matches of a rule that contributes. */
export interface Contributing {
    readonly rule: PlanRule;
    readonly matches: SqlMatches;
}

export function contributionOf({ outputs }: PlanRule): Contribute {
    return outputs.find((one): one is Contribute => one.kind === 'contribute') ?? stayHere(say`rows are added to groups`);
}

interface GroupsToWrite {
    readonly groups: PlanGroups;
    readonly rules: readonly Contributing[];
    /** The names of the columns. */
    readonly names: readonly string[];
    /** Writes a value for the column of a key, or of an aggregate. */
    readonly key: (value: Encoded, column: number) => string;
    readonly result: (value: SqlValue, column: number) => string;
    readonly dialect: Dialect;
    /** Hears the text of each rule. */
    readonly note: (rule: PlanRule, text: string) => void;
}

/** Writes the groups that rules contribute to, one row per key. */
export function sqlGroups({ groups: { keys, aggregates, largestOnly }, rules, names, key, result, dialect, note }: GroupsToWrite): string {
    if (largestOnly) stayHere(say`'maxcount' keeps the largest groups only`);
    const contributed = new Map<PlanAggregate, SqlValue['kind']>();
    const selects = rules.map(({ rule, matches: { from, variable } }) => {
        const output = contributionOf(rule);
        const columns = output.keys.map((name, i) => `${key(variable(name), keys[i]!)} as k${i}`);
        for (const [i, aggregate] of aggregates.entries()) {
            const { value, contributors, counts } = output.contributions[i]!;
            if (typeof contributors === 'object') {
                if (rules.length > 1 || counts === 'value' || aggregate.family !== 'mcount')
                    stayHere(say`contributors of '${aggregate.name}' are told apart`);
                for (const [at, name] of contributors.entries()) {
                    const { id, value: plain } = variable(name);
                    columns.push(`${id ?? plain!.sql} as d${i}_${at}`);
                }
            }
            if (value === undefined) {
                columns.push(`1 as v${i}`);
                continue;
            }
            // Unknown values contribute nothing.
            const given = variable(value).value ?? stayHere(say`some values of '${aggregate.name}' may be unknown`);
            const known = contributed.get(aggregate);
            if (known !== undefined && known !== given.kind && aggregate.family !== 'mcount')
                stayHere(say`rules give '${aggregate.name}' values of several types`);
            contributed.set(aggregate, given.kind);
            // A count that another rule has counted counts for itself.
            columns.push(`${counts === 'one' ? '1' : given.sql} as v${i}`);
        }
        const text = `select ${columns.join(', ')}${from}`;
        note(rule, text);
        return text;
    });
    const { contributions } = contributionOf(rules[0]!.rule);
    const columns: string[] = [];
    for (const [i, column] of keys.entries()) columns[column] = `k${i} as ${names[column]}`;
    for (const [i, aggregate] of aggregates.entries()) {
        const { contributors } = contributions[i]!;
        const counted = typeof contributors === 'object' ? contributors.map((_, at) => `d${i}_${at}`) : undefined;
        const { column } = aggregate;
        columns[column] =
            `${result(sqlAggregate(aggregate, `v${i}`, contributed.get(aggregate), counted, dialect), column)} as ${names[column]}`;
    }
    const by = keys.length === 0 ? 'having count(*) > 0' : `group by ${keys.map((_, i) => `k${i}`).join(', ')}`;
    return `select ${columns.join(', ')} from (${selects.join(' union all ')}) m ${by}`;
}

/** Results that the engine has exactly as the language has them: no sums of doubles, which are rounded once here (D-80). */
function sqlAggregate(
    { family, name }: PlanAggregate,
    value: string,
    kind: SqlValue['kind'] | undefined,
    counted: readonly string[] | undefined,
    dialect: Dialect,
): SqlValue {
    const long = (sql: string): SqlValue => ({ sql: `CAST(${sql} AS ${dialect.types.long})`, kind: 'long' });
    switch (family) {
        case 'mcount':
            if (counted === undefined) return long(`sum(${value})`);
            return long(counted.length === 0 ? '1' : `count(distinct (${counted.join(', ')}))`);
        case 'mmin':
        case 'mmax':
            if (kind === undefined) break;
            return { sql: `${family.slice(1)}(${kind === 'string' ? dialect.byCodePoint(value) : value})`, kind };
        case 'msum':
            if (kind !== undefined && isInteger(kind)) return long(`sum(${value})`);
            break;
        default:
            break;
    }
    return stayHere(say`'${name}' of such values has no exact counterpart`);
}
