import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import {
    addedTile,
    type Content,
    conceptsOf,
    EMPTY_DASHBOARD,
    readDashboard,
    writtenDashboard,
} from '#extension/surfaces/dashboard/definition.ts';
import { type Area, COLUMNS, movedTo, packed, type Step, stepped, within } from '#extension/surfaces/dashboard/layout.ts';
import { fc } from '../support/fast-check.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const valid = new Ajv2020().compile(JSON.parse(fs.readFileSync(join(ROOT, 'docs/reference/dashboard.schema.json'), 'utf8')));

interface Box extends Area {
    readonly id: string;
}

const STEPS: readonly Step[] = ['left', 'right', 'up', 'down', 'narrower', 'wider', 'lower', 'higher'];
const areas = fc.record({
    x: fc.integer({ min: -5, max: 20 }),
    y: fc.integer({ min: -5, max: 30 }),
    width: fc.integer({ min: -2, max: 20 }),
    height: fc.integer({ min: -2, max: 60 }),
});
const boxes = fc.array(areas, { maxLength: 12 }).map(all => packed(all.map((area, i): Box => ({ id: `t${i}`, ...within(area) }))));

function expectSound(before: readonly Box[], after: readonly Box[]): void {
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    for (const [i, one] of after.entries()) {
        expect(one.x >= 0 && one.y >= 0 && one.width >= 2 && one.height >= 1 && one.x + one.width <= COLUMNS).toBe(true);
        for (const other of after.slice(i + 1)) {
            const isApart =
                one.x + one.width <= other.x ||
                other.x + other.width <= one.x ||
                one.y + one.height <= other.y ||
                other.y + other.height <= one.y;
            expect(isApart, `${JSON.stringify(one)} ${JSON.stringify(other)}`).toBe(true);
        }
    }
    expect(packed(after)).toEqual(after);
}

test('whatever is moved and sized, no tile is lost, none leaves the grid, and none covers another', () => {
    const acts = fc.array(fc.record({ at: fc.nat(11), step: fc.constantFrom(...STEPS), area: fc.option(areas, { nil: undefined }) }), {
        maxLength: 30,
    });
    fc.assert(
        fc.property(boxes, acts, (first, all) => {
            expectSound(first, first);
            let now = first;
            for (const { at, step, area } of all) {
                const id = now[at % Math.max(1, now.length)]?.id ?? '';
                const next = area === undefined ? stepped(now, id, step) : movedTo(now, id, area);
                expectSound(now, next);
                now = next;
            }
        }),
        { numRuns: 200 },
    );
});

test('a step up or down changes places with what stands there, and one too many changes nothing', () => {
    const two = packed<Box>([
        { id: 'a', x: 0, y: 0, width: 6, height: 2 },
        { id: 'b', x: 0, y: 2, width: 6, height: 3 },
        { id: 'c', x: 6, y: 0, width: 6, height: 2 },
    ]);
    const down = stepped(two, 'a', 'down');
    expect(down.map(({ id, y }) => [id, y])).toEqual([
        ['b', 0],
        ['c', 0],
        ['a', 3],
    ]);
    expect(stepped(down, 'a', 'down')).toEqual(down);
    expect(stepped(down, 'a', 'up')).toEqual(two);
    expect(stepped(two, 'a', 'up')).toEqual(two);
    expect(stepped(two, 'a', 'left')).toEqual(two);
    expect(stepped(two, 'c', 'wider').find(({ id }) => id === 'c')).toMatchObject({ x: 5, width: 7 });
    expect(movedTo(two, 'b', { x: 0, y: 0, width: 6, height: 3 }).map(({ id, y }) => [id, y])).toEqual([
        ['b', 0],
        ['c', 0],
        ['a', 3],
    ]);
});

test('what is written and means nothing here is kept', () => {
    const definition = {
        owner: { name: 'Ann' },
        tiles: [
            { id: 'n', kind: 'number', concept: 'totals', measure: 'sum', column: 'n', x: 3, y: 0, width: 3, height: 3, colour: 'red' },
            { id: 'm', kind: 'map', layers: [1, 2], x: 0, y: 0, width: 3, height: 3 },
            { concept: 'big_city' },
            { id: 'g', kind: 'chart', chart: 'gauge', concept: 'totals' },
            'a note',
        ],
        version: 12345678901234567890n,
    };
    const dashboard = readDashboard(definition);
    expect(dashboard.tiles.map(({ id, content }) => [id, content.kind])).toEqual([
        ['m', 'unknown'],
        ['n', 'number'],
        ['tile-1', 'rows'],
        ['g', 'unknown'],
    ]);
    expect(conceptsOf(dashboard)).toEqual(['totals', 'big_city']);
    const written = writtenDashboard(dashboard);
    expect(written).toMatchObject({ owner: { name: 'Ann' }, version: 12345678901234567890n });
    expect(written.tiles).toEqual([
        expect.objectContaining({ id: 'm', kind: 'map', layers: [1, 2], width: 3 }),
        expect.objectContaining({ id: 'n', colour: 'red', measure: 'sum' }),
        expect.objectContaining({ id: 'tile-1', kind: 'rows', concept: 'big_city', y: 3 }),
        expect.objectContaining({ id: 'g', kind: 'chart', chart: 'gauge' }),
        'a note',
    ]);
    expect(readDashboard(written)).toEqual({ ...dashboard, written, tiles: readDashboard(written).tiles });
    expect(writtenDashboard(readDashboard(written))).toEqual(written);
});

test('any definition is read, and what is read from it is written as the schema says', () => {
    const strange = fc.oneof(
        fc.jsonValue(),
        fc.array(fc.jsonValue()).map(tiles => ({ tiles })),
    );
    fc.assert(
        fc.property(strange, definition => {
            const dashboard = readDashboard(definition);
            expectSound(dashboard.tiles, dashboard.tiles);
            const written = JSON.parse(JSON.stringify(writtenDashboard({ ...dashboard, others: [] })));
            expect(valid({ tiles: written.tiles }), JSON.stringify(valid.errors)).toBe(true);
        }),
        { numRuns: 300 },
    );
});

test('every kind of tile follows the schema, and what does not is told', () => {
    const contents: readonly Content[] = [
        { kind: 'text', text: 'a\nb' },
        { kind: 'rows', concept: 'c' },
        { kind: 'number', concept: 'c', measure: 'least', column: 'x' },
        { kind: 'chart', concept: 'c', chart: 'heat', across: 'x', up: 'y', by: '' },
        { kind: 'chart', concept: 'c', chart: 'graph', across: 'x', up: 'y', by: 'z' },
        { kind: 'parameter', parameter: 'least', value: '[1, 2]' },
    ];
    const dashboard = contents.reduce((made, content) => addedTile(made, content, 'T').dashboard, EMPTY_DASHBOARD);
    expect(dashboard.tiles).toHaveLength(contents.length);
    expect(valid(writtenDashboard(dashboard)), JSON.stringify(valid.errors)).toBe(true);
    expect(readDashboard(writtenDashboard(dashboard)).tiles.map(({ content }) => content)).toEqual(
        dashboard.tiles.map(({ content }) => content),
    );
    expect(valid({ tiles: [{ kind: 'number', x: 0, y: 0, width: 3, height: 3, id: 'a' }] })).toBe(false);
    expect(valid({ tiles: [{ kind: 'text', text: '', x: 0, y: 0, width: 13, height: 3, id: 'a' }] })).toBe(false);
});
