import type { NameFacts, ProgramFacts } from '#language/analysis/program-facts.ts';
import { functionNames } from '#language/library/function-catalogue.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Location } from '#language/program/span.ts';
import { problem, withRemedy, withSeverity } from '../catalogue.ts';
import { didYouMean } from '../did-you-mean.ts';

/** Predicates that bodies use and nothing defines: RL1101; RL1112 where at least a model describes them. */
export function* checkUndefinedPredicates(
    name: NameFacts,
    facts: ProgramFacts,
    nearest: (name: string) => string | undefined,
): Iterable<Problem> {
    if (name.possiblyDefined || name.name === '') return;
    if (isEmptyModel(name)) {
        if (!facts.openWorld) for (const { place, span } of usesOf(name, facts)) yield problem('RL1112', place, span, name.name);
        return;
    }
    if (name.arities.length > 0) return;
    const remedy = didYouMean(nearest(name.name));
    for (const { place, span } of usesOf(name, facts)) {
        const found = withRemedy(problem('RL1101', place, span, name.name), remedy);
        yield facts.openWorld ? withSeverity(found, 'information') : found;
    }
}

/** The names that an unknown one may be meant for: defined predicates first, then functions. */
export function* definedNames({ names }: ProgramFacts): Iterable<string> {
    for (const name of names.values()) if (name.arities.length > 0) yield name.name;
    yield* functionNames();
}

/** A model describes the predicate, and nothing gives it rows. */
export function isEmptyModel(name: NameFacts): boolean {
    const fed = name.definitions.size > 0 || name.input !== undefined || name.binds.some(({ bind }) => bind.direction === 'input');
    return name.model !== undefined && !fed && !name.possiblyDefined;
}

function* usesOf(name: NameFacts, facts: ProgramFacts): Iterable<Location> {
    for (const { atom, place } of name.uses) yield { place, span: atom.nameSpan };
    if (!name.mentioned) return;
    for (const { rule, place } of facts.rules) {
        if (rule.body.kind !== 'relation-function') continue;
        const { input } = rule.body.call;
        if (input.kind === 'predicate' && input.text === name.name) yield { place, span: input.span };
    }
}
