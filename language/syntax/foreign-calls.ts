import { type MeantCall, meantByCall } from '#language/library/foreign-functions.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { suggesting, withForm, withMeant } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { uncapitalised } from '#language/program/uncapitalised.ts';
import { isClosing, isOpening } from './brackets.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';
import { tokenize } from './tokenize.ts';

/**
 * RL0045 with the name that the predicate gets; RL5001 where a call of another language stands: a spreadsheet writes `IF(…)`
 * and SQL `SUM(…)`.
 */
export function withForeignCall(problem: ClauseProblem, clause: string): ClauseProblem {
    if (problem.code !== 'RL0045') return problem;
    const tokens = tokenize(clause);
    const at = tokens.findIndex(({ start }) => start === problem.span.start);
    const name = tokens[at];
    const call = callAt(tokens, at, clause);
    if (name === undefined) return problem;
    const meant = call && meantByCall(name.text, call.args);
    if (call === undefined || meant === undefined || (isItem(tokens, at) && !(isShouted(name.text) && isCondition(meant)))) {
        const predicate = isShouted(name.text) ? name.text.toLowerCase() : uncapitalised(name.text);
        return suggesting(problem, { kind: 'meant', name: predicate }, say`write '${predicate}' everywhere`);
    }
    if ('name' in meant && !call.semicolons) return withMeant(clauseProblem('RL5001', name, name.text), meant.name);
    const text = 'text' in meant ? meant.text : `${meant.name}(${call.args.join(', ')})`;
    return withForm(clauseProblem('RL5001', { start: name.start, end: call.end }, name.text), text);
}

/** Finds the end of a call and the texts of its arguments. A spreadsheet may separate them with semicolons. */
function callAt(tokens: readonly Token[], at: number, text: string) {
    const open = tokens[at + 1];
    if (open?.text !== '(') return undefined;
    const args: string[] = [];
    let depth = 0;
    let semicolons = false;
    let start = open.end;
    for (const { text: sign, kind, start: here, end } of tokens.slice(at + 1)) {
        if (kind !== 'mark') continue;
        if ('([{'.includes(sign)) depth++;
        if (')]}'.includes(sign)) depth--;
        const isLast = depth === 0;
        if (!isLast && (depth > 1 || (sign !== ',' && sign !== ';'))) continue;
        if (!isLast || here > start || args.length > 0) args.push(text.slice(start, here).trim());
        if (isLast) return { args, semicolons, end };
        if (sign === ';') semicolons = true;
        start = end;
    }
    return undefined;
}

/** Whether an item or a head begins here: what stands there is mostly meant as a predicate. */
function isItem(tokens: readonly Token[], at: number): boolean {
    const before = tokens[at - 1];
    if (before === undefined || before.kind === 'arrow' || before.text === 'not') return true;
    if (before.text !== ',') return false;
    let depth = 0;
    for (const token of tokens.slice(0, at)) depth += isOpening(token) ? 1 : isClosing(token) ? -1 : 0;
    return depth === 0;
}

function isShouted(name: string): boolean {
    return name.length > 1 && name === name.toUpperCase();
}

function isCondition(meant: MeantCall): boolean {
    if ('text' in meant) return true;
    const result = functionNamed(meant.name)?.result;
    return typeof result === 'object' && result.kind === 'boolean';
}
