import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { answerVariable } from '../plan/asked-calls.ts';
import { renamed } from '../plan/rule-parts.ts';
import { type NullLabel, termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { matchScope } from './match-rule.ts';
import { patternRows } from './pattern-rows.ts';
import { UNBOUND } from './rule-scope.ts';

/** The calls of a rule that the host has answered for a match, with their answers: `llm:generate("Sum up {arg_1}","Riga") = "A port."`. */
export function answeredCalls(database: Database, rule: AnalysedRule, registers: Int32Array, label: NullLabel): string[] {
    const { dictionary } = database;
    const calls = database.calls?.(rule.index) ?? [];
    const { slot } = matchScope(database, rule);
    /** What calls within others were answered. */
    const answered = new Map<string, ValueId>();
    return calls.flatMap(({ call, variables, types, answers }) => {
        const relation = database.relation(answers);
        if (relation === undefined) return [];
        const values = variables.map(name => answered.get(name) ?? registers[slot(name)]);
        const known = values.map(value => (value === UNBOUND ? undefined : value));
        const [row, another] = patternRows(relation, [...known, ...relation.columns.slice(variables.length).map(() => undefined)]);
        if (row === undefined || another !== undefined) return [];
        const cells = relation.columns.map(column => column[row]!);
        const answer = cells.at(-1)!;
        answered.set(answerVariable(answers), answer);
        const textOf = (id: ValueId, name?: string): string => termText(dictionary, id, types.get(name ?? '') ?? MIXED, label);
        const asked = printExpression(renamed(call, name => textOf(cells[variables.indexOf(name)]!, name)));
        return [`${asked} = ${textOf(answer)}`];
    });
}
