import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changedText } from '#language/document/text-change.ts';
import { lowerClause } from '#language/lowering/lower-clause.ts';
import { parseWithGrammar } from '#language/syntax/parser.ts';
import { readPlainAnnotation } from '#language/syntax/plain-annotation.ts';
import { readPlainRule } from '#language/syntax/plain-rule.ts';
import { splitClauses } from '#language/syntax/split-clauses.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { generatedText } from '../document/generated-text.ts';
import { randomChange, randomNumbers } from '../document/random-edits.ts';
import { SAMPLE_TEXTS } from './sample-texts.ts';

/** The readers of plain clauses and the grammar agree on a clause, or the reader leaves it to the grammar; gives whether it does. */
function agreement(text: string): 'read' | 'left' {
    const tokens = tokenize(text);
    const plain = readPlainRule(text, tokens) ?? readPlainAnnotation(text, tokens);
    if (plain === undefined) return 'left';
    const parsed = parseWithGrammar(text);
    if (parsed.kind !== 'understood') throw new Error(`The grammar does not understand ${text}`);
    expect({ content: plain, problems: [] }, text).toEqual(lowerClause(parsed.clause, text));
    return 'read';
}

function clausesOf(text: string): string[] {
    return Array.from(splitClauses(text, 'main.rulelang'), ({ place, end }) => text.slice(place.offset, end));
}

const FOLDER = new URL('../../conformance/programs/', import.meta.url);
const PROGRAMS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.rulelang'))
    .map(name => readFileSync(new URL(name, FOLDER), 'utf8'));

describe('what is read without the grammar is what the grammar reads', () => {
    test.each([
        'p(X) <- q(X).',
        'p(X, Y), q(Y) :- r(X,Y) , not s( X ), not t().',
        `p(X) <- q(X, "a b", 1.5, -3, #T, ?least, \${most}, _, _other).`,
        'p(X, S) <- q(X, V), S = sum(V * 2, <X, Y>), T = mcount(<>), N = count().',
        'p(X) <- q(X), X > 1 + 2 * 3 - -X / (4 - X), X <> 2 || X == 3 && X != 4.',
        'p(X, L) <- q(X), L = [1, X, [2]] | {} | {X}, X in L, X !in [], Y = (X), Z = -(X).',
        'p(X) <- math:sqrt(X), starts_with(X, "a"), similarity:x(X, "b") >= 0.9, sum(X).',
        'p(X) <- sum(X, <X>), "a" == X, (X > 1), - - 3 < X, ((X)) = 2, -X - 3 > -(-3).',
        'p(X) <- q(f(X, g(1)), X + 1), % a comment\n    r(X).',
        'p(f(X), X + 1, [X]) <- q(X).',
        '@output("p").',
        '@bind( "p", "csv",% here\n "a", "b.csv" ) .',
        '@a(-1, 2.5).',
        '@a().',
    ])('%s', text => expect(agreement(text)).toBe('read'));

    test.each([
        'p(1).',
        '@a("b") p(X) <- q(X).',
        '@a.',
        '@a(b).',
        '@a("b") @c("d").',
        '@a("b"',
        'p(X) <- q(X)',
        'p(X) <- q(X) r(X).',
        'p(X) <- X < 1 < 2.',
        'p(X) <- f(X = 1).',
        'p(X) <- q(X), X = Y = 2.',
        'p(X) <- q(X), !(X == 1).',
        'p(X) <- not X.',
        'p(X) <- not q(X) > 2.',
        'p(X) <- ~q(X), dom(*).',
        'p(X) <- q(X), X<-3.',
        'p(X) <- q(<X>).',
        'p(X) <- sum(<_>, <X>).',
        "p(X) <- q('a').",
        'p(X) <- q("a\\x").',
        'p(X) <- q(99999999999999999999).',
        'p(X) <- #TC(e).',
        'p(X) <- python:run("fetch").',
        'p(X) <- SELECT a FROM t.',
        'X = Y <- p(X, Y).',
        '#F <- p(X).',
        'dom(X) <- p(X).',
        'm:p(X) <- p(X).',
        'p(X) <- q(X,).',
        'p(X) <- q(2031-04-09), r(null).',
    ])('%s is left to the grammar', text => expect(agreement(text)).toBe('left'));

    test('clauses of programs', () => {
        expect(PROGRAMS.length).toBeGreaterThan(0);
        const found = [...SAMPLE_TEXTS, ...PROGRAMS, generatedText(100, randomNumbers(1))].flatMap(clausesOf).map(agreement);
        expect(found.filter(answer => answer === 'read').length).toBeGreaterThan(found.length / 4);
    });

    test('clauses with random changes', () => {
        const below = randomNumbers(20_777);
        const clauses = [...SAMPLE_TEXTS, generatedText(60, below)].flatMap(clausesOf).filter(text => text.length < 300);
        let read = 0;
        for (let i = 0; i < 1500; i++) {
            let text = clauses[below(clauses.length)] ?? '';
            for (let changes = below(3); changes >= 0; changes--) text = changedText(text, randomChange(text, below));
            for (const clause of clausesOf(text)) if (agreement(clause) === 'read') read++;
        }
        expect(read).toBeGreaterThan(0);
    });
});
