import { typeOfExpression } from '#language/library/expression-type.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { AnalysedRule, Literal } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database } from '../contracts/database.ts';
import { type NullLabel, termText } from '../values/text.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { compileLeniently } from './lenient-expression.ts';
import { matchScope } from './match-rule.ts';
import { compileTerm, UNBOUND } from './rule-scope.ts';

/** What the matches of a rule say beside their facts. */
export interface MatchWords {
    /** The facts that must not be there, with `_` for any value: `leads("Bo",_)`. */
    absent(registers: Int32Array): string[];
    /** The same of negated atoms that use results of aggregates. */
    absentAfterwards(registers: Int32Array): string[];
    /** What the match gives to each aggregate, but for counts, unknown values and those that chance decided. */
    gives(registers: Int32Array): string[];
}

export function matchWords(database: Database, rule: AnalysedRule, label: NullLabel): MatchWords {
    const { dictionary, program } = database;
    const scope = matchScope(database, rule);
    const negated = rule.literals.filter(literal => literal.negated);
    const textOf = ({ atom, predicate }: Literal): ((registers: Int32Array) => string) => {
        const columns = program.predicates.get(predicate)?.columns ?? [];
        const terms = atom.arguments.map(term => compileTerm(term, scope));
        return registers => {
            const values = terms.map((term, column) => {
                const value = term === undefined ? UNBOUND : 'slot' in term ? registers[term.slot] : term.constant(registers);
                return value === undefined || value === UNBOUND ? '_' : termText(dictionary, value, columns[column]?.type ?? MIXED, label);
            });
            return `${atom.predicate}(${values.join(',')})`;
        };
    };
    const before = negated.filter(literal => !literal.afterAggregation).map(textOf);
    const after = negated.filter(literal => literal.afterAggregation).map(textOf);
    const byChance = decidedByChance(rule, program.libraryPrefixes);
    const given = rule.assignments
        .flatMap(({ aggregates }) => aggregates)
        .flatMap(({ name, arguments: [value] }) => {
            if (value === undefined || AGGREGATES[name].domain === 'rows' || byChance(value)) return [];
            const type = typeOfExpression(value, { variable: name => rule.types.get(name) ?? MIXED, parameter: () => MIXED });
            return [{ value: compileLeniently(value, scope), type }];
        });
    return {
        absent: registers => before.map(text => text(registers)),
        absentAfterwards: registers => after.map(text => text(registers)),
        gives: registers =>
            given.flatMap(({ value, type }) => {
                const id = value(registers);
                return id === UNBOUND || dictionary.isNull(id) ? [] : [termText(dictionary, id, type, label)];
            }),
    };
}
