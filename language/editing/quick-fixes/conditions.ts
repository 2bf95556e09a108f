import { functionNamed } from '#language/library/function-catalogue.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { closingBrackets } from '#language/symbols/closing-brackets.ts';
import type { Token } from '#language/syntax/token.ts';
import { depthsOf, endBefore, itemAround, operandsBeside, splitAt } from './clause-parts.ts';
import { type Fix, type FixRequest, insertion, meantName, otherFix, preferredFix, replaceMarked, replacement, writtenText } from './fix.ts';

/** RL0040; a `-` that touches the arrow belongs to it. */
export function* writeNot(request: FixRequest): Iterable<Fix> {
    const { problem, marked, tokens } = request;
    const arrow = tokens.find(({ kind }) => kind === 'arrow');
    if (marked === '-' && arrow?.end === problem.span.start) {
        yield preferredFix(request, say`Remove '-'`, { start: arrow.end, end: problem.span.end, text: '' });
        return;
    }
    yield preferredFix(request, say`Replace with 'not'`, replacement(request.problem.span, 'not '));
}

/** RL0041: an atom without parentheses around it, else `!` and parentheses around the rest of the item. */
export function* writeExclamation(request: FixRequest): Iterable<Fix> {
    const { problem, text, tokens } = request;
    const atom = atomInside(request);
    if (atom !== undefined) {
        const written = text.slice(atom.start, atom.end);
        const end = tokens.find(({ start }) => start >= atom.end)?.end ?? atom.end;
        yield preferredFix(request, say`Write 'not ${written}'`, { start: problem.span.start, end, text: `not ${written}` });
        return;
    }
    const operand = tokens.findIndex(({ start }) => start >= problem.span.end);
    const first = tokens[operand];
    const item = itemAround(tokens, problem.span.start);
    const depths = depthsOf(tokens);
    const own = depths[tokens.findIndex(({ start }) => start === problem.span.start)] ?? 0;
    const outside = tokens.find(
        ({ start, kind }, index) => index > operand && kind === 'mark' && ((depths[index] ?? 0) < own || (start >= item.end && own === 0)),
    );
    const end = own === 0 ? item.end : (outside?.start ?? item.end);
    if (first === undefined || first.start >= end) return;
    const inside = text.slice(first.start, end);
    const closed = first.text === '(' && closingBrackets(tokens).get(operand) === tokens.findIndex(token => token.end === end);
    const negated = closed ? `!${inside}` : `!(${inside})`;
    yield preferredFix(request, say`Write '${negated.length > 40 ? '!(…)' : negated}'`, { start: problem.span.start, end, text: negated });
}

/** The atom in the parentheses behind a `not`: no function is called so. */
function atomInside({ problem, tokens }: FixRequest): Span | undefined {
    const index = tokens.findIndex(({ start }) => start === problem.span.start) + 1;
    const [open, name, inner] = tokens.slice(index, index + 3);
    const closing = closingBrackets(tokens);
    const close = closing.get(index + 2) ?? -1;
    const isAtom = open?.text === '(' && name?.kind === 'name' && inner?.text === '(' && closing.get(index) === close + 1;
    const end = tokens[close]?.end;
    return isAtom && end !== undefined && functionNamed(name.text) === undefined ? { start: name.start, end } : undefined;
}

