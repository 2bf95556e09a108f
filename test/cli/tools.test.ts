import { describe, expect, test } from 'vitest';
import { type Ended, folderWith, rulelang } from './command-line.ts';

const PROGRAM = `@bind("src", "csv", "", "s.csv").
@bind("far", "csv", "", "far.csv").
% towns apart
far(X) <- src(X), town(X).
`;

const of = (...args: string[]): Promise<Ended> => rulelang(folderWith({ 'p.rulelang': PROGRAM, 'bad.rulelang': 'a(1' }), args);

describe('analyze', () => {
    test('what a program offers and needs', async () => {
        const { code, stdout } = await of('analyze', 'p.rulelang');
        expect([code, JSON.parse(stdout)]).toEqual([0, { headPredicates: ['far'], inputPredicates: ['src', 'far', 'town'] }]);
    });

    test('of standard input', async () => {
        expect(JSON.parse((await rulelang(folderWith({}), ['analyze', '-'], 'a(1).')).stdout)).toEqual({
            headPredicates: ['a'],
            inputPredicates: [],
        });
    });

    test.each(['analyze', 'binds'])('%s tells syntax errors with their file', async command => {
        const { code, stdout, stderr } = await of(command, 'bad.rulelang');
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(/bad\.rulelang:1:/u);
    });

    test.each([
        ['analyze'],
        ['binds'],
        ['analyze', 'p.rulelang', 'bad.rulelang'],
        ['serve', 'x'],
        ['serve', '--port', '65536'],
        ['token', '--role', 'admin'],
    ])('%s %s is not understood', async (...args) => expect((await of(...args)).code).toBe(2));
});

describe('binds', () => {
    test('sources, and targets that are named', async () => {
        const { stdout } = await of('binds', 'p.rulelang', '--output', 'far');
        expect(JSON.parse(stdout)).toMatchObject({
            code: '% towns apart\nfar(X) <- src(X), town(X).',
            binds: {
                input: [
                    {
                        predicate: 'src',
                        annotation: '@bind("src", "csv", "", "s.csv").',
                        source_type: 'csv',
                        container: '',
                        target: 's.csv',
                    },
                ],
                output: [{ predicate: 'far', kind: 'bind' }],
            },
        });
    });
});
