import { describe, expect, test } from 'vitest';
import { Dictionary } from '#engine/values/dictionary.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Notice } from '#server/notices/notice.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import { cutToWidth, textWidth, visible, visibleJson } from '#server/notices/visible-text.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { countsText, noticeText } from '#server/terminal/notice-text.ts';
import { progressText } from '#server/terminal/progress-line.ts';
import { fitWidths } from '#server/terminal/table-layout.ts';
import { valueJson } from '#server/terminal/value-json.ts';

describe('characters that act', () => {
    test('become signs', () => {
        expect(visible('a\u001b[2Jb\u0000\n\t\u007f')).toBe('a␛[2Jb␀␊␉␡');
        expect(visible('\u0085\u202e\u2066\u200f\ufeff\u2028\u{e0041}')).toBe('⟨U+0085⟩⟨U+202E⟩⟨U+2066⟩⟨U+200F⟩⟨U+FEFF⟩⟨U+2028⟩⟨U+E0041⟩');
    });

    test('text, accents and emoji with joiners stay', () => {
        for (const text of ['plain', 'é', 'e\u0301', '日本', '👩‍🚀', 'می‌خواهم']) expect(visible(text)).toBe(text);
    });

    test('in JSON they are escaped, and the value is the same', () => {
        const value = { text: 'a\u001b\u0085\u202e\u{e0041}b' };
        const escaped = visibleJson(JSON.stringify(value, undefined, 2));
        expect(escaped).not.toMatch(/[\u0085\u202e]/);
        expect(escaped).toContain('\n');
        expect(JSON.parse(escaped)).toEqual(value);
    });
});

/** Columns of text, which may be cut. */
function texts(...widths: number[]): { natural: number; least: number }[] {
    return widths.map(natural => ({ natural, least: Math.min(natural, 6) }));
}

