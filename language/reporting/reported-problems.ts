import type { TextRange } from '#language/document/open-document.ts';
import { type ProblemCode, problem } from '#language/problems/catalogue.ts';
import { append } from '#language/program/append.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { lineStart } from '#language/syntax/characters.ts';
import { type IgnoreComment, ignoreComments } from './ignore-comments.ts';
import { configured, fixedSeverity, isOffByDefault, type Severities, USUAL_SEVERITIES } from './severities.ts';

/** A text with everything that is wrong with it, in text order. */
export interface CheckedText {
    readonly file: string;
    readonly text: string;
    readonly clauses: readonly Clause[];
    readonly problems: readonly Problem[];
}

/**
 * Returns the problems for the user, in text order. Comments and the project omit some and set severities; mistakes in those comments are
 * added (13.1).
 */
export function reportedProblems(checked: CheckedText, severities: Severities = USUAL_SEVERITIES): readonly Problem[] {
    const comments = ignoreComments(checked.text, checked.clauses);
    if (comments.length === 0 && severities.size === 0) {
        return checked.problems.some(isOffByDefault) ? checked.problems.filter(found => !isOffByDefault(found)) : checked.problems;
    }
    const { kept, used } = sifted(checked, comments);
    const idle = comments.flatMap(comment => [...problemsOf(comment, used, checked)]);
    const all = idle.length === 0 ? kept : [...kept, ...idle].sort(byPlace(checked.file));
    return all.flatMap(found => configured(found, severities) ?? []);
}

function sifted({ file, problems }: CheckedText, comments: readonly IgnoreComment[]): { kept: Problem[]; used: Set<object> } {
    const scopes = new Map<string, { readonly scope: TextRange | undefined; readonly entry: object }[]>();
    for (const { codes, scope } of comments) for (const entry of codes) append(scopes, entry.code, { scope, entry });
    const used = new Set<object>();
    const kept = problems.filter(found => {
        if (found.severity === 'error' || found.place.file !== file) return true;
        const start = startOf(found);
        const holding = (scopes.get(found.code) ?? []).filter(
            ({ scope }) => scope === undefined || (scope.start <= start && start < scope.end),
        );
        for (const { entry } of holding) used.add(entry);
        return holding.length === 0;
    });
    return { kept, used };
}

function* problemsOf(comment: IgnoreComment, used: ReadonlySet<object>, checked: CheckedText): Iterable<Problem> {
    if (comment.codes.length === 0) yield at('RL9041', comment, comment.words, checked, say`it names no code`);
    for (const entry of comment.codes) {
        const fixed = fixedSeverity(entry.code);
        if (fixed !== undefined) yield at('RL9041', comment, entry.range, checked, fixed);
        else if (!used.has(entry)) yield at('RL9040', comment, entry.range, checked, entry.code);
    }
}

/** A problem of a comment; its place is that of the comment. */
function at(
    code: ProblemCode & ('RL9040' | 'RL9041'),
    { range }: IgnoreComment,
    { start, end }: TextRange,
    { file, text }: CheckedText,
    word: string,
): Problem {
    const from = lineStart(text, range.start);
    const line = text.slice(0, from).match(/\r\n|\r|\n/gu)?.length ?? 0;
    const place: ClausePlace = { file, offset: range.start, line, column: range.start - from };
    return problem(code, place, { start: start - range.start, end: end - range.start }, word);
}

/** Problems of other files, if any, stay behind those of the text. */
function byPlace(file: string): (a: Problem, b: Problem) => number {
    const isForeign = ({ place }: Problem): number => Number(place.file !== file);
    return (a, b) => isForeign(a) - isForeign(b) || (isForeign(a) === 0 ? startOf(a) - startOf(b) : 0);
}

function startOf({ place, span }: Problem): number {
    return place.offset + span.start;
}
