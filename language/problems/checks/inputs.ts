import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Checks `@input`: RL6020 to RL6023. Another file of the program may supply the declared predicates of a module. */
export function* checkInputs({ inputs, outputs, nameFacts, openWorld, file }: ProgramFacts): Iterable<Problem> {
    for (const { predicate, place, argument } of inputs) {
        const name = nameFacts(predicate);
        if (name === undefined) continue;
        const definitions = [...name.definitions.values()];
        const rule = definitions.flatMap(definition => definition.rules.find(other => other.place.file === place.file) ?? [])[0];
        const fact = definitions.flatMap(definition => definition.facts.find(other => other.place.file === place.file) ?? [])[0];
        if (rule !== undefined) {
            const related = [{ place: rule.place, span: rule.atom.nameSpan, message: say`'${predicate}' is derived here` }];
            yield withRelated(problem('RL6020', place, argument.span, predicate), related);
        }
        if (fact !== undefined) {
            const related = [{ place: fact.place, span: fact.atom.nameSpan, message: say`'${predicate}' has a fact here` }];
            yield withRelated(problem('RL6021', place, argument.span, predicate), related);
        }
        const used = name.used || name.mentioned || name.binds.length > 0 || name.model !== undefined || name.output !== undefined;
        const isSupplied = openWorld || name.supplied !== undefined || name.binds.length > 0 || definitions.length > 0;
        if (!isSupplied && (name.used || name.mentioned) && outputs.length > 0 && place.file === file)
            yield problem('RL6023', place, argument.span, predicate);
        if (!used && definitions.length === 0 && place.file === file) yield problem('RL6022', place, argument.span, predicate);
    }
}
