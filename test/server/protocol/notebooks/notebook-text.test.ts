import { describe, expect, test } from 'vitest';
import { notebookProgram, queryName } from '#server/protocol/notebooks/notebook-program.ts';
import { type Notebook, type NotebookCell, readNotebook, USUAL_FORM, writeNotebook } from '#server/protocol/notebooks/notebook-text.ts';
import { fc } from '../../../support/fast-check.ts';

const TEXT = `# Ways

Who reaches whom.

\`\`\`rulelang
edge("a", "b").
reach(X, Y) <- edge(X, Y).
\`\`\`

\`\`\`js
let x = 1;
\`\`\`

\`\`\`sql
-- far(N) <-
SELECT COUNT(*) FROM reach;
\`\`\`

The end.
`;

describe('a notebook', () => {
    test('is Markdown whose blocks of rules, SQL and Python are cells', () => {
        expect(cellsOf(TEXT)).toEqual([
            ['markdown', '# Ways\n\nWho reaches whom.'],
            ['rulelang', 'edge("a", "b").\nreach(X, Y) <- edge(X, Y).'],
            ['markdown', '```js\nlet x = 1;\n```'],
            ['sql', '-- far(N) <-\nSELECT COUNT(*) FROM reach;'],
            ['markdown', 'The end.'],
        ]);
    });

    test('has cells of other languages where a fence says so, and none within fences, comments and marks', () => {
        const text = '```js cell\nlet x;\n```\n~~~md\n```rulelang\n```\n~~~\n<!-- one\n```sql\n-->\n  ```rulelang\n  ```\n';
        expect(cellsOf(text)).toEqual([
            ['js', 'let x;'],
            ['markdown', text.split('\n').slice(3, -1).join('\n')],
        ]);
        expect(cellsOf('<!-- cell 1 -->\n\n```rulelang\n```\n<!-- end 1 -->\n')).toEqual([['markdown', '\n```rulelang\n```']]);
    });

    test('is written in a form that reads as the same cells', () => {
        expect(
            written([
                ['markdown', 'One.'],
                ['markdown', 'Two.'],
                ['markdown', ''],
                ['markdown', '```rulelang\np(1).\n```'],
                ['rulelang', 'q(1).\n% ```'],
                ['sql', '```'],
                ['cypher', ''],
            ]),
        ).toBe(
            'One.\n\n<!-- cell -->\n\nTwo.\n\n<!-- cell -->\n\n<!-- cell 1 -->\n```rulelang\np(1).\n```\n<!-- end 1 -->\n\n```rulelang\nq(1).\n% ```\n```\n\n````sql\n```\n````\n\n```cypher cell\n```\n',
        );
    });

    test('keeps the lines of cells that nobody changed', () => {
        const text = '\n\n~~~~rulelang   numbered\nedge("a", "b").\n\n~~~~\nprose  \n\n\n\n````sql\n-- n() <-\n````   ';
        const { cells, form } = readNotebook(text);
        expect(writeNotebook({ cells, form })).toBe(text);
        const changed = cells.map(cell => (cell.language === 'sql' ? { ...cell, text: 'SELECT 1' } : cell));
        expect(writeNotebook({ cells: changed, form })).toBe(text.replace(/````sql.*/su, '```sql\nSELECT 1\n```'));
    });

    test('every text is one, and comes out as it was', () => {
        fc.assert(
            fc.property(texts, text => {
                expect(writeNotebook(readNotebook(text))).toBe(text);
            }),
            { numRuns: 2000 },
        );
    });

    test('every list of cells is one, also where cells of a file were changed, moved and removed', () => {
        fc.assert(
            fc.property(texts, fc.array(cells, { maxLength: 5 }), fc.infiniteStream(fc.nat({ max: 30 })), (text, added, choices) => {
                const { cells: read, form } = readNotebook(text);
                const mixed = [...read, ...added].map(cell => ({ cell, at: choices.next().value ?? 0 }));
                const chosen = mixed
                    .filter(({ at }) => at > 5)
                    .sort((a, b) => a.at - b.at)
                    .map(({ cell, at }) => (at > 20 ? { ...cell, text: cell.text.slice(1) } : cell));
                expect(plainCells(readNotebook(writeNotebook({ cells: chosen, form })))).toEqual(plainCells({ cells: chosen, form }));
            }),
            { numRuns: 2000 },
        );
    });
});