/** RL0042: the rule once for each alternative. */
export function* splitAlternatives(request: FixRequest): Iterable<Fix> {
    const { problem, text, tokens, clause } = request;
    const item = itemAround(tokens, problem.span.start);
    const operator = request.marked;
    const alternatives = splitAt(item.tokens, token => token.text === operator && token.kind === 'operator');
    if (operator.startsWith('&')) {
        const commas = item.tokens.filter(({ kind, text: written }) => kind === 'operator' && written === operator);
        const edits = commas.map(({ start, end }) => ({ start: endBefore(tokens, start), end, text: ',' }));
        yield preferredFix(request, say`Replace with ','`, ...edits);
        return;
    }
    if (alternatives.length < 2 || clause.annotations.length > 0) return;
    const rules = alternatives.map(({ start, end }) => text.slice(0, item.start) + text.slice(start, end) + text.slice(item.end));
    yield preferredFix(request, say`Split into ${rules.length} rules`, { start: 0, end: text.length, text: rules.join('\n') });
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<>', '<', '<=', '>', '>=', 'in', '!in']);
const CONNECTIVES: ReadonlySet<string> = new Set(['&&', '||', '!', '=', 'not', '~']);

/** RL0043: one comparison after the other, for a chain that is a whole item. */
export function* splitComparison(request: FixRequest): Iterable<Fix> {
    const { problem, text, tokens } = request;
    const item = itemAround(tokens, problem.span.start);
    const depths = depthsOf(item.tokens);
    const outside = item.tokens.filter((_, index) => depths[index] === 0);
    const operators = outside.filter(isComparison);
    const equalities = outside.filter(({ text: word, kind }) => kind === 'operator' && word === '=');
    const separates = equalities.length > 1 ? (token: Token): boolean => isComparison(token) || token.text === '=' : isComparison;
    if (equalities.length > 1) operators.push(...equalities);
    if (equalities.length > 0 && outside.some(({ text: word }) => word === '&&' || word === '||')) {
        yield preferredFix(request, say`Replace '=' with '=='`, ...equalities.map(sign => replacement(sign, '==')));
        return;
    }
    if (outside.some(({ text: word, kind }) => kind.endsWith('operator') && CONNECTIVES.has(word) && !separatesAll(word, equalities)))
        return;
    const operands = splitAt(item.tokens, separates).map(({ start, end }) => text.slice(start, end));
    if (operators.length < 2 || operands.length !== operators.length + 1) return;
    const comparisons = operators.map(({ text: operator }, index) => `${operands[index]} ${operator} ${operands[index + 1]}`);
    yield preferredFix(request, say`Write separate comparisons`, replacement(item, comparisons.join(', ')));
}

function separatesAll(word: string, equalities: readonly Token[]): boolean {
    return word === '=' && equalities.length > 1;
}

function isComparison({ kind, text }: Token): boolean {
    return (kind === 'operator' || kind === 'word-operator') && COMPARISONS.has(text);
}

/** RL0048: the operator of this language, or the function that replaces it. */
export function* replaceOperator(request: FixRequest): Iterable<Fix> {
    const { problem, marked, tokens, text } = request;
    const meant = writtenText(request);
    const called = meantName(request);
    if (called !== undefined) {
        yield* writeCall(request, called);
        return;
    }
    const index = tokens.findIndex(({ start }) => start === problem.span.start);
    if (meant === '<-') {
        yield* turnArrow(request);
        return;
    }
    if (meant === undefined || (marked === '->' && tokens.some(({ kind }) => kind === 'arrow'))) return;
    if (meant === 'not') {
        const blank = /\s/u.test(text.charAt(problem.span.end)) ? '' : ' ';
        yield* replaceMarked(request, `not${blank}`);
        return;
    }
    if (meant === ',') {
        const start = tokens[index - 1]?.end ?? problem.span.start;
        yield preferredFix(request, say`Replace with ','`, { start, end: problem.span.end, text: ',' });
        yield otherFix(request, say`Replace with '&&'`, replacement(problem.span, '&&'));
        return;
    }
    yield* replaceMarked(request, meant);
}

/** `head -> body`, or `body -> head` where the program derives what stands left, and nothing what stands right. */
function* turnArrow(request: FixRequest): Iterable<Fix> {
    const { problem, tokens, text, document } = request;
    if (tokens.some(({ kind }) => kind === 'arrow')) return;
    const dot = tokens.find(({ kind }) => kind === 'dot');
    const left = text.slice(0, endBefore(tokens, problem.span.start));
    const right = text.slice(problem.span.end, dot?.start ?? text.length).trim();
    const isDefined = (part: string): boolean => {
        const [, name = ''] = /^(\w+)\s*\(/u.exec(part) ?? [];
        return document.analysed.predicatesNamed(name).some(({ rules, facts, input }) => rules.length + facts.length > 0 || input);
    };
    const turned = isDefined(left) && !isDefined(right);
    const both = { start: 0, end: dot?.start ?? text.length, text: `${right} <- ${left}` };
    const keep = { ...preferredFix(request, say`Replace with '<-'`, replacement(problem.span, '<-')), preferred: !turned };
    const turn = { ...preferredFix(request, say`Write '${both.text}'`, both), preferred: turned };
    yield* turned ? [turn, keep] : [keep, turn];
}

/** The operands beside the operator become arguments. */
function* writeCall(request: FixRequest, name: string): Iterable<Fix> {
    const { problem, tokens, text } = request;
    const [left, right] = operandsBeside(tokens, problem.span.start);
    if (left === undefined || right === undefined) return;
    const written = `${name}(${text.slice(left.start, left.end)}, ${text.slice(right.start, right.end)})`;
    yield preferredFix(request, say`Write '${name}(…)'`, { start: left.start, end: right.end, text: written });
}

/** RL2005: `=` for the `==` behind the variable. */
export function* writeAssignment(request: FixRequest): Iterable<Fix> {
    const operator = operatorAfter(request, '==');
    if (operator !== undefined) yield preferredFix(request, say`Replace '==' with '='`, replacement(operator, '='));
}

/** RL9024: `==` for the `=` behind the variable. */
export function* writeComparison(request: FixRequest): Iterable<Fix> {
    const operator = operatorAfter(request, '=');
    if (operator !== undefined) yield preferredFix(request, say`Replace '=' with '=='`, replacement(operator, '=='));
}

function operatorAfter({ tokens, problem }: FixRequest, text: string): Token | undefined {
    const next = tokens.find(({ start }) => start >= problem.span.end);
    return next?.text === text ? next : undefined;
}

/** RL2006 */
export function* swapSides(request: FixRequest): Iterable<Fix> {
    const { problem, text, tokens } = request;
    const item = itemAround(tokens, problem.span.start);
    const sides = splitAt(item.tokens, token => token.text === '=' && token.kind === 'operator');
    const [left, right] = sides;
    if (left === undefined || right === undefined || sides.length !== 2) return;
    const swapped = `${text.slice(right.start, right.end)} = ${text.slice(left.start, left.end)}`;
    if (/^[A-Z]\w*$/.test(text.slice(right.start, right.end))) yield preferredFix(request, say`Swap the sides`, replacement(item, swapped));
}

/** RL7102: the variables of the call become the terms of the head. */
export function* moveVariablesToHead(request: FixRequest): Iterable<Fix> {
    const { problem, text, tokens } = request;
    const closing = closingBrackets(tokens);
    const open = tokens.findIndex(({ start }) => start === problem.span.start);
    const close = tokens[closing.get(open) ?? -1];
    const headClose = tokens[closing.get(1) ?? -1];
    const headOpen = tokens[1];
    const call = tokens[open - 1];
    if (close === undefined || headClose === undefined || headOpen?.text !== '(' || call === undefined) return;
    const variables = text.slice(problem.span.end, close.start);
    yield preferredFix(
        request,
        say`Move the variables to the head`,
        { start: headOpen.end, end: headClose.start, text: variables.trim() },
        { start: call.end, end: close.end, text: '' },
    );
}

/** RL1107: a variable in the atom, and its comparison behind it. */
export function* extractTerm(request: FixRequest, variable: string): Iterable<Fix> {
    const { problem, marked, tokens } = request;
    const item = itemAround(tokens, problem.span.start);
    const edits = [replacement(problem.span, variable), insertion(item.end, `, ${variable} == ${marked}`)];
    yield preferredFix(request, say`Compare '${variable}' with it`, ...edits);
}
