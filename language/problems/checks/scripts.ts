import type { AnalysisOptions, NameFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** Rules with a script: heads (RL8102), files (RL8104), and whether scripts are run at all (RL8110). */
export function* checkScripts(facts: RuleFacts, { scripts }: AnalysisOptions): Iterable<Problem> {
    const { rule, place } = facts;
    const { head, body } = rule;
    if (body.kind !== 'script') return;
    const [atom, second] = head.kind === 'atoms' ? head.atoms : [];
    const names = atom?.arguments.map(term => (term.kind === 'variable' ? term.name : undefined)) ?? [];
    if (second !== undefined || names.length === 0 || names.includes(undefined) || new Set(names).size < names.length)
        yield problem('RL8102', place, head.span);
    if (scripts?.isThere?.(body.script, place.file) === false) yield problem('RL8104', place, body.span, body.script);
    if (scripts?.unavailable !== undefined)
        yield withRemedy(problem('RL8110', place, body.span, scripts.unavailable.reason), scripts.unavailable.remedy);
}

/** Other rules or facts for a predicate that a script fills, RL8109. */
export function* checkScriptAlone({ name, definitions }: NameFacts): Iterable<Problem> {
    for (const { rules, facts } of definitions.values()) {
        const script = rules.find(({ rule }) => rule.body.kind === 'script');
        if (script === undefined || rules.length + facts.length === 1) continue;
        yield problem('RL8109', script.rule.place, script.rule.head.span, name);
    }
}
