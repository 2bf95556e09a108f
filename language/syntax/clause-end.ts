import { isClosing, isOpening } from './brackets.ts';
import { afterBlanks, indentation, isFirstOnLine, lineStart } from './characters.ts';
import { startsConstraint, startsEquation, startsFact, startsRule } from './clause-start.ts';
import { meantByLookalike } from './lookalikes.ts';
import { endsOperand, type Token, tokenAt } from './token.ts';

/** The end of a clause, and whether later text can move it. */
export interface ClauseExtent {
    readonly end: number;
    /**
     * Whether no change after the line of the final dot can move this end. False without a final dot, and after a
     * doubtful token: a member, a range, a foreign comment or an unterminated string.
     */
    readonly settled: boolean;
}

/** The offset just after the clause that starts at `start`, its final dot included. */
export function clauseEnd(text: string, start: number): number {
    return clauseExtent(text, start).end;
}

/**
 * Finds the extent of the clause that starts at `start`. Without a final dot, it ends before the line that most likely
 * starts the next clause.
 */
export function clauseExtent(text: string, start: number): ClauseExtent {
    let previous: Token | undefined;
    let isDoubtful = false;
    let depth = 0;
    let annotationsOnly = true;
    let arrow = false;
    let afterArrow = false;
    let at = start;
    while (at < text.length) {
        const token = tokenAt(text, at, previous, afterArrow);
        if (token.kind === 'comment') {
            at = afterBlanks(text, token.end);
            continue;
        }
        if (token.kind === 'directive') return { end: token.end, settled: false };
        if (token.kind === 'lookalike' && meantByLookalike(token.text) === '.') return { end: token.end, settled: false };
        if (token.kind === 'member' || token.kind === 'range') isDoubtful = true;
        if (token.kind === 'foreign-comment') {
            if (previous === undefined) return { end: token.end, settled: false };
            isDoubtful = true;
            at = afterBlanks(text, token.end);
            continue;
        }
        if (previous !== undefined && isFirstOnLine(text, token.start)) {
            const state = { operandEnded: endsOperand(previous) || previous.text === ';', depth, annotationsOnly, arrow, start };
            if (startsNextClause(text, token, state)) return { end: previous.end, settled: false };
        }
        if (token.kind === 'dot') return { end: token.end, settled: !isDoubtful };
        if (token.kind === 'unterminated-query') return { end: token.end, settled: false };
        if (token.kind === 'unterminated-string') isDoubtful = true;
        afterArrow = token.kind === 'arrow' && !arrow;
        if (token.kind === 'arrow') arrow = true;
        if (depth === 0 && token.kind !== 'annotation' && !(token.text === '(' && previous?.kind === 'annotation')) annotationsOnly = false;
        if (isOpening(token)) depth++;
        else if (isClosing(token)) depth = Math.max(0, depth - 1);
        previous = token;
        at = afterBlanks(text, token.end);
    }
    return { end: previous?.end ?? text.length, settled: false };
}

interface ScanState {
    readonly operandEnded: boolean;
    readonly depth: number;
    /** Nothing but annotations has been read: more annotations, a fact or a rule may follow. */
    readonly annotationsOnly: boolean;
    readonly arrow: boolean;
    /** The start of the current clause. */
    readonly start: number;
}

/** Whether `token`, the first of its line, begins another clause although the current one has no dot. */
function startsNextClause(text: string, token: Token, state: ScanState): boolean {
    const { operandEnded, depth, annotationsOnly, arrow } = state;
    if (token.kind === 'annotation') return !annotationsOnly || depth > 0;
    if (annotationsOnly && depth === 0) return false;
    const isNotDeeper = token.start - lineStart(text, token.start) <= indentation(text, state.start);
    if (token.text === '#F') return (isNotDeeper || operandEnded) && startsConstraint(text, token.start);
    if (token.kind === 'variable') return isNotDeeper && arrow && startsEquation(text, token.start);
    if (token.kind !== 'name' || text.charAt(afterBlanks(text, token.end)) !== '(') return false;
    if (operandEnded && depth === 0) return !arrow || isNotDeeper || startsRule(text, token.start);
    if (operandEnded) return isNotDeeper;
    if (!isNotDeeper) return false;
    return (arrow && startsRule(text, token.start)) || (depth > 0 && startsFact(text, token.start));
}
