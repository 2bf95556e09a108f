import { argumentsOf } from '#language/problems/catalogue.ts';
import { AGGREGATES, isAggregateName } from '#language/program/aggregates.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { variableNames } from '#language/program/variable-names.ts';
import { clauseMentions } from '#language/symbols/clause-mentions.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import type { Token } from '#language/syntax/token.ts';
import { bodyEnd, firstHead, itemAround, openingAfter, splitAt, termsInside } from './clause-parts.ts';
import { type Fix, type FixRequest, freshName, insertion, otherFix, ownClause, preferredFix, replacement } from './fix.ts';
import { freshVariable } from './fresh-variable.ts';

/** RL3001: the aggregate is assigned, and its variable stands where it stood. */
export function* assignAggregate(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem } = request;
    const call = callSpan(request, problem.span.start);
    if (call === undefined) return;
    const item = itemAround(tokens, problem.span.start);
    const variable = freshVariable(text, 'Value');
    const assigned = `${variable} = ${text.slice(call.start, call.end)}`;
    if (item.start === call.start && item.end === call.end) {
        yield preferredFix(request, say`Assign it to '${variable}'`, replacement(call, assigned));
        return;
    }
    const edits = [insertion(item.start, `${assigned}, `), replacement(call, variable)];
    yield preferredFix(request, say`Assign it to '${variable}'`, ...edits);
}

/** RL3002: an aggregate of the head moves to the body. */
export function* moveAggregateToBody(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem } = request;
    const call = callSpan(request, problem.span.start);
    const arrow = tokens.find(({ kind }) => kind === 'arrow');
    if (call === undefined || arrow === undefined || call.end > arrow.start) return;
    const variable = freshVariable(text, 'Value');
    const edits = [replacement(call, variable), insertion(bodyEnd(tokens), `, ${variable} = ${text.slice(call.start, call.end)}`)];
    yield preferredFix(request, say`Assign it to '${variable}' in the body`, ...edits);
}

function callSpan({ tokens }: FixRequest, start: number): Span | undefined {
    const open = openingAfter(tokens, start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    return inside && { start, end: inside.close.end };
}

/** RL3033: the variable gets the aggregate, and a condition of its own compares it. */
export function* compareResult(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem } = request;
    const [variable] = itemAround(tokens, problem.span.start).tokens;
    const isAggregate = ({ start, end, text: name }: Token): boolean =>
        start >= problem.span.start && end <= problem.span.end && isAggregateName(name);
    const call = callSpan(request, tokens.find(isAggregate)?.start ?? -1);
    if (call === undefined || variable === undefined) return;
    const aggregate = text.slice(call.start, call.end);
    const compared = `${text.slice(problem.span.start, call.start)}${variable.text}${text.slice(call.end, problem.span.end)}`;
    yield preferredFix(request, say`Compare '${variable.text}' apart`, replacement(problem.span, `${aggregate}, ${compared}`));
}

/** RL3006: `, <X, Y>` goes. */
export function* removeContributors(request: FixRequest): Iterable<Fix> {
    const { tokens, problem } = request;
    const first = tokens.findIndex(({ start }) => start === problem.span.start);
    const less = tokens[first - 1];
    const comma = tokens[first - 2];
    const greater = tokens.find(({ start, text }) => start >= problem.span.end && text === '>');
    if (less?.text !== '<' || greater === undefined) return;
    const start = comma?.text === ',' ? comma.start : less.start;
    yield preferredFix(request, say`Remove the contributors`, { start, end: greater.end, text: '' });
}

/** RL3011: what is added to the result of a smallest or largest value is added to the values. */
export function* moveIntoArgument(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem } = request;
    const item = itemAround(tokens, problem.span.start);
    const nameIndex = item.tokens.findIndex(({ kind, text: name }) => kind === 'name' && isAggregateName(name));
    const name = item.tokens[nameIndex];
    const open = name === undefined ? undefined : openingAfter(tokens, name.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    const [argument] = inside?.spans ?? [];
    if (name === undefined || inside === undefined || argument === undefined || item.tokens[nameIndex - 1]?.text !== '=') return;
    const rest = text.slice(inside.close.end, item.end);
    const monotone = /^m?(?:min|max)$/.test(name.text) ? /^\s*[+-][^-+*/&|<>=!]+$/ : /^\s*\*[^-+*/&|<>=!]+$/;
    if (inside.spans.length !== 1 || !monotone.test(rest)) return;
    const simple =
        splitAt(
            tokens.filter(({ start, end }) => start >= argument.start && end <= argument.end),
            ({ kind }) => kind === 'operator',
        ).length === 1;
    const inner = text.slice(argument.start, argument.end);
    const written = simple || !rest.includes('*') ? inner : `(${inner})`;
    yield preferredFix(request, say`Move it into the argument`, { start: argument.start, end: item.end, text: `${written}${rest})` });
}

