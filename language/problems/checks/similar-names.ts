import { firstPlace } from '#language/analysis/names.ts';
import type { NameFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { compareLocations } from '#language/program/span.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Equal for names that differ only in letter case and underscores. */
export function foldedName(name: string): string {
    return name.replaceAll('_', '').toLowerCase();
}

/** Names of predicates that differ in letter case or underscores only: RL1117, at the later ones. */
export function* checkSimilarNames(names: readonly NameFacts[]): Iterable<Problem> {
    const placed = names.flatMap(({ name, definitions }) => {
        const [definition] = definitions.values();
        const at = definition && firstPlace(definition);
        return at === undefined ? [] : [{ name, ...at }];
    });
    const [first, ...others] = placed.sort(compareLocations);
    if (first === undefined) return;
    for (const { name, place, span } of others) {
        const related = [{ place: first.place, span: first.span, message: say`'${first.name}' is defined here` }];
        yield withRelated(problem('RL1117', place, span, name, first.name), related);
    }
}
