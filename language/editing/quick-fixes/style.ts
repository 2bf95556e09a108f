import { say } from '#language/program/say.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import type { Token } from '#language/syntax/token.ts';
import { lineBreakOf } from '../refactorings/refactoring.ts';
import { openingAfter, termsInside } from './clause-parts.ts';
import { clauseRemoval, type Fix, type FixRequest, insertion, preferredFix, replacement } from './fix.ts';

/** RL9003: the rule moves behind the one that it belongs to. */
export function* moveRule({ document, clause, problem }: FixRequest): Iterable<Fix> {
    const before = problem.related?.[0]?.place;
    const earlier = before && document.clauseAt(before.offset);
    if (earlier === undefined || earlier.place.file !== clause.place.file) return;
    const end = earlier.place.offset + earlier.span.end;
    const lineBreak = lineBreakOf(document.text);
    const moved = { start: end, end, text: `${lineBreak}${clauseText(document, clause).trim()}` };
    yield { title: say`Move it below the others`, edits: [moved, clauseRemoval(document, clause)], preferred: true };
}

/** RL9012 */
export function* startNewLine(request: FixRequest): Iterable<Fix> {
    yield preferredFix(request, say`Start a new line`, insertion(request.problem.span.start, lineBreakOf(request.document.text)));
}

/** RL9020 */
export function* writeNegation(request: FixRequest): Iterable<Fix> {
    const blank = /\s/.test(request.text.charAt(request.problem.span.end)) ? '' : ' ';
    yield preferredFix(request, say`Write 'not'`, replacement(request.problem.span, `not${blank}`));
}

const LOOSER: ReadonlySet<string> = new Set(['||', '&&', '!', '=', '==', '!=', '<>', '<', '<=', '>', '>=', 'in', '!in', ',']);

/** RL9021: parentheses around the operands of `|` and `&`. */
export function* addParentheses(request: FixRequest): Iterable<Fix> {
    const { tokens, problem } = request;
    const at = tokens.findIndex(({ start }) => start === problem.span.start);
    const first = tokens[edge(tokens, at, -1)];
    const last = tokens[edge(tokens, at, 1)];
    if (first === undefined || last === undefined) return;
    yield preferredFix(request, say`Add parentheses`, insertion(first.start, '('), insertion(last.end, ')'));
}

/** Index of the last token on one side that binds as tight as the operator. */
function edge(tokens: readonly Token[], from: number, step: 1 | -1): number {
    const closing = closingBrackets(tokens);
    const opening = new Map([...closing].map(([open, close]) => [close, open] as const));
    let at = from;
    for (;;) {
        const next = tokens[at + step];
        if (next === undefined || next.kind === 'dot' || next.kind === 'arrow' || LOOSER.has(next.text)) return at;
        const other = (step === 1 ? closing : opening).get(at + step);
        if (other === undefined && next.kind === 'mark') return at;
        at = other ?? at + step;
    }
}

/** RL9029 */
export function* removeNamespace(request: FixRequest): Iterable<Fix> {
    yield preferredFix(request, say`Remove the namespace`, replacement(request.problem.span, ''));
}

/** RL9031: the argument without the call. */
export function* unwrapArgument(request: FixRequest): Iterable<Fix> {
    const { tokens, problem, text } = request;
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    const [only] = inside?.spans ?? [];
    if (inside === undefined || only === undefined) return;
    yield preferredFix(request, say`Write the argument alone`, {
        start: problem.span.start,
        end: inside.close.end,
        text: text.slice(only.start, only.end),
    });
}
