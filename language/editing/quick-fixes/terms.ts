import { argumentsOf } from '#language/problems/catalogue.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { clauseText, symbolsOf } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { openingAfter, termsInside } from './clause-parts.ts';
import { type ClauseEdit, type Fix, type FixRequest, inDocument, insertion, otherFix, preferredFix } from './fix.ts';

/** RL1102, RL6031: the terms behind the last column go. */
export function* removeTerms(request: FixRequest): Iterable<Fix> {
    const { document, tokens, problem, marked } = request;
    const open = openingAfter(tokens, problem.span.start);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    const columns = document.analysed.predicatesNamed(marked).at(-1)?.arity;
    if (inside === undefined || columns === undefined) return;
    const surplus = inside.spans.length - columns;
    const kept = inside.spans[columns - 1];
    const start = kept?.end ?? inside.spans[0]?.start;
    const last = inside.spans.at(-1);
    if (surplus <= 0 || start === undefined || last === undefined) return;
    const title = surplus === 1 ? say`Remove the last term` : say`Remove the last ${surplus} terms`;
    yield preferredFix(request, title, { start, end: last.end, text: '' });
}

/** RL1104, RL1105: `_` for each column that is missing, once for each arity that is meant. */
export function* padAtom(request: FixRequest): Iterable<Fix> {
    const { document, tokens, problem, marked } = request;
    const given = termCount(tokens, problem.span.start);
    const arities = document.analysed.predicatesNamed(marked).map(({ arity }) => arity);
    const larger = given === undefined ? [] : arities.filter(arity => arity > given);
    for (const arity of larger) {
        const edit = padding(tokens, problem.span.start, arity, '_');
        if (edit === undefined) continue;
        const title = say`Pad with '_' to ${arity} columns`;
        yield larger.length === 1 ? preferredFix(request, title, edit) : otherFix(request, title, edit);
    }
}

/** RL1103: every shorter head, and every shorter fact with `null`. */
export function* padHeads(request: FixRequest): Iterable<Fix> {
    const { document, problem, marked } = request;
    const [, ...arities] = argumentsOf(problem, 'RL1103');
    const [shorter, longer] = [Math.min(...arities), Math.max(...arities)];
    const edits: TextEdit[] = [];
    for (const { clause, mention } of symbolsOf(document).named(marked)) {
        if (mention.kind !== 'predicate' || mention.terms !== shorter || clause.kind === 'broken') continue;
        if (mention.role !== 'head' && mention.role !== 'fact') continue;
        const edit = padded(document, clause, mention.span.start, longer, mention.role === 'fact' ? 'null' : '_');
        if (edit !== undefined) edits.push(edit);
    }
    if (edits.length === 0) return;
    const title = say`Pad '${marked}' with ${shorter} columns to ${longer}`;
    yield { title, edits, preferred: false };
}

function padded(document: FixRequest['document'], clause: Clause, nameStart: number, arity: number, term: string): TextEdit | undefined {
    const edit = padding(tokenize(clauseText(document, clause)), nameStart, arity, term);
    return edit && inDocument(clause, edit);
}

function termCount(tokens: FixRequest['tokens'], nameStart: number): number | undefined {
    const open = openingAfter(tokens, nameStart);
    return open === undefined ? undefined : termsInside(tokens, open)?.spans.length;
}

function padding(tokens: FixRequest['tokens'], nameStart: number, arity: number, term: string): ClauseEdit | undefined {
    const open = openingAfter(tokens, nameStart);
    const inside = open === undefined ? undefined : termsInside(tokens, open);
    if (inside === undefined) return undefined;
    const missing = arity - inside.spans.length;
    if (missing <= 0) return undefined;
    const added = Array.from({ length: missing }, () => term).join(', ');
    const last = inside.spans.at(-1);
    return last === undefined ? insertion(inside.close.start, added) : insertion(last.end, `, ${added}`);
}
