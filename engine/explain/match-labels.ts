import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Aggregate } from '#language/program/program.ts';
import { isNumeric } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { Database } from '../contracts/database.ts';
import type { Scope } from '../evaluate/scope.ts';
import { type NullLabel, textOf } from '../values/text.ts';
import { keyVariables } from './contributions.ts';
import { siteOf } from './group-values.ts';
import { definedBy } from './value-terms.ts';

/**
 * What tells the contributions of a rule to an aggregate apart, from their values of variables: `screws`, `Id 17`. Undefined where no
 * variable tells them apart that is not in the key or shown with the value.
 */
export function labelsOf(
    { dictionary }: Database,
    rule: AnalysedRule,
    scope: Scope,
    aggregate: Aggregate,
    kept: readonly Int32Array[],
    label: NullLabel,
): (registers: Int32Array) => string | undefined {
    const { arguments: values, contributors, name } = aggregate;
    const { domain } = AGGREGATES[name];
    const isCount = domain === 'rows';
    const shown = isCount ? [] : values.flatMap(value => variablesOf(definedBy(value, rule)));
    const known = new Set([...keyVariables(rule), ...shown]);
    const positive = rule.literals.filter(({ negated }) => !negated).flatMap(({ atom }) => atom.arguments);
    const named = contributors?.map(one => one.name) ?? variableNames(positive);
    const heldBy = (registers: Int32Array, variable: string): number => registers[scope.slot(variable)]!;
    const isText = (variable: string): boolean => kept.every(one => dictionary.kind(heldBy(one, variable)) === 'string');
    const open = [...new Set(named)].filter(variable => !known.has(variable));
    // Texts, dates and the like tell themselves apart.
    const isEvident = contributors === undefined && !isCount && !isNumeric(siteOf(rule, aggregate).argument);
    const ranked = [...open.filter(isText), ...(isEvident ? [] : open.filter(variable => !isText(variable)))];
    const distinct = (variables: readonly string[]): number =>
        new Set(kept.map(one => variables.map(variable => heldBy(one, variable)).join())).size;
    const alone = ranked.find(variable => distinct([variable]) === kept.length);
    const chosen: string[] = alone === undefined ? [] : [alone];
    if (alone === undefined) for (const one of ranked) if (distinct([...chosen, one]) > distinct(chosen)) chosen.push(one);
    const texts = chosen.map(variable => {
        const prefix = isText(variable) ? '' : `${variable} `;
        return (registers: Int32Array) => `${prefix}${textOf(dictionary, heldBy(registers, variable), scope.type(variable), label)}`;
    });
    return registers => (texts.length === 0 ? undefined : texts.map(text => text(registers)).join(' with '));
}
