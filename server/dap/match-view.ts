import type { DerivationNode, FactNode } from '#engine/explain/explanation.ts';
import { type FactRow, matchScope } from '#engine/explain/match-rule.ts';
import type { Replay } from '#engine/explain/replay.ts';
import { UNBOUND } from '#engine/explain/rule-scope.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { MIXED } from '#language/program/types.ts';

/** A match of a rule, and what its variables hold. */
export interface MatchView {
    readonly rule: AnalysedRule;
    /** By name, those of the head first. */
    readonly values: ReadonlyMap<string, ValueId>;
}

/** The match of a derivation; `row` is what it derives, where that is known: results of aggregates stand there alone. */
export function matchView(replay: Replay, derivation: DerivationNode, row?: FactRow): MatchView | undefined {
    const rule = replay.ruleOf(derivation);
    if (rule === undefined) return undefined;
    const { database } = replay;
    const found = new Map<string, ValueId>();
    const { registers } = derivation;
    const inHead = rule.heads.flatMap(({ atom }) => atom.arguments.flatMap(variablesOf));
    const names = new Set([...inHead, ...rule.types.keys(), ...rule.bound, ...rule.existential]);
    if (registers !== undefined) {
        const { slot } = matchScope(database, rule);
        for (const name of names) {
            const value = registers[slot(name)];
            if (value !== undefined && value !== UNBOUND) found.set(name, value);
        }
    }
    const columns = (row && database.relation(row.predicate)?.columns) ?? [];
    const head = row && rule.heads.find(({ predicate }) => predicate === row.predicate);
    for (const [column, term] of (head?.atom.arguments ?? []).entries()) {
        const value = row && columns[column]?.[row.row];
        if (term.kind === 'variable' && value !== undefined && !found.has(term.name)) found.set(term.name, value);
    }
    return { rule, values: new Map([...names].flatMap(name => (found.has(name) ? [[name, found.get(name) ?? 0]] : []))) };
}

/** The match that explains a row. */
export function matchOf(replay: Replay, node: FactNode): MatchView | undefined {
    const [derivation] = node.derivations;
    return derivation && matchView(replay, derivation, node.row);
}

/** The value of a variable as a term. */
export function valueText({ database, label }: Replay, { rule }: MatchView, name: string, value: ValueId): string {
    return termText(database.dictionary, value, rule.types.get(name) ?? MIXED, label);
}
