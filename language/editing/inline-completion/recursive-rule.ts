import { type OpenDocument, rangeOf } from '#language/document/open-document.ts';
import type { AnalysedRule, Predicate } from '#language/program/analysed-program.ts';
import type { Atom, Rule } from '#language/program/program.ts';
import { printType } from '#language/program/types.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';
import { stratumOf } from '../predicates-named.ts';
import { substituted, variableBeside } from '../refactorings/substitution.ts';
import type { RuleSkeleton, TypedHead } from './typed-head.ts';

/**
 * `reach(X, Z) <- reach(X, Y), edge(Y, Z)` for a predicate of two columns of one type whose only rule is like
 * `reach(X, Y) <- edge(X, Y)`: a step further from where the facts have led.
 */
export function recursiveRule(document: OpenDocument, { name, variables: typed, isClosed }: TypedHead): RuleSkeleton | undefined {
    if (isClosed ? typed.length !== 2 : typed.length > 1) return undefined;
    const base = baseRule(document, name);
    if (base === undefined) return undefined;
    const { rule, from, to } = base;
    const [first = from] = typed;
    const last = typed[1] ?? variableBeside(new Set([from, to, first]), to === 'Y' ? 'Z' : `Next${to}`);
    const between = variableBeside(new Set([first, last]), to);
    const renamed = new Map([
        [from, between],
        [to, last],
    ]);
    const taken = new Set([first, between, last]);
    for (const mention of mentionsOfClause(document, rule)) {
        if (mention.kind !== 'variable' || renamed.has(mention.name)) continue;
        const free = variableBeside(taken, mention.name);
        taken.add(free);
        renamed.set(mention.name, free);
    }
    const { start, end } = rangeOf({ place: rule.place, span: rule.body.span });
    const step = substituted(document.text.slice(start, end), renamed);
    return { variables: [first, last], body: `${name}(${first}, ${between}), ${step}` };
}

interface BaseRule {
    readonly rule: Rule;
    readonly from: string;
    readonly to: string;
}

function baseRule({ analysed, file }: OpenDocument, name: string): BaseRule | undefined {
    const predicate = analysed.predicatesNamed(name).find(({ arity }) => arity === 2);
    const only = predicate?.rules.length === 1 ? analysed.rules[predicate.rules[0] ?? -1] : undefined;
    if (predicate === undefined || only === undefined || only.rule.place.file !== file) return undefined;
    if (analysed.strata[stratumOf(analysed, predicate.key) ?? -1]?.recursive === true || !isOfOneType(predicate)) return undefined;
    const ends = endsOf(only);
    return ends && { rule: only.rule, from: ends[0], to: ends[1] };
}

function isOfOneType({ columns: [first, second] }: Predicate): boolean {
    return first !== undefined && second !== undefined && printType(first.type) === printType(second.type);
}

/** The variables of the head, where one atom of the body leads from the first to the second. */
function endsOf({ rule }: AnalysedRule): readonly [string, string] | undefined {
    const { head, body } = rule;
    if (head.kind !== 'atoms' || head.atoms.length !== 1 || body.kind !== 'items') return undefined;
    const [from, to, ...more] = variablesIn(head.atoms[0]);
    if (from === undefined || to === undefined || from === to || more.length > 0) return undefined;
    const leads = body.items.some(
        item => item.kind === 'atom' && !item.negated && [from, to].every(variable => variablesIn(item.atom).includes(variable)),
    );
    return leads ? [from, to] : undefined;
}

function variablesIn(atom: Atom | undefined): readonly string[] {
    return (atom?.arguments ?? []).flatMap(term => (term.kind === 'variable' ? [term.name] : []));
}
