import { expect, test } from 'vitest';
import { fencedBlock, fencedObject } from '#server/protocol/fenced-block.ts';

const RULE = 'big(N) <- town(N, P), P > 10.\n\n@output("big").';

test.each([
    ['alone', RULE],
    ['in a fence', `Here:\n\`\`\`\n${RULE}\n\`\`\`\nThat is all.`],
    ['in a fence that does not end', `~~~datalog\n${RULE}`],
    ['behind thoughts', `<think>\nIs it \`\`\`x\`\`\`?\n\`\`\`\nno(X).\n\`\`\`\n</think>\n\n${RULE}`],
    ['behind thoughts without their beginning', `I look at it.\n</think>\n\`\`\`rulelang\n${RULE}\n\`\`\``],
    ['behind another block', `Over\n\`\`\`text\ntown | people\n\`\`\`\nI write\n\`\`\`rulelang\n${RULE}\n\`\`\``],
    ['between sentences', `Here is the program, as you wish:\n\n${RULE}\n\nIt finds towns of more than ten people.`],
])('the program in an answer: %s', (_, answer) => {
    expect(fencedBlock(answer)).toBe(RULE);
});

test('what is no sentence stays', () => {
    expect(fencedBlock('Nothing of it is known.')).toBe('Nothing of it is known.');
    expect(fencedBlock('')).toBe('');
    const commented = '% Towns.\nbig(N) <- town(N, _).\n\nResult <- p.\n';
    expect(fencedBlock(commented)).toBe(commented.trim());
});

test('the object in an answer', () => {
    for (const answer of ['{"a": {"b": 1}}', 'Sure: {"a": {"b": 1}} as asked', '<think>{}</think>```json\n{"a": {"b": 1}}\n```'])
        expect(JSON.parse(fencedObject(answer))).toEqual({ a: { b: 1 } });
    expect(fencedObject('none }{ here')).toBe('none }{ here');
});
