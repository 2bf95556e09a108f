import { expect, test } from 'vitest';
import { plainWords, pseudoLanguage, pseudoText } from '../support/pseudo-language.ts';

test('every letter of a text has an accent, but for the places of values', () => {
    expect(pseudoLanguage({ key: 'The {0} of {name}' })).toEqual({ key: 'Ťĥé {0} óƒ {name}······' });
    expect(plainWords(pseudoText('abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ'))).toEqual([]);
});

test('words without accents are found among others', () => {
    expect(plainWords("Ťĥé ŕúļé 'holds' ƒóŕ edge(X): no")).toEqual(['holds', 'edge', 'no']);
});
