import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Atom } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withRemedy, withSeverity } from '../catalogue.ts';
import { didYouMean } from '../did-you-mean.ts';
import { foreignPredicateRemedy } from '../foreign-predicates.ts';

/** Predicates that a body uses and nothing defines: RL1101; RL1112 where at least a model describes them. */
export function* checkUndefinedPredicates(facts: RuleFacts, meaningOf: Meanings, openWorld: boolean): Iterable<Problem> {
    const { place } = facts;
    for (const { predicate, span, negated, atom } of usesIn(facts)) {
        const name = meaningOf(predicate);
        if (name === undefined || name.possiblyDefined || predicate === '') continue;
        if (name.emptyModel) {
            if (!openWorld && !negated) yield problem('RL1112', place, span, predicate);
        } else if (name.arities.length === 0) {
            const found = withRemedy(
                problem('RL1101', place, span, predicate),
                (atom && foreignPredicateRemedy(atom, boundElsewhere(facts, atom))) ?? didYouMean(name.nearest),
            );
            yield openWorld ? withSeverity(found, 'information') : found;
        }
    }
}

interface PredicateUse {
    readonly predicate: string;
    readonly span: Span;
    readonly negated: boolean;
    readonly atom?: Atom;
}

function* usesIn({ rule, resolved }: RuleFacts): Iterable<PredicateUse> {
    for (const { atom, negated } of resolved.literals) yield { predicate: atom.predicate, span: atom.nameSpan, negated, atom };
    if (rule.body.kind !== 'relation-function') return;
    const { kind, text, span } = rule.body.call.input;
    if (kind === 'predicate') yield { predicate: text, span, negated: false };
}

/** The variables that other positive atoms bind. */
function boundElsewhere({ resolved }: RuleFacts, own: Atom): ReadonlySet<string> {
    const others = resolved.literals.filter(({ atom, negated }) => !negated && atom !== own);
    return new Set(others.flatMap(({ atom }) => atom.arguments.flatMap(term => (term.kind === 'variable' ? [term.name] : []))));
}
