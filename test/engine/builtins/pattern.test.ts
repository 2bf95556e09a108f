import { describe, expect, it } from 'vitest';
import { compilePattern } from '#engine/evaluate/builtins/pattern.ts';
import { build } from '../../support/expression-harness.ts';
import { fc } from '../../support/fast-check.ts';
import { checkCalls, textOfCall } from './check-calls.ts';

const { string, missing } = build;

function matches(source: string, text: string): boolean {
    const pattern = compilePattern(source);
    if (!pattern.ok) throw new Error(pattern.reason);
    return pattern.matches(text);
}

describe('rlike', () => {
    checkCalls([
        ['rlike', [string('harbour'), string('b.u')], '#T'],
        ['rlike', [string('harbour'), string('^b')], '#F'],
        ['rlike', [string('harbour'), string('r$')], '#T'],
        ['rlike', [string('harbour\n'), string('r$')], '#F'],
        ['rlike', [string(''), string('')], '#T'],
        ['rlike', [string('a😀b'), string('^a.b$')], '#T'],
        ['rlike', [string('a\u2028b'), string('a.b')], '#F'],
        ['rlike', [string('a\ufeffb'), string('a\\sb')], '#T'],
        ['rlike', [string('Ωmega'), string('^\\p{Script=Greek}')], '#T'],
        ['rlike', [string('omega'), string('^\\P{Lu}+$')], '#T'],
        ['rlike', [string('a'), string('[]')], '#F'],
        ['rlike', [string('\n'), string('[^]')], '#T'],
        ['rlike', [string('2031-04'), string('(?<year>\\d{4})-\\d\\d')], '#T'],
        ['rlike', [string('abab'), string('^(ab)\\1$')], '#T'],
        ['rlike', [string('price 5'), string('(?<=price )\\d')], '#T'],
        ['rlike', [string('a'.repeat(1500)), string('^a{1500}$')], '#T'],
        ['rlike', [missing(), string('a')], 'null'],
        ['rlike', [string('a'), missing()], 'null'],
    ]);

    it.each(['(', 'a**', '\\q', '[b-a]', '\\p{Nonsense}', '(?i:a)', 'a{2,1}', '\\'])('ends the run for the pattern %s', source => {
        expect(() => textOfCall('rlike', string('a'), string(source))).toThrow(/cannot be used/u);
    });

    it('takes patterns of up to 8 KiB', () => {
        expect(compilePattern('a'.repeat(8192)).ok).toBe(true);
        expect(compilePattern('a'.repeat(8193))).toEqual({ ok: false, reason: 'it is longer than 8 KiB' });
        expect(compilePattern('ä'.repeat(4097)).ok).toBe(false);
        expect(compilePattern(`${'('.repeat(300)}${')'.repeat(300)}`).ok).toBe(true);
        expect(() => compilePattern(`${'('.repeat(4096)}${')'.repeat(4096)}`)).not.toThrow();
    });
});

describe('a pattern', () => {
    const literal = fc.constantFrom(
        'a',
        'b',
        'A',
        '1',
        '_',
        ' ',
        'ä',
        '😀',
        '\\n',
        '\\u2028',
        '\\u{1f600}',
        '\\x41',
        '\\t',
        '\\.',
        '-',
        '\\cJ',
        '\\x00',
    );
    const set = fc.constantFrom(
        '.',
        '\\d',
        '\\D',
        '\\s',
        '\\S',
        '\\w',
        '\\W',
        '\\p{L}',
        '\\P{Lu}',
        '\\p{Script=Greek}',
        '\\p{Any}',
        '\\p{Emoji}',
    );
    const member = fc.oneof(
        literal.filter(text => text !== '-'),
        set.filter(text => text !== '.'),
        fc.constantFrom('a-z', '0-9', '\\b', '\\-'),
    );
    const characterClass = fc
        .tuple(fc.boolean(), fc.array(member, { maxLength: 3 }))
        .map(([negated, members]) => `[${negated ? '^' : ''}${members.join('')}]`);
    const assertion = fc.constantFrom('^', '$', '\\b', '\\B');
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,2}', '{2,}?');
    const { pattern } = fc.letrec<{ pattern: string; atom: string; piece: string }>(tie => ({
        atom: fc.oneof(
            { depthSize: 'small' },
            literal,
            set,
            characterClass,
            tie('pattern').map(inner => `(?:${inner})`),
            tie('pattern').map(inner => `(${inner})`),
        ),
        piece: fc.oneof(
            { weight: 5, arbitrary: fc.tuple(tie('atom'), quantifier).map(([atom, times]) => atom + times) },
            { weight: 1, arbitrary: assertion },
        ),
        pattern: fc
            .array(
                fc.array(tie('piece'), { maxLength: 3 }).map(pieces => pieces.join('')),
                { minLength: 1, maxLength: 2 },
            )
            .map(alternatives => alternatives.join('|')),
    }));
    const text = fc.string({
        unit: fc.constantFrom('a', 'b', 'A', '1', '_', ' ', 'ä', '😀', '\n', '\r', '\u2028', '\u00a0', '\ufeff', 'Ω', '-', '.', '\0'),
        maxLength: 6,
    });

    it('matches where the built-in one with the u flag does', () => {
        fc.assert(
            fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (source, texts) => {
                const expression = new RegExp(source, 'u');
                // V8 finds `\B` inside of a surrogate pair, where the standard has no position.
                const usable = texts.map(one => (source.includes('\\B') ? one.replaceAll('😀', 'ä') : one));
                for (const one of usable) expect(matches(source, one), JSON.stringify(one)).toBe(expression.test(one));
            }),
            { numRuns: 300 },
        );
    });

    it('is usable where the built-in one is', () => {
        const noise = fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|^$\\.-,1dpsu<>=!:'), maxLength: 8 });
        fc.assert(
            fc.property(noise, source => {
                let valid = true;
                try {
                    new RegExp(source, 'u');
                } catch {
                    valid = false;
                }
                expect(compilePattern(source).ok).toBe(valid);
            }),
            { numRuns: 1000 },
        );
    });

    it.each(['(a+)+$', '(a|aa)+$', '(.*a){20}$', '(a*)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])('%s takes linear time', source => {
        expect(matches(source, `${'a'.repeat(20_000)}!`)).toBe(false);
    });
});
