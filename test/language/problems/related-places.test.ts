import { expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { PROBLEMS, type ProblemCode } from '#language/problems/catalogue.ts';

/** Problems that are about two places (13.1), by the words for the other one. */
const TWO_PLACES: readonly (readonly [ProblemCode, RegExp])[] = [
    ['RL1103', /./u],
    ['RL1113', /./u],
    ['RL1114', /./u],
    ['RL1115', /the more general rule/u],
    ['RL1117', /is defined here/u],
    ['RL2201', /./u],
    ['RL2303', /./u],
    ['RL2401', /./u],
    ['RL2403', /./u],
    ['RL3010', /./u],
    ['RL3020', /aggregated with/u],
    ['RL4013', /./u],
    ['RL4014', /the other condition/u],
    ['RL4020', / here$/u],
    ['RL4021', /the field of the model/u],
    ['RL4022', /./u],
    ['RL6012', /named as an output here/u],
    ['RL6014', /declared as an input here/u],
    ['RL6020', /is derived here/u],
    ['RL6021', /has a fact here/u],
    ['RL6039', /the first model/u],
    ['RL6052', /mapped here/u],
    ['RL6053', /the model, which gives the type/u],
    ['RL6063', /the first bind/u],
    ['RL6067', /the first bind/u],
    ['RL6092', /./u],
    ['RL6112', /the model/u],
    ['RL7108', /./u],
    ['RL8003', /./u],
    ['RL9002', /the other side/u],
    ['RL9003', /the rule before it/u],
    ['RL9026', /assigned here/u],
];

test.each(TWO_PLACES)('%s names the other place', (code, words) => {
    const { example, ...more }: { readonly example: string; readonly sources?: Readonly<Record<string, readonly string[]>> } =
        PROBLEMS[code];
    const columns = Object.entries(more.sources ?? {}).map(
        ([name, names]) => [name, { columns: names.map(column => ({ name: column, type: { kind: 'string' } as const })) }] as const,
    );
    const found = openDocument(example, 'example', { schemas: new Map(columns) }).problems.find(problem => problem.code === code);
    const related = found?.related ?? [];
    const isElsewhere = ({ span, place }: (typeof related)[number]): boolean =>
        place.offset !== found?.place.offset || span.start !== found.span.start;
    expect(related.filter(isElsewhere)).not.toEqual([]);
    for (const { message } of related) expect(message).toMatch(words);
});
