import type { RuleFacts } from '#language/analysis/program-facts.ts';
import type { Literal } from '#language/program/analysed-program.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withRelated } from '../catalogue.ts';
import { sameTerm } from './nothing-new.ts';

/** An atom and its negation in one body: RL2403. */
export function* checkContradictoryAtoms(facts: RuleFacts): Iterable<Problem> {
    const { literals } = facts.resolved;
    for (const denied of literals) {
        const stated = denied.negated ? literals.find(other => !other.negated && excludes(denied, other, facts)) : undefined;
        if (stated === undefined) continue;
        const found = problem('RL2403', facts.place, denied.atom.span, denied.atom.predicate);
        yield withRelated(found, [
            { place: facts.place, span: stated.atom.span, message: say`'${stated.atom.predicate}' is required here` },
        ]);
    }
}

/** Every fact of the positive atom is one that the negated atom excludes. */
function excludes(denied: Literal, stated: Literal, { resolved }: RuleFacts): boolean {
    if (denied.predicate !== stated.predicate) return false;
    return denied.atom.arguments.every((term, i) => {
        const free =
            term.kind === 'anonymous' || (term.kind === 'variable' && !resolved.bound.has(term.name) && isAlone(term.name, denied));
        return free || sameTerm(term, stated.atom.arguments[i]);
    });
}

function isAlone(name: string, { atom }: Literal): boolean {
    return atom.arguments.filter(term => term.kind === 'variable' && term.name === name).length === 1;
}
