import { describe, expect, test } from 'vitest';
import { SYNTAX_PROBLEMS } from '#language/problems/syntax-catalogue.ts';
import { readProgram } from '#language/read-program.ts';
import { markedText, problemsOf } from './marked-text.ts';

/** Codes in text order, and a text whose marks are their ranges. */
const FIXTURES: readonly (readonly [codes: string, marked: string])[] = [
    ['RL0001', 'p(1«)»\nq(2).'],
    ['RL0001', 'p(1«)»\n'],
    ['RL0001', 'h(X) <- p(X), X > «5»\nq(2).'],
    ['RL0001', 'h(X) <- p(X«)»\ng(X) <- q(X).'],
    ['RL0001', 'p(1«)» q(2).'],
    ['RL0001', '@output("p"«)» @output("q").'],
    ['RL0001', '@output("p"«)»\n@output("q"). p(1).'],
    ['RL0001', '@output("p"«)»'],
    ['RL0002', 'h(X) <- p(X«)» q(X).'],
    ['RL0002', 'h(X) <- p(X«)»\n    q(X).'],
    ['RL0002', 'h(X) <- X > «3» q(X).'],
    ['RL0002', 'h(X) <- p(X«)» not q(X).'],
    ['RL0003', 'p(1) «<-» .'],
    ['RL0003', 'p(X) «:-»'],
    ['RL0004', '@a("x")«,» p(1).'],
    ['RL0005', 'h(X «<-» p(X).'],
    ['RL0005', 'h(X) <- p(X) «<-» q(X).'],
    ['RL0005', 'p(X) «=» q(X).'],
    ['RL0005', 'p(X) <- q(X)«)».'],
    ['RL0005', 'p(X) <- q(«,»X).'],
    ['RL0005', 'p(X) <- q(X), X > «.»'],
    ['RL0005', 'p(X) <- q(X), «,» r(X).'],
    ['RL0005', 'p(«1 + 2»).'],
    ['RL0005', 'h(X) <- p(X), (X «=» 3).'],
    ['RL0005', 'h(X«<-»3) <- p(X).'],
    ['RL0005', 'X = Y«.»'],
    ['RL0005', 'X «+» 1 = Y <- p(X, Y).'],
    ['RL0005', 'h(X) <- p(X), S = sum(X, <«_»>).'],
    ['RL0005', '«math:x»(X) <- p(X).'],
    ['RL0005', 'h(X) <- p(X), X > «$»{thr.'],
    ['RL0005', '«"a"».'],
    ['RL0006', 'p(«[»1, 2.'],
    ['RL0006', 'p(X) <- q«(»X, Y, r(Y).'],
    ['RL0006', 'p«(»1'],
    ['RL0007', 'p(1). «p»'],
    ['RL0007', 'p(1).\n«X = Y»\n'],
    ['RL0008', 'h(X) <- p(X)«,» .'],
    ['RL0008', 'h(X) <- p(X, Y«,»).'],
    ['RL0008', 'p([1«,»]).'],
    ['RL0008', 'p(1)«,» .'],
    ['RL0010', 'p(1).«.»'],
    ['RL0010', 'h(X) <- p(X), X > 1.«.»'],
    ['RL0011', 'h(X) <- p(Y), X = «.5».'],
    ['RL0011', 'p(«.5», 1).'],
    ['RL0012', 'h(X) <- p(X), X > «1.5.3».'],
    ['RL0012', 'p(«1_000»).'],
    ['RL0012', 'p(«12abc»).'],
    ['RL0013', 'p(«2031-02-30»).'],
    ['RL0013', 'p(«0000-01-01»).'],
    ['RL0013', 'p(«2031-13-40», 1).'],
    ['RL0013', 'p(«2031-04-09 25:00:00»).'],
    ['RL0014', 'p(«99999999999999999999»).'],
    ['RL0014', 'h(X) <- p(X), X > «9223372036854775808».'],
    ['RL0015', 'h(X) <- p(X), X«<-»3.'],
    ['RL0015', 'h(X) <- p(X, Y), X«<-»Y.'],
    ['RL0015', 'h(X) <- p(X), (X«<-»3 || X > 5).'],
    ['RL0016', 'p(«/»).'],
    ['RL0016', 'p(1, «/», 2).'],
    ['RL0017', `p(${'['.repeat(99)}«[»${']'.repeat(100)}).`],
    ['RL0017', `h(X) <- ${'p(X),'.repeat(20_000)}p«(»X).`],
    ['RL0017', `p([${'1,'.repeat(99_999)}1], {2«,»3}).`],
    ['RL0017', `h(X) <- p(X), X > 1${'+1'.repeat(999)}«+»1.`],
    ['RL0020', 'p(«"ab).»'],
    ['RL0020', 'p(«"ab).»\nq("c").'],
    ['RL0020', 'h(X) <- p(X, «"abc),»\n    q(X).\ng("x", "y").'],
    ['RL0021', "p(«'a'»)."],
    ['RL0021', "h(X) <- p(X), X == «'it''s'»."],
    ['RL0022', 'p("«\\d»+").'],
    ['RL0022 RL0022', 'p("\\n\\\\«\\d»", "«\\s»").'],
    ['RL0030', 'h(X) <- p(X), Y = «#x».'],
    ['RL0030', '«#» note\np(1).'],
    ['RL0030', '«#note» that\np(1).'],
    ['RL0031', '«//» note\np(1).'],
    ['RL0031', '«--» note. More\np(1).'],
    ['RL0031', '«/*» note.\nmore */ p(1).'],
    ['RL0031', 'h(X) <- p(X),\n    «//» why\n    q(X).'],
    ['RL0032', 'p(1)«;»'],
    ['RL0032', 'p(1)«;»\nq(1).'],
    ['RL0032', 'p(X) <- q(X) «;» r(X).'],
    ['RL0041', 'h(X) <- p(X), «not» X > 3.'],
    ['RL0041', 'h(X) <- p(X), «not» (p(X)).'],
    ['RL0041', 'h(X) <- p(X), «~» X.'],
    ['RL0043', 'h(X) <- p(X), 1 < X «<» 5.'],
    ['RL0043', 'h(X) <- p(X), X = Y «=» 5.'],
    ['RL0044', 'h(X) <- p(X), «dom(X)».'],
    ['RL0045', '«Person»(X) <- p(X).'],
    ['RL0045', 'h(X) <- «Person»(X).'],
    ['RL0046', 'h(«x») <- p(x).'],
    ['RL0046 RL0046', 'h(X) <- p(«a», «b»).'],
    ['RL0047', '«not»(X) <- p(X).'],
    ['RL0047', '«in»(X) <- p(X).'],
    ['RL0047', '«dom»(X) <- p(X).'],
    ['RL0047', '«null»(X) <- p(X).'],
    ['RL0048', 'h(X) <- p(X), X «===» 1.'],
    ['RL0048', 'h(X) <- p(X), X «=<» 3.'],
    ['RL0048', 'h(X) <- p(X), Y = X «**» 2.'],
    ['RL0048', 'h(X) <- p(X, Y), X «and» Y.'],
    ['RL0048', 'h(X) <- p(X, Y), X > 1 «or» (Y > 2).'],
    ['RL0050', '«größe»(1).'],
    ['RL0049', 'p(1), «q(2)».'],
    ['RL0049', 'p(1), «X > 3».'],
    ['RL0049', 'p(1), «not q(2)».'],
    ['RL2010', 'h(X) <- «#TC»(e), p(X).'],
    ['RL6002', 'p(1)«@»[1,2).'],
    ['RL7002', 'p() <- SELECT a FROM t WHERE a = «1»'],
    ['RL7002', 'p() <- SELECT a FROM t WHERE a = «1»\nq(X) <- r(X).'],
    ['RL7102', 't(X, Y) <- #TC(e)«(»X, Y).'],
    ['RL7102', 't(X, Y) <- #TC(«e(X, Y)»).'],
];

describe('every syntax problem is found at its smallest range', () => {
    test.each(FIXTURES)('%s in %j', (codes, marked) => {
        const { text, ranges } = markedText(marked);
        const expected = codes.split(' ').map((code, index) => `${code}@${ranges[index]?.join('-')}`);
        expect(problemsOf(text)).toEqual(expected);
    });

    test('every code of the family has a fixture', () => {
        const covered = new Set(FIXTURES.flatMap(([codes]) => codes.split(' ')));
        expect(Object.keys(SYNTAX_PROBLEMS).filter(code => !covered.has(code))).toEqual([]);
    });

    test.each(Object.entries(SYNTAX_PROBLEMS))('the example of %s has that problem and no other error', (code, entry) => {
        const { problems } = readProgram(entry.example, 'main.rulelang');
        expect(problems.map(problem => problem.code)).toContain(code);
        expect(problems.filter(problem => problem.severity === 'error' && problem.code !== code)).toEqual([]);
    });
});
