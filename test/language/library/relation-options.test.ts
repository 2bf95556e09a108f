import { describe, expect, test } from 'vitest';
import { readRelationOptions } from '#language/library/relation-options.ts';
import type { GraphFunctionName, NodeText } from '#language/library/relation-question.ts';

const bare = (text: string): NodeText => ({ text, quoted: false });
const quoted = (text: string): NodeText => ({ text, quoted: true });

function endpointsOf(options: string): unknown {
    const { question, problems } = readRelationOptions('BFS', options);
    if (question?.function !== 'BFS') throw new Error(JSON.stringify(problems));
    return question.endpoints;
}

describe('values', () => {
    test.each<[string, unknown]>([
        ['', { kind: 'sets' }],
        [' source = a ', { kind: 'sets', sources: [bare('a')] }],
        ['source=-2.5', { kind: 'sets', sources: [bare('-2.5')] }],
        ["source='a b'", { kind: 'sets', sources: [quoted('a b')] }],
        ["source='it''s'", { kind: 'sets', sources: [quoted("it's")] }],
        ['source="say ""hi"", x=1"', { kind: 'sets', sources: [quoted('say "hi", x=1')] }],
        ["source='', target=b", { kind: 'sets', sources: [quoted('')], targets: [bare('b')] }],
        ['sources=[a,b],targets=[c]', { kind: 'sets', sources: [bare('a'), bare('b')], targets: [bare('c')] }],
        ['sources = a , b , targets = c', { kind: 'sets', sources: [bare('a'), bare('b')], targets: [bare('c')] }],
        ['sources=[]', { kind: 'sets', sources: [] }],
        ['sources=a,b,', { kind: 'sets', sources: [bare('a'), bare('b')] }],
        [
            "source_target_pairs=[a:b, 'c:d':1]",
            {
                kind: 'pairs',
                pairs: [
                    [bare('a'), bare('b')],
                    [quoted('c:d'), bare('1')],
                ],
            },
        ],
        ['source_target_pairs=a:b,visited=true', { kind: 'pairs', pairs: [[bare('a'), bare('b')]] }],
    ])('%s', (options, endpoints) => expect(endpointsOf(options)).toEqual(endpoints));
});

test('defaults', () => {
    const questions = (['PATHS', 'CC', 'DC', 'BC', 'PR'] as const).map(name => readRelationOptions(name, '').question);
    expect(questions).toEqual([
        { function: 'PATHS', visited: false, allPaths: false, selfLoops: false, endpoints: { kind: 'sets' } },
        { function: 'CC', componentId: false },
        { function: 'DC', degree: 'total' },
        { function: 'BC' },
        { function: 'PR', damping: 0.85, tolerance: 0.0001 },
    ]);
});

describe('problems', () => {
    test.each<[GraphFunctionName, string, string]>([
        ['TC', 'visited=true', 'RL7103 visited'],
        ['PATHS', 'visted=true', 'RL7103 visted visited'],
        ['PATHS', 'visited', "RL7105 visited 'true' or 'false'"],
        ['PATHS', 'toString=true', 'RL7103 toString'],
        ['DC', 'type=in,type=out', 'RL7104 type'],
        ['PATHS', 'visited=yes', "RL7105 visited 'true' or 'false'"],
        ['PATHS', 'visited=', "RL7105 visited 'true' or 'false'"],
        ['PATHS', 'max_depth=0', 'RL7105 max_depth -1 or a whole number of at least 1'],
        ['PATHS', 'max_depth=1.5', 'RL7105 max_depth -1 or a whole number of at least 1'],
        ['PATHS', 'source=a b', 'RL7105 source one node'],
        ['PATHS', 'source=[a,b]', 'RL7105 source one node'],
        ['PATHS', 'sources=a|b', 'RL7105 sources a list of nodes, such as [a, b]'],
        ['PATHS', 'sources=[a', 'RL7105 sources a list of nodes, such as [a, b]'],
        ['PATHS', 'source_target_pairs=[a:b,c]', 'RL7105 source_target_pairs a list of pairs, such as [a:b, c:d]'],
        ['DC', 'type=both', "RL7105 type 'in', 'out' or 'total'"],
        ['BC', 'sample=0', 'RL7105 sample a whole number of at least 1'],
        ['PR', 'damping=1', 'RL7105 damping between 0 and 1, both excluded'],
        ['PR', 'tolerance=0', 'RL7105 tolerance greater than 0'],
        ['ASP', 'source=a,sources=[b]', 'RL7106 source sources'],
        ['ASP', 'target=a,source_target_pairs=[a:b]', 'RL7106 target source_target_pairs'],
        ['SSSP', 'target=a', 'RL7107 source'],
        ['SSSP', 'sources=a,b', 'RL7105 sources one node'],
        ['PATHS', 'all_paths=true', 'RL7111'],
    ])('%s with "%s"', (name, options, expected) => {
        const found = readRelationOptions(name, options).problems.map(problem => Object.values(problem).join(' '));
        expect(found).toEqual([expected]);
    });

    test('a source may stand in brackets or in a pair', () => {
        expect(readRelationOptions('SSSP', 'source=[a]').problems).toEqual([]);
        expect(readRelationOptions('SSSP', 'source_target_pairs=[a:b]').problems).toEqual([]);
    });
});