test('widths', () => {
    expect(['abc', '日本', 'e\u0301', '😀', ''].map(textWidth)).toEqual([3, 4, 1, 2, 0]);
    expect(cutToWidth('abcdef', 6)).toBe('abcdef');
    expect(cutToWidth('abcdefg', 6)).toBe('abcde…');
    expect(cutToWidth('日本語', 4)).toBe('日…');
    expect(fitWidths(texts(3, 50, 10), 80)).toEqual({ widths: [3, 50, 10], hidden: 0 });
    expect(fitWidths(texts(3, 50, 10), 40)).toEqual({ widths: [3, 23, 10], hidden: 0 });
    const [text, number] = [
        { natural: 30, least: 6 },
        { natural: 12, least: 12 },
    ] as const;
    expect(fitWidths([text, number], 30)).toEqual({ widths: [16, 12], hidden: 0 });
    expect(fitWidths([text, number, number], 30)).toEqual({ widths: [13, 12], hidden: 1 });
    expect(fitWidths([number], 8)).toEqual({ widths: [12], hidden: 0 });
    const narrow = fitWidths(texts(20, 20, 20, 20, 20), 20);
    expect(narrow.hidden).toBe(3);
    expect(narrow.widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(20);
});

describe('notices', () => {
    const text = 'edge("a", "b").\nbad(X) <- edge(X, Y), Z > 3.\n';
    const notice: Notice = {
        severity: 'error',
        code: 'RL2002',
        message: "'Z' is used here but never bound",
        remedy: 'bind it in a positive body atom, or remove the condition',
        place: { file: 'rules/control.rulelang', start: 38, end: 39 },
        related: [],
    };
    const style = { colour: colourOf(false), width: 80, sources: new Map([['rules/control.rulelang', sourceText(text)]]) };

    test('a problem with its line, its mark and what helps', () => {
        expect(noticeText({ ...notice, remedy: 'bind it' }, style)).toBe(`error RL2002: 'Z' is used here but never bound
  ┌─ rules/control.rulelang:2:23
2 │ bad(X) <- edge(X, Y), Z > 3.
  │                       ^ bind it
`);
    });

    test('what helps goes below where it does not fit; nothing is wider than the terminal', () => {
        for (const width of [30, 40, 60, 80]) {
            const lines = noticeText(notice, { ...style, width }).split('\n');
            expect(lines.some(line => line.includes('  = bind it'))).toBe(true);
            for (const line of lines.filter(line => !line.includes('┌─'))) expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
    });

    test('long lines are cut around the mark, tabs and wide characters keep it in place', () => {
        const long = `\tlong("${'日'.repeat(60)}", X) <- e(X), Q > 3.`;
        const at = long.indexOf('Q');
        const sources = new Map([['p', sourceText(long)]]);
        const shown = noticeText({ ...notice, place: { file: 'p', start: at, end: at + 1 } }, { ...style, sources }).split('\n');
        const [, , line = '', mark = ''] = shown;
        const before = mark.slice(0, mark.indexOf('^'));
        expect(cutToWidth(`${line}`, 200).includes('…')).toBe(true);
        let width = 0;
        let found = '';
        for (const character of line) {
            if (width === textWidth(before)) found = character;
            width += textWidth(character);
        }
        expect(found).toBe('Q');
    });

    test('related places, data places, places in other files', () => {
        const other: Notice = {
            ...notice,
            related: [{ file: 'rules/control.rulelang', start: 0, end: 4, message: 'defined here' }],
            data: { file: 'data/x.csv', line: 7 },
        };
        expect(noticeText(other, style)).toContain('  ┌─ rules/control.rulelang:1:1\n1 │ edge("a", "b").\n  │ ^^^^ defined here\n');
        expect(noticeText(other, style)).toContain('  ┌─ data/x.csv:7\n');
        expect(noticeText(notice, { ...style, sources: new Map() })).toContain('  ┌─ rules/control.rulelang\n  = bind it');
    });

    test('names that would act are signs', () => {
        expect(noticeText({ ...notice, message: "'\u001b[31m' is odd" }, style)).not.toContain('\u001b');
    });

    test('counts', () => {
        expect(countsText([notice, { ...notice, severity: 'warning' }, { ...notice, severity: 'warning' }])).toBe('1 error, 2 warnings');
        expect(countsText([])).toBe('');
    });
});

test('positions count UTF-16 units from zero', () => {
    const source = sourceText('a\r\n😀b\n');
    expect(positionAt(source, 0)).toEqual({ line: 0, character: 0 });
    expect(positionAt(source, 5)).toEqual({ line: 1, character: 2 });
    expect(positionAt(source, 7)).toEqual({ line: 2, character: 0 });
});

test('values as JSON: a struct that looks like a null is told apart', () => {
    const dictionary = new Dictionary();
    const json = (id: number): string => valueJson(dictionary, id, { kind: 'mixed' }, () => 'z1');
    const name = (text: string): number => dictionary.string(text);
    expect(json(dictionary.struct([name('$null'), name('z1')]))).toBe('{"$$null":"z1"}');
    expect(json(dictionary.map([name('$null'), name('z1')]))).toBe('{"$$null":"z1"}');
    expect(json(dictionary.struct([name('$null'), name('z1'), name('__proto__'), dictionary.freshNull('x')]))).toBe(
        '{"$null":"z1","__proto__":{"$null":"z1"}}',
    );
    expect(json(dictionary.bigint(2n ** 53n))).toBe('9007199254740992');
    expect(json(dictionary.bigint(2n ** 53n + 1n))).toBe('"9007199254740993"');
    expect(json(dictionary.set([dictionary.number(1), dictionary.boolean(true)]))).toBe('[1,true]');
});

test('progress', () => {
    const progress = { kind: 'progress', phase: 'evaluating', stratum: 2, strata: 5, round: 1200, facts: 1_288_924 } as const;
    expect(progressText(progress, 812_000.4)).toBe('stratum 2 of 5 · round 1,200 · 1,288,924 rows · 812,000 rows/s');
    expect(progressText({ ...progress, phase: 'loading' }, undefined)).toBe('reading sources · 1,288,924 rows');
    const filling = { name: 'control', rows: 1_204_331 };
    expect(progressText({ ...progress, filling }, undefined)).toBe(
        'stratum 2 of 5 · round 1,200 · control: 1,204,331 rows · 1,288,924 in all',
    );
    expect(progressText({ ...progress, phase: 'loading', facts: 0, filling }, undefined)).toBe('reading sources · control: 1,204,331 rows');
});

test('nearest names', () => {
    expect(nearestName('rnu', ['run', 'check'])).toBe('run');
    expect(nearestName('fromat', ['format', 'output'])).toBe('format');
    expect(nearestName('xyz', ['run', 'check'])).toBeUndefined();
});
