import { describe, expect, test } from 'vitest';
import { readProgram } from '#language/read-program.ts';
import { notebookHtml } from '#server/protocol/notebooks/notebook-html.ts';
import { notebookRules } from '#server/protocol/notebooks/notebook-rules.ts';
import { rowsText } from '#server/protocol/notebooks/rows-html.ts';

const HOSTILE = `<script>alert("1")</script> & 'x'`;

describe('a notebook as a page', () => {
    test('has nothing of its texts as markup, and neither scripts nor other addresses', () => {
        const cells = [
            {
                kind: 'markdown',
                language: 'markdown',
                text: `# ${HOSTILE}\n\n- a **b**\n- [c](javascript:alert(1)) ![d](https://e/f.png)\n\n| a |\n|---|\n| ${HOSTILE} |\n\n\`\`\`\n${HOSTILE}\n\`\`\``,
            },
            {
                kind: 'code',
                language: HOSTILE,
                text: HOSTILE,
                outputs: [
                    {
                        kind: 'rows',
                        count: HOSTILE,
                        shown: {
                            columns: [{ name: HOSTILE, shape: 'text' }],
                            cells: [[HOSTILE], [{ null: HOSTILE }], [{ text: HOSTILE, length: 400 }]],
                        },
                    },
                    { kind: 'message', message: HOSTILE },
                ],
            },
        ] as const;
        const page = notebookHtml(
            HOSTILE,
            cells.map(cell => ({ outputs: [], ...cell })),
        );
        expect(page).not.toMatch(/<script|<img|javascript:alert\(1\)"|src=|onerror/u);
        expect(page.match(/<[a-z][^>]*>/gu)?.filter(tag => /alert|'x'/u.test(tag))).toEqual([
            '<pre class="code" data-language="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">',
        ]);
        expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`);
        expect(page).toContain('<li>a <strong>b</strong></li>');
    });
});

describe('a notebook as a program', () => {
    test('has its prose as comments, and its queries as rules', () => {
        const program = notebookRules([
            { kind: 'markdown', language: 'markdown', text: '# Ways\n\nWho comes where.' },
            { kind: 'code', language: 'rulelang', text: 'edge("a", "b").' },
            { kind: 'code', language: 'sql', text: '-- starts(X) <-\nSELECT edge_0 FROM edge;\n' },
            { kind: 'code', language: 'python', text: 'print(1)' },
        ]);
        expect(program).toBe(
            '% # Ways\n%\n% Who comes where.\n\nedge("a", "b").\n\nstarts(X) <-\nSELECT edge_0 FROM edge.\n\n% print(1)\n',
        );
        const { value, problems } = readProgram(program, 'ways.rulelang');
        expect(problems).toEqual([]);
        expect(value.clauses.map(({ kind }) => kind)).toEqual(['fact', 'rule']);
    });
});

test('rows as text stand below each other', () => {
    const columns = [
        { name: 'Name', shape: 'text' },
        { name: 'N', shape: 'number' },
    ] as const;
    expect(
        rowsText({
            columns,
            cells: [
                ['a b', '1'],
                [{ null: 'z1' }, '10'],
            ],
        }),
    ).toBe('Name   N\na b    1\nz1    10');
});
