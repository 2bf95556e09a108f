import { argumentsOf } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { itemAround, openingAfter, removalOf, termsInside } from './clause-parts.ts';
import { type ClauseEdit, clauseRemoval, type Fix, type FixRequest, meantName, otherFix, preferredFix, replacement } from './fix.ts';

import { freshVariable } from './fresh-variable.ts';
import { writeMeantName } from './names.ts';

/** RL4014, RL3032: the body goes on without the item. */
export function* removeItem(request: FixRequest): Iterable<Fix> {
    const removal = itemRemoval(request);
    if (removal !== undefined) yield preferredFix(request, say`Remove it`, removal);
}

/** RL2002: the variable that was meant; or no condition on what nothing binds. */
export function* correctOrRemoveItem(request: FixRequest): Iterable<Fix> {
    yield* writeMeantName(request);
    const removal = itemRemoval(request);
    const { tokens, problem } = request;
    const arrow = tokens.find(({ kind }) => kind === 'arrow');
    if (removal !== undefined && arrow !== undefined && problem.span.start > arrow.end)
        yield otherFix(request, say`Remove the condition`, removal);
}

/** RL4011: a condition that always holds says nothing, and a rule of which one never holds derives nothing. */
export function* removeConditionOrRule(request: FixRequest): Iterable<Fix> {
    const { document, clause, problem } = request;
    const removal = argumentsOf(problem, 'RL4011')[0] ? itemRemoval(request, problem.span) : undefined;
    if (removal !== undefined) yield preferredFix(request, say`Remove the condition`, removal);
    else {
        yield* nameNewValue(request);
        yield { title: say`Remove the rule`, edits: [clauseRemoval(document, clause)], preferred: false };
    }
}

/** `X = X + 1`: the new value gets a variable of its own, which the head has then. */
function* nameNewValue(request: FixRequest): Iterable<Fix> {
    const { tokens, text, problem } = request;
    const meant = meantName(request);
    if (meant === undefined) return;
    const name = tokens.find(({ start }) => start === problem.span.start)?.text ?? '';
    const fresh = freshVariable(text, meant);
    const arrow = tokens.find(({ kind }) => kind === 'arrow')?.start ?? 0;
    const inHead = tokens.filter(token => token.kind === 'variable' && token.text === name && token.end <= arrow);
    const assigned = { start: problem.span.start, end: problem.span.start + name.length };
    yield otherFix(request, say`Call the new value '${fresh}'`, ...[...inHead, assigned].map(place => replacement(place, fresh)));
}

/** RL4012: the bounds change places. */
export function* swapBounds(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const open = openingAfter(tokens, problem.span.start);
    const [, low, high] = (open === undefined ? undefined : termsInside(tokens, open))?.spans ?? [];
    if (low === undefined || high === undefined) return;
    const edits = [replacement(low, text.slice(high.start, high.end)), replacement(high, text.slice(low.start, low.end))];
    yield preferredFix(request, say`Swap the bounds`, ...edits);
}

/** RL4030 */
export function* writeNullTest(request: FixRequest): Iterable<Fix> {
    const [, left = '', operator, right = ''] = /^(.+?)\s*(==?|!=|<>)\s*(.+)$/su.exec(request.marked) ?? [];
    if (operator === undefined) return;
    const tested = left === 'null' ? right : left;
    const name = operator.startsWith('=') ? 'is_null' : 'is_not_null';
    yield preferredFix(request, say`Write '${name}(…)'`, replacement(request.problem.span, `${name}(${tested})`));
}

/** RL9026: the item that assigns comes before the one that uses it. */
export function* moveAssignmentUp(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const assigned = problem.related?.[0];
    if (assigned === undefined) return;
    const [first, later] = [itemAround(tokens, problem.span.start), itemAround(tokens, assigned.span.start)];
    const removal = removalOf(tokens, later);
    if (removal === undefined) return;
    const moved = `${text.slice(later.start, later.end)}, `;
    yield preferredFix(request, say`Move the assignment up`, { start: first.start, end: first.start, text: moved }, removal);
}

/** RL3005: the list goes on without the contributor, if it has others. */
export function* removeContributor(request: FixRequest): Iterable<Fix> {
    const { tokens, problem } = request;
    const index = tokens.findIndex(({ start }) => start === problem.span.start);
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (after?.text === ',') {
        yield preferredFix(request, say`Remove it`, { start: problem.span.start, end: tokens[index + 2]?.start ?? after.end, text: '' });
    } else if (before?.text === ',') yield preferredFix(request, say`Remove it`, { start: before.start, end: problem.span.end, text: '' });
}

/** RL3007: what was meant, rows or distinct values. */
export function* countRowsOrValues(request: FixRequest): Iterable<Fix> {
    const { marked, problem } = request;
    yield otherFix(request, say`Count all rows`, replacement(problem.span, ''));
    yield otherFix(request, say`Count distinct values`, replacement(problem.span, `1, <${marked}>`));
}

/** The removal of the item around the problem; nothing when it is the only one, or more than `whole`. */
function itemRemoval({ tokens, problem }: FixRequest, whole: Span = itemAround(tokens, problem.span.start)): ClauseEdit | undefined {
    const item = itemAround(tokens, problem.span.start);
    return item.start === whole.start && item.end === whole.end ? removalOf(tokens, item) : undefined;
}
