import { type AnalysedProgram, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Clause, Fact, Rule } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import type { WhatIfChanges } from '#server/protocol/what-if.ts';
import { type AskedFact, questionProblem, readFact } from '../asked-fact.ts';

/** The requested changes, read. */
export interface Changes {
    readonly addedFacts: readonly AskedFact[];
    readonly removedFacts: readonly AskedFact[];
    /** Facts and rules that come. */
    readonly added: readonly Clause[];
    /** Rules that go, as they print. */
    readonly removedRules: ReadonlySet<string>;
    /** Values of parameters that are others. */
    readonly parameters: ReadonlyMap<string, unknown>;
    /** The text of what comes. */
    readonly text: string;
}

/** The name of the text of what comes, where others have that of a file. */
export const ADDED = 'what-if';

/** Reads the changes to a program; a text says why they cannot be read. */
export function readChanges({ with: added, without: removed, set }: WhatIfChanges, program: AnalysedProgram): Changes | string {
    const facts: Record<'added' | 'removed', AskedFact[]> = { added: [], removed: [] };
    const removedRules = new Set<string>();
    for (const [kind, texts] of [
        ['removed', removed],
        ['added', added],
    ] as const) {
        for (const one of texts) {
            const clause = clauseIn(one);
            if (clause === undefined) return say`'${one}' is neither a fact nor a rule; write it as in a program`;
            if (clause.kind === 'fact') {
                const fact = readFact(one);
                const problem = questionProblem(program, fact);
                if (problem !== undefined || fact === undefined) return problem ?? '';
                facts[kind].push(fact);
            } else if (kind === 'removed') {
                const text = printRuleText(clause);
                if (!program.rules.some(({ rule }) => printRuleText(rule) === text)) return say`The program has no rule '${one}'`;
                removedRules.add(text);
            }
        }
    }
    const text = added.map(withDot).join('\n');
    return {
        addedFacts: facts.added,
        removedFacts: facts.removed,
        added: readProgram(text, ADDED).value.clauses,
        removedRules,
        parameters: new Map(Object.entries(set)),
        text,
    };
}

/** The only clause of a text, where that is a fact or a rule. */
function clauseIn(text: string): Fact | Rule | undefined {
    const { value, problems } = readProgram(withDot(text), ADDED);
    const [clause, ...more] = value.clauses;
    const isRead = !problems.some(({ severity }) => severity === 'error');
    return more.length === 0 && isRead && (clause?.kind === 'fact' || clause?.kind === 'rule') ? clause : undefined;
}

function withDot(text: string): string {
    return text.trim().replace(/\.?$/u, '.');
}

export function factKey({ atom }: AskedFact): PredicateKey {
    return predicateKey(atom.predicate, atom.arguments.length);
}

/** The predicates with rules of which facts come or go. */
export function editedIn({ addedFacts, removedFacts }: Changes, { predicates }: AnalysedProgram): ReadonlySet<PredicateKey> {
    return new Set([...addedFacts, ...removedFacts].map(factKey).filter(key => (predicates.get(key)?.rules.length ?? 0) > 0));
}

/** Whether facts of predicates with rules are taken away. */
export function removesDerived(changes: Changes, program: AnalysedProgram): boolean {
    return editedIn({ ...changes, addedFacts: [] }, program).size > 0;
}

/** Whether rules or parameters are others. */
export function changesProgram({ added, removedRules, parameters }: Changes): boolean {
    return added.some(({ kind }) => kind === 'rule') || removedRules.size + parameters.size > 0;
}