describe('the program of a notebook', () => {
    test('stands where it stands in the notebook', () => {
        const program = notebookProgram(TEXT);
        expect(program).toHaveLength(TEXT.length);
        expect(program.split('\n').map(line => line.trimEnd())).toEqual(
            TEXT.split('\n').map((line, i) => {
                if ([5, 6].includes(i)) return line;
                return { 14: '   far(N) <-', 15: 'SELECT COUNT(*) FROM reach', 16: '.' }[i] ?? '';
            }),
        );
    });

    test('has the length and the line breaks of any notebook', () => {
        fc.assert(
            fc.property(texts, text => {
                const breaks = (of: string): string[] => [...of.matchAll(/[\r\n]/gu)].map(({ index, 0: sign }) => `${index}${sign}`);
                const program = notebookProgram(text);
                expect(program).toHaveLength(text.length);
                expect(breaks(program)).toEqual(breaks(text));
            }),
            { numRuns: 1000 },
        );
    });

    test('has comments of a query before its first word', () => {
        expect(notebookProgram('```sql\n-- far(N) <-\n-- chart: bar\n\nSELECT 1 -- one\n```')).toBe(
            '      \n   far(N) <-\n%% chart: bar\n\nSELECT 1 -- one\n.  ',
        );
    });

    test('has no query without a head', () => {
        expect(notebookProgram('```sql\nSELECT 1\n```').trim()).toBe('');
        expect(queryName('-- far (A, B) <-\nSELECT 1, 2')).toBe('far');
        expect(queryName('-- far\nSELECT 1')).toBeUndefined();
    });
});

/** Lines of which notebooks are made, and some that only look so. */
const line = fc.constantFrom(
    '',
    ' ',
    'prose',
    'p(1).',
    '-- n() <-',
    'SELECT 1;',
    '```',
    '````',
    '~~~',
    '```rulelang',
    '````sql big',
    '~~~python',
    '```js',
    '```js cell',
    '  ```rulelang',
    '``` rulelang ``` x',
    '<!-- cell -->',
    '<!-- cell 1 -->',
    '<!-- end 1 -->',
    '<!--',
    '-->',
    '<!-- a --> b',
    'é😀',
);
const texts = fc
    .tuple(
        fc.constantFrom('', '\ufeff'),
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\n', '\r\n')), { maxLength: 14 }),
        fc.constantFrom('\n', '\r\n', 'mixed'),
    )
    .map(
        ([mark, lines, lineBreak]) =>
            mark +
            lines
                .map(([text, own]) => `${text}${lineBreak === 'mixed' ? own : lineBreak}`)
                .join('')
                .slice(0, lines.length % 3 === 0 ? undefined : -1),
    );
const cells = fc
    .tuple(fc.constantFrom('markdown', 'rulelang', 'sql', 'python', 'js'), fc.array(line, { maxLength: 6 }))
    .map(([language, lines]) => cell(language, lines.join('\n')));

function cell(language: string, text: string): NotebookCell {
    return { kind: language === 'markdown' ? 'markdown' : 'code', language, text };
}

function written(all: readonly [string, string][]): string {
    return writeNotebook({ cells: all.map(([language, text]) => cell(language, text)), form: USUAL_FORM });
}

function cellsOf(text: string): [string, string][] {
    return readNotebook(text).cells.map(({ language, text: own }) => [language, own]);
}

function plainCells({ cells: all }: Notebook): object[] {
    return all.map(({ kind, language, text }) => ({ kind, language, text: text.replaceAll(/\r\n?/gu, '\n') }));
}
