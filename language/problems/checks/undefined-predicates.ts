import type { Meanings, RuleFacts } from '#language/analysis/program-facts.ts';
import { calledFacts } from '#language/analysis/queries.ts';
import { append } from '#language/program/append.ts';
import { countText } from '#language/program/count-text.ts';
import { printExpression } from '#language/program/print.ts';
import type { HelperPredicate, Problem, RelatedPlace } from '#language/program/problem.ts';
import type { Atom } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { problem, suggesting, withHelper, withMeant, withRelated, withRemedy, withSeverity } from '../catalogue.ts';
import { foreignPredicate } from '../foreign-predicates.ts';
import { removal } from '../remedies.ts';

/** Predicates that a body uses and nothing defines: RL1101; RL1112 if at least a model describes them. Each name is reported once. */
export function* checkUndefinedPredicates(facts: RuleFacts, meaningOf: Meanings, openWorld: boolean): Iterable<Problem> {
    const { place } = facts;
    const uses = new Map<string, PredicateUse[]>();
    for (const use of usesIn(facts)) append(uses, use.predicate, use);
    let users: ReadonlyMap<string, ReadonlySet<Atom>> | undefined;
    for (const [predicate, all] of uses) {
        const name = meaningOf(predicate);
        if (name === undefined || name.possiblyDefined || predicate === '') continue;
        if (name.emptyModel) {
            const [first, ...further] = all.filter(({ negated }) => !negated);
            if (openWorld || first === undefined) continue;
            yield withRelated(problem('RL1112', place, first.span, predicate), places(further, facts));
        } else if (name.arities.length === 0) {
            const [first, ...further] = all;
            if (first === undefined) continue;
            users ??= usersOf(facts);
            const unknown = problem('RL1101', place, first.span, predicate);
            const absence = first.atom && forAll(first.atom, facts);
            const limit = first.atom && rowLimit(first.atom, facts);
            const written = first.atom && foreignPredicate(first.atom, isBoundElsewhere(users, first.atom));
            const meant =
                first.atom !== undefined && absence !== undefined
                    ? withHelper(problem('RL1101', place, first.atom.span, predicate), absence)
                    : written !== undefined
                      ? withItem(unknown, written)
                      : limit === undefined
                        ? withMeant(unknown, name.nearest)
                        : withRemedy(unknown, limit);
            const found = withRelated(meant, places(further, facts));
            yield openWorld ? withSeverity(found, 'information') : found;
        }
    }
}

const LIMITS: ReadonlySet<string> = new Set(['top', 'limit', 'first', 'head', 'take']);

/** `top(3)`: how many rows are shown is said of an output. */
function rowLimit({ predicate, arguments: [count, ...others] }: Atom, { rule }: RuleFacts): string | undefined {
    if (!LIMITS.has(predicate) || count?.kind !== 'integer' || others.length > 0) return undefined;
    const name = rule.head.kind === 'atoms' ? rule.head.atoms[0]?.predicate : undefined;
    return name === undefined ? undefined : removal(say`write '@post("${name}", "limit(${count.value})")' as a clause of its own`);
}

/** `forall(p(X), q(X))`: no row of the first contradicts the second. */
function forAll({ predicate, arguments: terms }: Atom, { items, occurrences }: RuleFacts): HelperPredicate | undefined {
    const [condition, conclusion] = terms;
    if (predicate !== 'forall' || condition?.kind !== 'call' || conclusion?.kind !== 'call') return undefined;
    const own = items.findIndex(item => item.kind === 'literal' && item.atom.arguments === terms);
    const shared = variableNames(condition.arguments);
    const outside = shared.filter(name => occurrences.get(name)?.some(({ item, where }) => item !== own || where === 'head'));
    return {
        name: `${condition.name}_without_${conclusion.name}`,
        terms: [...new Set(outside)].join(', '),
        body: `${printExpression(condition)}, not ${printExpression(conclusion)}`,
    };
}

/** The remedy writes another item, or none. */
function withItem(found: Problem, written: string): Problem {
    return suggesting(found, { kind: 'write', text: written }, written === '' ? removal(say`outputs are shown by themselves`) : undefined);
}

/** Further places of a name that are shown; of others there is the number. */
const MOST_PLACES = 8;

function places(uses: readonly PredicateUse[], { place }: RuleFacts): RelatedPlace[] {
    return uses.slice(0, MOST_PLACES).map(({ predicate, span }, index) => {
        const more = index === MOST_PLACES - 1 ? uses.length - MOST_PLACES : 0;
        return { place, span, message: `'${predicate}' again${more > 0 ? say`, as in ${countText(more)} more places` : ''}` };
    });
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
    const { options } = rule.body.call;
    // With escapes in the text of the options it is not known where a name stands.
    if (options === undefined || options.span.end - options.span.start !== options.value.length + 2) return;
    for (const predicate of calledFacts(rule)) {
        const start = options.span.start + 1 + options.value.indexOf(predicate, options.value.indexOf('facts='));
        yield { predicate, span: { start, end: start + predicate.length }, negated: true };
    }
}

/** The positive atoms that bind each variable. */
function usersOf({ resolved }: RuleFacts): ReadonlyMap<string, ReadonlySet<Atom>> {
    const users = new Map<string, Set<Atom>>();
    for (const { atom, negated } of resolved.literals) {
        if (negated) continue;
        for (const term of atom.arguments) {
            if (term.kind !== 'variable') continue;
            const known = users.get(term.name);
            if (known === undefined) users.set(term.name, new Set([atom]));
            else known.add(atom);
        }
    }
    return users;
}

/** Whether positive atoms besides this one bind a variable. */
function isBoundElsewhere(users: ReadonlyMap<string, ReadonlySet<Atom>>, own: Atom): (name: string) => boolean {
    return name => {
        const atoms = users.get(name);
        return atoms !== undefined && atoms.size > (atoms.has(own) ? 1 : 0);
    };
}
