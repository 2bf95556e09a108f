import type { Declarations } from '#language/analysis/declarations.ts';
import type { AnalysisOptions, NameFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import { type ScriptOutline, scriptOutline } from '#language/library/script-outline.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withRemedy } from '../catalogue.ts';

/** Rules with a script: heads (RL8102), files (RL8104), what the script says (RL8105 to RL8108), and whether scripts are run at all (RL8110). */
export function* checkScripts(facts: RuleFacts, declarations: Declarations, options: AnalysisOptions): Iterable<Problem> {
    const { scripts } = options;
    const { rule, place } = facts;
    const { head, body } = rule;
    if (body.kind !== 'script') return;
    const [atom, second] = head.kind === 'atoms' ? head.atoms : [];
    const names = atom?.arguments.map(term => (term.kind === 'variable' ? term.name : undefined)) ?? [];
    if (second !== undefined || names.length === 0 || names.includes(undefined) || new Set(names).size < names.length)
        yield problem('RL8102', place, head.span);
    if (scripts?.isThere?.(body.script, place.file) === false) yield problem('RL8104', place, body.span, body.script);
    const text = scripts?.textOf?.(body.script, place.file);
    const outline = text === undefined ? undefined : scriptOutline(text);
    if (outline !== undefined) yield* checkOutline(outline, facts, names, declarations, options);
    if (scripts?.unavailable !== undefined)
        yield withRemedy(problem('RL8110', place, body.span, scripts.unavailable.reason), scripts.unavailable.remedy);
}

/** Reports problems of a script's function `main`. */
function* checkOutline(
    { isCallable, rows, misfit, parameters }: ScriptOutline,
    { rule: { body }, place }: RuleFacts,
    names: readonly (string | undefined)[],
    { parameters: declared, openWorld }: Declarations,
    { suppliedParameters }: AnalysisOptions,
): Iterable<Problem> {
    if (body.kind !== 'script') return;
    const { span, script } = body;
    if (isCallable === false) yield problem('RL8105', place, span, script);
    if (misfit !== undefined) yield problem('RL8107', place, span, misfit);
    if (!names.includes(undefined)) {
        const wrong = rows.map(keys => differences(names as readonly string[], keys)).find(found => found !== undefined);
        if (wrong !== undefined) yield problem('RL8106', place, span, wrong.missing, wrong.unexpected);
    }
    // The caller of a concept, or an including program, may give more.
    if (openWorld) return;
    for (const name of new Set(parameters))
        if (!declared.has(name) && suppliedParameters?.has(name) !== true) yield problem('RL8108', place, span, name);
}

function differences(names: readonly string[], keys: readonly string[]) {
    const missing = names.filter(name => !keys.includes(name));
    const unexpected = keys.filter(key => !names.includes(key));
    return missing.length + unexpected.length === 0 ? undefined : { missing, unexpected };
}

/** Other rules or facts for a predicate that a script fills, RL8109. */
export function* checkScriptAlone({ name, definitions }: NameFacts): Iterable<Problem> {
    for (const { rules, facts } of definitions.values()) {
        const script = rules.find(({ rule }) => rule.body.kind === 'script');
        if (script === undefined || rules.length + facts.length === 1) continue;
        yield problem('RL8109', script.rule.place, script.rule.head.span, name);
    }
}
