import { spanInText } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import { referencesOf } from '#language/analysis/models.ts';
import type { ModelFacts } from '#language/analysis/program-facts.ts';
import { components } from '#language/program/components.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Models that refer to each other in a circle, by inheritance or composition: RL6035. A field may refer to its own model. */
export function* checkModelCycles({ models }: ProgramFacts): Iterable<Problem> {
    const byName = new Map(models.filter(facts => !facts.repeated).map(facts => [facts.text.predicate.text, facts]));
    const targets = new Map([...byName].map(([name, facts]) => [name, targetsOf(facts)]));
    for (const { members, recursive } of components([...byName.keys()], name => targets.get(name) ?? [])) {
        const facts = byName.get(members[0] ?? '');
        const argument = facts?.annotation.arguments[0];
        if (!recursive || facts === undefined || argument === undefined) continue;
        const { start, end } = facts.text.predicate;
        yield problem('RL6035', facts.place, spanInText(argument, start, end), circleThrough(members, targets).join(' → '));
    }
}

/** Follows references inside a component from its first member until one comes again. */
function circleThrough(members: readonly string[], targets: ReadonlyMap<string, readonly string[]>): string[] {
    const inside = new Set(members);
    const path = new Set<string>();
    let at = members[0] ?? '';
    while (!path.has(at)) {
        path.add(at);
        at = targets.get(at)?.find(target => inside.has(target)) ?? at;
    }
    const names = [...path];
    return [...names.slice(names.indexOf(at)), at];
}

function targetsOf({ text }: ModelFacts): string[] {
    const own = text.predicate.text;
    const composed = text.fields.flatMap(field => (field.key === 'ID' ? [] : referencesOf(field).map(({ reference }) => reference.model)));
    const keyed = text.fields.flatMap(field => (field.key === 'ID' ? referencesOf(field).map(({ reference }) => reference.model) : []));
    return [...(text.superModel === undefined ? [] : [text.superModel.text]), ...keyed, ...composed.filter(name => name !== own)];
}
