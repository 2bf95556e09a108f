import { expect, test } from 'vitest';
import { l10n } from '#extension/surfaces/l10n.ts';
import { type CursorNode, cursorNodes } from '#extension/views/cursor-nodes.ts';
import type { CursorFacts } from '#server/protocol/cursor.ts';

const place = { uri: 'file:///p.rulelang', range: { start: { line: 2, character: 0 }, end: { line: 2, character: 9 } } };
const FACTS: CursorFacts = {
    name: 'order',
    arity: 2,
    signature: 'order(id: int, city: string)',
    about: 'input',
    columns: [
        { name: 'id', type: 'int', unknown: 0 },
        { name: 'city', type: 'string', unknown: 1200 },
    ],
    run: {
        rows: 4000,
        stale: false,
        first: [
            ['1', 'Graz'],
            [{ null: 'z2' }, { null: 'z1', missing: true }],
        ],
    },
    sources: [{ text: 'orders.csv is of 2025-03-01 09:06, after the last run read it', changed: true }],
    atoms: [
        { text: 'order(I, C)', figures: '4,000 rows', sentence: 'a', here: false, ...place },
        { text: 'city(C)', figures: '4,000 → 12', sentence: 'b', here: true, ...place },
    ],
    problems: [{ message: 'This rule never fired\nmore', ...place }],
};

/** One line for each node, indented below its parent. */
function lines(nodes: readonly CursorNode[], indent = ''): string[] {
    return nodes.flatMap(({ label, description = '', children = [] }) => [
        `${indent}${label} | ${description}`.trimEnd(),
        ...lines(children, `${indent}  `),
    ]);
}

test('the view of the cursor has columns, problems, rows, sources and atoms', () => {
    expect(lines(cursorNodes(FACTS, l10n))).toEqual([
        'order(id: int, city: string) | input',
        '  id | int',
        '  city | string · 1,200 unknown values',
        'This rule never fired |',
        '4,000 rows | of the last run',
        '  1, Graz |',
        '  z2, — |',
        'orders.csv is of 2025-03-01 09:06, after the last run read it |',
        'Matches of each atom | in and out, in the last profiled run',
        '  order(I, C) | 4,000 rows',
        '  city(C) | 4,000 → 12, at the cursor',
    ]);
});

test('without a run it says so, and no line has the id of another', () => {
    const { run: _, ...before } = FACTS;
    expect(lines(cursorNodes({ ...before, atoms: [], problems: [] }, l10n))).toContain('No run has told its rows yet |');
    const all = (nodes: readonly CursorNode[]): string[] => nodes.flatMap(({ id, children = [] }) => [id, ...all(children)]);
    const ids = all(cursorNodes(FACTS, l10n));
    expect(new Set(ids).size).toBe(ids.length);
});
