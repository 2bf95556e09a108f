import { namedAnnotations, spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { NamedAnnotation } from '#language/analysis/program-facts.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Checks `@delete` and `@update`: RL6090, RL6091, RL6092, and RL6005 for invalid key positions. */
export function* checkKeyedWrites(facts: ProgramFacts): Iterable<Problem> {
    const first = new Map<string, NamedAnnotation>();
    for (const named of namedAnnotations(facts.annotations, 'delete', 'update')) {
        const { predicate, place, annotation, argument } = named;
        const earlier = first.get(predicate);
        if (earlier === undefined) first.set(predicate, named);
        else {
            const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`the other one` }];
            yield withRelated(problem('RL6092', place, annotation.nameSpan, annotation.name, `@${earlier.annotation.name}`), related);
        }
        const targets = facts.nameFacts(predicate)?.binds.filter(({ bind }) => bind.direction === 'output') ?? [];
        const isDatabase = targets.length > 0 && targets.every(({ bind }) => dataSourceNamed(bind.type)?.keyedWrites === true);
        if (!isDatabase) yield problem('RL6090', place, argument.span, annotation.name);
        for (const { bind } of targets) {
            const mode = bind.options.get('saveMode');
            if (mode === undefined || mode.toLowerCase() === 'append') continue;
            const related = [{ place: bind.place, span: bind.annotation.span, message: say`the bind` }];
            yield withRelated(problem('RL6092', place, annotation.nameSpan, annotation.name, `saveMode=${mode}`), related);
        }
        yield* checkKeys(named, facts);
    }
}

function* checkKeys({ predicate, place, annotation }: NamedAnnotation, facts: ProgramFacts): Iterable<Problem> {
    const keys = annotation.arguments[1];
    const text = textOf(keys);
    if (keys === undefined || text === undefined) return;
    if (!/^\s*\d+\s*(?:,\s*\d+\s*)*$/u.test(text)) {
        yield problem('RL6005', place, keys.span, 2, annotation.name, say`positions of columns like "0,2"`);
        return;
    }
    const arity = facts.nameFacts(predicate)?.arities[0];
    if (arity === undefined || arity === 0) return;
    for (const match of text.matchAll(/\d+/gu)) {
        const position = Number(match[0]);
        if (position < arity) continue;
        yield problem('RL6091', place, spanInText(keys, match.index, match.index + match[0].length), position, predicate, arity - 1);
    }
}
