import { lowerClause } from '#language/lowering/lower-clause.ts';
import { withForm } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { withWordRemedies } from './bare-word.ts';
import { clauseProblem } from './clause-problem.ts';
import { styleProblems } from './clause-style.ts';
import { refusedComplexity } from './complexity.ts';
import { diagnoseClause } from './diagnose-clause.ts';
import type { ClauseProblem, ParsedClause } from './parsed-clause.ts';
import { type GrammarResult, parseWithGrammar } from './parser.ts';
import { readPlainAnnotation } from './plain-annotation.ts';
import { readPlainRule } from './plain-rule.ts';
import type { Token } from './token.ts';
import { tokenize } from './tokenize.ts';

/**
 * The clause that a text means, and what is wrong with it. A function of the text alone (and of being the last of its
 * file), so that its result can be kept for as long as the text stays. A clause with an error is broken.
 */
export function parseClause(text: string, last: boolean): ParsedClause {
    const tokens = tokenize(text);
    const complexity = refusedComplexity(tokens);
    if (complexity !== undefined) return broken(text, tokens, [complexity]);
    const plain = readPlainRule(text, tokens) ?? readPlainAnnotation(text, tokens);
    if (plain !== undefined) return { content: plain, problems: styleProblems(text, tokens) };
    const found = diagnoseClause(tokens, last);
    if (found !== undefined && !(mayBeUnderstood(found) && isClosed(tokens))) return broken(text, tokens, [found]);
    const parsed = tokens.some(token => HOPELESS.has(token.kind)) ? undefined : parseWithGrammar(text);
    if (parsed?.kind === 'understood') {
        const { content, problems } = lowerClause(parsed.clause, text);
        const lowered = { content, problems: withAssignments(problems, tokens) };
        if (lowered.problems.some(isBreaking)) return broken(text, tokens, withWordRemedies(distinct(lowered.problems), text, tokens));
        return { content: lowered.content, problems: [...lowered.problems, ...styleProblems(text, tokens)] };
    }
    return broken(text, tokens, [found ?? undiagnosed(text, parsed)]);
}

/** `Y <- X * 2`, as R assigns: the variable occurs nowhere else in the body, so that there is nothing to compare. */
function withAssignments(problems: readonly ClauseProblem[], tokens: readonly Token[]): readonly ClauseProblem[] {
    if (problems.every(({ code }) => code !== 'RL0015')) return problems;
    const before = new Map<number, Token>();
    const places = new Map<string, number>();
    let inBody = false;
    for (const [index, token] of tokens.entries()) {
        const [left, right] = [tokens[index - 1], tokens[index + 1]];
        const isSpaced = left !== undefined && right !== undefined && left.end < token.start && token.end < right.start;
        if (token.kind === 'arrow' && inBody && isSpaced) before.set(token.start, left);
        if (token.kind === 'variable' && inBody) places.set(token.text, (places.get(token.text) ?? 0) + 1);
        inBody ||= token.kind === 'arrow';
    }
    return problems.map(problem => {
        const variable = problem.code === 'RL0015' ? before.get(problem.span.start) : undefined;
        if (variable?.kind !== 'variable' || places.get(variable.text) !== 1) return problem;
        return withForm(clauseProblem('RL0048', problem.span, '<-'), '=');
    });
}

/** A mistake that the grammar may understand: lowering finds it, and others beside it. */
export function mayBeUnderstood({ code, arguments: [, found] = [] }: ClauseProblem): boolean {
    return LOWERED.has(code) || found === '<-';
}

const LOWERED: ReadonlySet<string> = new Set(['RL0010', 'RL0044', 'RL0047']);

/** Every bracket is closed, each by one of its own kind: no clause is understood where one is not. */
function isClosed(tokens: readonly Token[]): boolean {
    const open: string[] = [];
    for (const { kind, text } of tokens) {
        if (kind !== 'mark') continue;
        if ('([{'.includes(text)) open.push(text);
        else if (')]}'.includes(text) && open.pop() !== '([{'.charAt(')]}'.indexOf(text))) return false;
    }
    return open.length === 0;
}

/** Annotations without the dot between them are understood all the same: RL0001 is the only error that breaks nothing. */
function isBreaking(problem: ClauseProblem): boolean {
    return problem.severity === 'error' && problem.code !== 'RL0001';
}

/** Tokens that no clause may have: the grammar need not be asked. */
const HOPELESS: ReadonlySet<Token['kind']> = new Set([
    'malformed-number',
    'unterminated-string',
    'unterminated-query',
    'unknown-operator',
    'foreign-comment',
    'directive',
    'member',
    'range',
    'lookalike',
    'stray',
]);

function undiagnosed(text: string, parsed: GrammarResult | undefined): ClauseProblem {
    if (parsed?.kind === 'failed') return clauseProblem('RL0017', { start: 0, end: text.length }, say`too many parts to be read`);
    const start = Math.min(parsed?.kind === 'refused' ? parsed.offset : 0, text.length - 1);
    const span = { start, end: start + 1 };
    return clauseProblem('RL0005', span, say`a clause`, text.slice(span.start, span.end));
}

function broken(text: string, tokens: readonly Token[], problems: readonly ClauseProblem[]): ParsedClause {
    return { content: { kind: 'broken', span: { start: 0, end: text.length }, annotations: [], mentions: mentions(tokens) }, problems };
}

/** Every name, which may be meant as a predicate, and the predicates that annotations name in their first argument. */
function mentions(tokens: readonly Token[]): string[] {
    const names = new Set<string>();
    for (const [index, { kind, text }] of tokens.entries()) {
        const argument = tokens[index + 2];
        if (kind === 'name') names.add(text);
        else if (kind === 'annotation' && argument?.kind === 'string') names.add(argument.text.slice(1, -1));
    }
    return [...names];
}

/** One problem per mistake: a name misspelt twice is one, and an arrow that is an error is not also a comparison. */
function distinct(problems: readonly ClauseProblem[]): ClauseProblem[] {
    const seen = new Set<string>();
    const errors = new Set(problems.filter(({ severity }) => severity === 'error').map(({ span }) => span.start));
    return problems.filter(({ code, message, span }) => {
        if (code === 'RL0015') return !errors.has(span.start);
        if (code !== 'RL0046') return true;
        const known = seen.has(message);
        seen.add(message);
        return !known;
    });
}
