import { spanInText } from '#language/analysis/annotation-arguments.ts';
import { referencesOf } from '#language/analysis/models.ts';
import type { ModelFacts, ProgramFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem } from '../catalogue.ts';

/** Models that refer to each other in a circle, by inheritance or composition: RL6035. A field may refer to its own model. */
export function* checkModelCycles({ models }: ProgramFacts): Iterable<Problem> {
    const byName = new Map(models.filter(facts => !facts.repeated).map(facts => [facts.text.predicate.text, facts]));
    const finished = new Set<string>();
    const reported: ModelFacts[] = [];
    const cycles = new Map<ModelFacts, string>();
    const follow = (name: string, path: readonly string[]): void => {
        const start = path.indexOf(name);
        const facts = byName.get(name);
        if (start >= 0) {
            if (facts === undefined || cycles.has(facts)) return;
            cycles.set(facts, [...path.slice(start), name].join(' → '));
            reported.push(facts);
            return;
        }
        if (facts === undefined || finished.has(name)) return;
        for (const target of targetsOf(facts)) follow(target, [...path, name]);
        finished.add(name);
    };
    for (const name of byName.keys()) follow(name, []);
    for (const facts of reported) {
        const argument = facts.annotation.arguments[0];
        if (argument === undefined) continue;
        const { start, end } = facts.text.predicate;
        yield problem('RL6035', facts.place, spanInText(argument, start, end), cycles.get(facts) ?? '');
    }
}

function targetsOf({ text }: ModelFacts): string[] {
    const own = text.predicate.text;
    const composed = text.fields.flatMap(field => (field.key === 'ID' ? [] : referencesOf(field).map(({ reference }) => reference.model)));
    const keyed = text.fields.flatMap(field => (field.key === 'ID' ? referencesOf(field).map(({ reference }) => reference.model) : []));
    return [...(text.superModel === undefined ? [] : [text.superModel.text]), ...keyed, ...composed.filter(name => name !== own)];
}
