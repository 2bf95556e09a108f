import { lastClauseStartingAt, type OpenDocument } from '#language/document/open-document.ts';
import { cutText } from '#language/program/cut-text.ts';
import type { HelperPredicate, Problem } from '#language/program/problem.ts';
import type { Annotation, Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { freshPredicate } from '../refactorings/fresh-names.ts';
import { behindClause, lineBreakOf } from '../refactorings/refactoring.ts';
import { endBefore } from './clause-parts.ts';

/** A change that removes a problem. Its edits do not overlap. */
export interface Fix {
    readonly title: string;
    readonly edits: readonly TextEdit[];
    /** The one that is nearly always meant. */
    readonly preferred: boolean;
    /** The name of the predicate that it makes up. */
    readonly madeUp?: string;
}

/** A problem with the clause it stands in. */
export interface FixRequest {
    readonly document: OpenDocument;
    readonly problem: Problem;
    readonly clause: Clause;
    /** The text of the clause. */
    readonly text: string;
    readonly tokens: readonly Token[];
    /** The text that the problem marks. */
    readonly marked: string;
}

export type FixFunction = (request: FixRequest) => Iterable<Fix>;

/** The request for a problem; nothing when the document has changed since it was found. */
export function fixRequest(document: OpenDocument, problem: Problem): FixRequest | undefined {
    const { clauses } = document.analysed.program;
    const clause = clauses[lastClauseStartingAt(clauses, problem.place.offset)];
    if (clause === undefined || clause.place.offset !== problem.place.offset) return undefined;
    const text = clauseText(document, clause);
    return { document, problem, clause, text, tokens: tokenize(text), marked: text.slice(problem.span.start, problem.span.end) };
}

/** A change inside the clause of a request; offsets are relative to the clause. */
export interface ClauseEdit {
    readonly start: number;
    readonly end: number;
    readonly text: string;
}

export function insertion(at: number, text: string): ClauseEdit {
    return { start: at, end: at, text };
}

export function replacement({ start, end }: Span, text: string): ClauseEdit {
    return { start, end, text };
}

/** The preferred fix that changes the clause of a request. */
export function preferredFix({ clause }: FixRequest, title: string, ...edits: readonly ClauseEdit[]): Fix {
    return { title, edits: edits.map(edit => inDocument(clause, edit)), preferred: true };
}

/** One of several fixes, or one that is not always meant. */
export function otherFix(request: FixRequest, title: string, ...edits: readonly ClauseEdit[]): Fix {
    return { ...preferredFix(request, title, ...edits), preferred: false };
}

export function inDocument({ place }: Clause, { start, end, text }: ClauseEdit): TextEdit {
    return { start: place.offset + start, end: place.offset + end, text };
}

/** Replaces what is marked. */
export function* replaceMarked(request: FixRequest, text: string): Iterable<Fix> {
    yield preferredFix(request, say`Replace with ${quoted(text)}`, replacement(request.problem.span, text));
}

/** Replaces what is marked by a text that is always the same. */
export function writing(text: string): FixFunction {
    return request => replaceMarked(request, text);
}

function quoted(text: string): string {
    return `'${text}'`;
}

/** Removes a clause with its line, when nothing else stands there. */
export function clauseRemoval({ text }: OpenDocument, { place, span }: Clause): TextEdit {
    return removalOf(text, place.offset + span.start, place.offset + span.end);
}

/** Removes one annotation: its clause when it is the only one in it. */
export function annotationRemoval(document: OpenDocument, clause: Clause, { span }: Annotation): TextEdit {
    if (clause.kind === 'annotation' && clause.annotations.length === 1) return clauseRemoval(document, clause);
    const start = clause.place.offset + span.start;
    const end = clause.place.offset + span.end;
    const after = /^\s*/.exec(document.text.slice(end, end + 200))?.[0].length ?? 0;
    const last = clause.annotations.at(-1)?.span === span && clause.kind === 'annotation';
    if (!last) return { start, end: end + after, text: '' };
    const before = /\s*$/.exec(document.text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0;
    return { start: start - before, end, text: '' };
}

/** Removes a part of a text with the blanks after it, or with its whole line. */
/** Removes a part of a text, with its line when nothing else stands there. */
export function removalOf(text: string, start: number, end: number): TextEdit {
    const lineStart = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
    const rest = /^[ \t]*(\r\n|\r|\n|$)/.exec(text.slice(end, end + 500));
    if (text.slice(lineStart, start).trim() === '' && rest !== null) return { start: lineStart, end: end + rest[0].length, text: '' };
    const blanks = /^[ \t]*/.exec(text.slice(end, end + 500))?.[0].length ?? 0;
    return { start, end: end + blanks, text: '' };
}

/**
 * Adds an annotation as a clause of its own: below the last one of its name, at the end of a document whose last clause is
 * complete, or else at its start.
 */
export function annotationAddition({ text, analysed }: OpenDocument, name: string, annotation: string): TextEdit {
    const { clauses } = analysed.program;
    const lineBreak = lineBreakOf(text);
    const alike = clauses.findLast(clause => clause.kind === 'annotation' && clause.annotations.some(other => other.name === name));
    const last = clauses.at(-1);
    const after = alike ?? (last?.kind === 'broken' ? undefined : last);
    if (after === undefined) {
        const start = text.startsWith('\ufeff') ? 1 : 0;
        return { start, end: start, text: `${annotation}${lineBreak}` };
    }
    const end = after.place.offset + after.span.end;
    return { start: end, end, text: `${lineBreak}${annotation}` };
}

/**
 * Replaces a form of another language, or removes it and adds its annotation. The problem marks the whole form. Yields nothing for any
 * other problem.
 */
export function* writeMeantForm(request: FixRequest): Iterable<Fix> {
    const { problem, marked, tokens, document } = request;
    const { suggestion: form } = problem;
    if (form?.kind === 'helper') yield* askHelper(request, form);
    if (form?.kind !== 'form') return;
    if (form.text !== '') {
        const blanks = form.text.startsWith(',') ? problem.span.start - endBefore(tokens, problem.span.start) : 0;
        const start = problem.span.start - blanks;
        yield preferredFix(request, say`Replace with '${form.text.trim()}'`, { start, end: problem.span.end, text: form.text });
        return;
    }
    const whole = problem.span.start === 0 && problem.span.end >= (tokens.at(-1)?.start ?? 0);
    const start = tokens.some(({ end }) => end === problem.span.end) ? endBefore(tokens, problem.span.start) : problem.span.start;
    const removal = whole
        ? clauseRemoval(document, request.clause)
        : inDocument(request.clause, { start, end: problem.span.end, text: '' });
    const { annotation } = form;
    if (annotation === undefined) yield { title: say`Remove '${cutText(marked, 30)}'`, edits: [removal], preferred: true };
    else {
        const edits = [removal, annotationAddition(document, annotation.name, `${annotation.text}.`)];
        yield { title: say`Write '${annotation.text}' instead`, edits, preferred: true };
    }
}

/** The marked text asks for the absence of a helper predicate, which a rule behind the clause derives. */
function* askHelper(request: FixRequest, { name, terms, body }: HelperPredicate): Iterable<Fix> {
    const madeUp = freshName(request, name);
    const atom = `${madeUp}(${terms})`;
    const edits = [replacement(request.problem.span, `not ${atom}`), ownClause(request, `${atom} <- ${body}.`)];
    yield { ...preferredFix(request, say`Replace with 'not ${atom}'`, ...edits), madeUp };
}

/** A name, as wished where it is free, that neither the document nor what it includes has for a predicate or a function. */
export function freshName({ document }: FixRequest, wished: string): string {
    return freshPredicate({ workspace: workspaceOf(document), document }, wished);
}

/** Adds a clause behind the one of the request, whose comments and annotations stay its own; before it where its end is not known. */
export function ownClause(request: FixRequest, clause: string): ClauseEdit {
    const lineBreak = lineBreakOf(request.document.text);
    const isEnded = request.tokens.at(-1)?.kind === 'dot';
    return isEnded ? insertion(behindClause(request), `${lineBreak}${clause}`) : insertion(0, `${clause}${lineBreak}`);
}

/** The name that the remedy of the problem proposes. */
export function meantName({ problem }: FixRequest): string | undefined {
    return problem.suggestion?.kind === 'meant' ? problem.suggestion.name : undefined;
}

/** The text that the remedy of the problem says to write. */
export function writtenText({ problem }: FixRequest): string | undefined {
    return problem.suggestion?.kind === 'write' ? problem.suggestion.text : undefined;
}