/** RL3020: the column is aggregated here as it is elsewhere. */
export function* wrapInAggregate(request: FixRequest): Iterable<Fix> {
    const { text, tokens, problem, marked } = request;
    const [, , name] = argumentsOf(problem, 'RL3020');
    if (!/^(?:[A-Z]\w*|\d+(?:\.\d+)?)$/.test(marked) || !isAggregateName(name)) return;
    const { least } = AGGREGATES[name];
    const assigned = clauseMentions(text).some(
        mention => mention.kind === 'variable' && mention.role === 'assigned' && mention.name === marked,
    );
    if (assigned || least === 0 || !tokens.some(({ kind }) => kind === 'arrow')) return;
    const variable = freshVariable(text, /^\d/.test(marked) ? 'Value' : `${marked}Total`);
    const edits = [replacement(problem.span, variable), insertion(bodyEnd(tokens), `, ${variable} = ${name}(${marked})`)];
    yield preferredFix(request, say`Aggregate it with '${name}'`, ...edits);
}

/** RL3014: a group column as the contributor, so that each group has one, whose largest value counts. */
export function* addContributor(request: FixRequest): Iterable<Fix> {
    const { clause, problem, tokens, text } = request;
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    if (clause.kind !== 'rule' || clause.head.kind !== 'atoms' || inside === undefined) return;
    const head = new Set(clause.head.atoms.flatMap(({ arguments: terms }) => variableNames(terms)));
    const bound = clauseMentions(text).flatMap(mention => (mention.kind === 'variable' && mention.role === 'body' ? [mention.name] : []));
    const name = bound.find(variable => head.has(variable));
    const [value] = inside.spans;
    if (name === undefined || value === undefined) return;
    const written = `${text.slice(value.start, value.end)}, <${name}>`;
    yield otherFix(request, say`Add the contributor <${name}>`, { start: value.start, end: inside.close.start, text: written });
}

/** RL3031: the columns of the list become the group columns of the head. */
export function* changeHeadOrList(request: FixRequest): Iterable<Fix> {
    const { clause, problem, text, tokens } = request;
    const index = tokens.findIndex(({ start }) => start === problem.span.start);
    const close = closingBrackets(tokens).get(index);
    const comma = tokens[index - 1];
    const end = close === undefined ? undefined : tokens[close]?.end;
    const keys = termsInside(tokens, index)?.spans.map(({ start, end: after }) => text.slice(start, after)) ?? [];
    const [head, ...others] = clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms : [];
    const result = itemAround(tokens, problem.span.start).tokens[0]?.text;
    const groups = head?.arguments.filter(term => term.kind !== 'variable' || term.name !== result) ?? [];
    if (head !== undefined && others.length === 0 && groups.length === keys.length && comma?.text === ',' && end !== undefined) {
        const edits = groups.map((term, place) => replacement(term.span, keys[place] ?? ''));
        yield otherFix(request, say`Group by ${keys.join(', ')} in the head`, ...edits, { start: comma.start, end, text: '' });
    }
    for (const fix of removeGroupList(request)) yield { ...fix, preferred: false };
}

/** RL3030: `, [K]` goes. */
export function* removeGroupList(request: FixRequest): Iterable<Fix> {
    const { tokens, problem } = request;
    const index = tokens.findIndex(({ start }) => start === problem.span.start);
    const close = tokens[closingBrackets(tokens).get(index) ?? -1];
    const comma = tokens[index - 1];
    const end = close?.end ?? problem.span.end;
    if (comma?.text === ',') yield preferredFix(request, say`Remove the list`, { start: comma.start, end, text: '' });
}

/** RL3009: `maxcount` is found in a rule of its own. */
export function* splitMaxcount(request: FixRequest): Iterable<Fix> {
    const { clause, text, tokens, problem } = request;
    const head = firstHead(clause);
    const item = itemAround(tokens, problem.span.start);
    const result = item.tokens[0];
    if (head === undefined || result?.kind !== 'variable' || item.tokens[1]?.text !== '=' || head.rule.body.kind !== 'items') return;
    const aggregated = new Set(
        head.rule.body.items.flatMap(({ span }) => {
            const [variable, equals, call] = itemAround(tokens, span.start).tokens;
            return variable?.kind === 'variable' && equals?.text === '=' && isAggregateName(call?.text ?? '') ? [variable.text] : [];
        }),
    );
    const atom = head.rule.head.kind === 'atoms' ? head.rule.head.atoms[0] : undefined;
    const group = (atom?.arguments ?? []).flatMap(term => (term.kind === 'variable' && !aggregated.has(term.name) ? [term.name] : []));
    const others = head.rule.body.items.flatMap(({ span }) => {
        const written = text.slice(span.start, span.end);
        return [...aggregated].some(name => written.startsWith(`${name} `) || written.startsWith(`${name}=`)) ? [] : [written];
    });
    const helper = freshName(request, `${head.name}_maxcount`);
    const terms = [...group, result.text].join(', ');
    const body = [...others, text.slice(item.start, item.end)].join(', ');
    yield otherFix(
        request,
        say`Move it to a helper predicate '${helper}'`,
        replacement(item, `${helper}(${terms})`),
        ownClause(request, `${helper}(${terms}) <- ${body}.`),
    );
}
