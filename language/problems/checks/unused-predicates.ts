import type { Declarations } from '#language/analysis/declarations.ts';
import { firstPlace } from '#language/analysis/names.ts';
import type { NameFacts } from '#language/analysis/program-facts.ts';
import { isNotebook } from '#language/program/notebook-files.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Predicates that no rule uses and no output shows: RL1110. Where nothing is an output yet, RL6013 says so instead. */
export function* checkUnusedPredicates(name: NameFacts, facts: Declarations): Iterable<Problem> {
    if (facts.outputs.length === 0 || facts.openWorld || isNotebook(facts.file)) return;
    if (name.output !== undefined || name.used || name.mentioned || name.binds.length > 0) return;
    const [first] = name.definitions.values();
    const at = first && firstPlace(first);
    if (at?.place.file === facts.file) yield problem('RL1110', at.place, at.span, name.name);
}
