import { describe, expect, test } from 'vitest';
import { queryConcept } from '#language/tools/query-concept.ts';

const RELATIONS = [
    {
        name: 'owns',
        columns: [
            { name: 'owner', type: 'STRING' },
            { name: 'percent', type: 'INT' },
        ],
    },
    // It has no columns before it has run.
    { name: 'town', columns: [] },
];

/** Each problem with the words that it marks. */
function problems(text: string): string[] {
    return queryConcept(text, RELATIONS)
        .problems()
        .map(({ code, severity, message, remedy, start, end }) => `${severity} ${code} [${text.slice(start, end)}] ${message}; ${remedy}`);
}

/** What may be written at `|`, for the word before it. */
function completed(marked: string): string[] {
    const offset = marked.indexOf('|');
    const found = queryConcept(marked.replace('|', ''), RELATIONS).completions(offset);
    return found?.items.map(({ label }) => label) ?? [];
}

describe('a query over other concepts', () => {
    test('is told unknown tables and columns at their places, with the nearest name', () => {
        expect(problems('SELECT owner, percnt\nFROM owns')).toEqual([
            "error RL7006 [percnt] Unknown column 'percnt' of 'owns'; did you mean 'percent'?",
        ]);
        expect(problems('SELECT x FROM onws')).toEqual([
            "warning RL7003 [onws] Table 'onws' is not a predicate or CTE; did you mean 'owns'?",
        ]);
    });

    test.each([
        'SELECT owner, percent FROM OWNS o WHERE o.percent > 50',
        'WITH a AS (SELECT owner AS x FROM owns) SELECT x, count(*) AS n FROM a GROUP BY x',
        'SELECT anything FROM town',
        // While it is written, nothing is said that is only true of what is there so far.
        'SELECT o. FROM owns o',
        "SELECT 'a. b' AS x FROM owns -- so. far\n",
        'SELECT',
        '',
    ])('is told nothing in %j', text => {
        expect(problems(text)).toEqual([]);
    });

    test('is completed with concepts and their columns', () => {
        expect(completed('SELECT * FROM |')).toEqual(expect.arrayContaining(['owns', 'town']));
        expect(completed('SELECT * FROM |')).not.toContain('query');
        expect(completed('SELECT * FROM ow|')).toEqual(['owns', 'town']);
        expect(completed('SELECT o.| FROM owns o')).toEqual(['owner', 'percent']);
        expect(completed('SELECT own| FROM owns')).toContain('owner');
        expect(completed('|')).toEqual([]);
    });

    test('has cards for its tables and columns, and knows which concept a table is', () => {
        const text = 'SELECT percent FROM Owns';
        const query = queryConcept(text, RELATIONS);
        const at = text.indexOf('Owns') + 1;
        expect(query.hover(at)?.markdown).toContain('owns(owner: string, percent: int)');
        expect(text.slice(query.hover(at)?.start, query.hover(at)?.end)).toBe('Owns');
        expect(query.hover(text.indexOf('percent'))?.markdown).toContain('percent: int');
        expect(query.tableAt(at)).toBe('owns');
        expect(query.tableAt(0)).toBeUndefined();
    });
});
