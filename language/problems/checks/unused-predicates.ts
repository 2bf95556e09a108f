import type { NameFacts, ProgramFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';
import { placeOf } from './several-arities.ts';

/** Predicates that no rule uses and no output shows: RL1110. Where nothing is an output yet, RL6013 says so instead. */
export function* checkUnusedPredicates(name: NameFacts, facts: ProgramFacts): Iterable<Problem> {
    if (facts.outputs.length === 0 || facts.openWorld) return;
    if (name.output !== undefined || name.uses.length > 0 || name.mentioned || name.binds.length > 0) return;
    const [first] = name.definitions.values();
    const at = first && placeOf(first);
    if (at !== undefined) yield problem('RL1110', at.place, at.span, name.name);
}
