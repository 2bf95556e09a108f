import { matchAtom } from '#language/analysis/names.ts';
import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withRemedy, withSeverity } from '../catalogue.ts';
import { delimiterRemedy } from './file-headers.ts';

/** Body atoms with another number of terms than their predicate has columns (D-24): RL1102, RL1104, RL1105, RL6031. */
export function* checkAtomArity({ resolved, matches, place }: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    for (const [index, { atom }] of resolved.literals.entries()) {
        if (matches[index] === 'exact') continue;
        const name = meaningOf(atom.predicate);
        if (name === undefined || name.arities.length === 0 || name.possiblyDefined) continue;
        const given = atom.arguments.length;
        const { arity, match } = matchAtom(name, given);
        switch (match) {
            case 'too-many':
                if (name.fields !== undefined) yield problem('RL6031', place, atom.nameSpan, name.name, name.fields, given);
                else yield withRemedy(problem('RL1102', place, atom.nameSpan, name.name, arity, given), delimiterRemedy(name.delimiter));
                break;
            case 'projection':
                yield problem('RL1104', place, atom.nameSpan, name.name, arity, arity - given);
                break;
            case 'ambiguous':
                yield problem('RL1105', place, atom.nameSpan, name.name);
                break;
            case 'open-projection':
                if (name.headed)
                    yield withSeverity(problem('RL1104', place, atom.nameSpan, name.name, arity, arity - given), 'information');
                break;
            case 'exact':
            case 'undefined':
                break;
        }
    }
}
