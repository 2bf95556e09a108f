import { expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { joinFixes } from '#language/editing/join-fixes.ts';
import { applied } from './editing-markers.ts';

const MODELS = `@model("order", "['id:int', 'city:string']"). @model("item", "['id:int', 'City:string']"). @model("code", "['id:string']").\n`;

/** The rule after each fix of the atom that begins with the word. */
function fixed(rule: string, atom: string): string[] {
    const text = `${MODELS}${rule}`;
    const document = openDocument(text, 'p.rulelang');
    return joinFixes(document, text.indexOf(atom, MODELS.length)).map(
        ({ title, edits }) => `${title}: ${applied(text, edits).slice(MODELS.length)}`,
    );
}

test('an atom is joined by columns of one name, by a condition or in the place of an anonymous term', () => {
    expect(fixed('q(O, I) <- order(O, C), item(I, _).', 'item')).toEqual([
        'Join with order by id: q(O, I) <- order(O, C), item(I, _), I == O.',
        'Join with order by city: q(O, I) <- order(O, C), item(I, C).',
    ]);
});

test('not where they are joined, of other types, negated, or where no name says it', () => {
    expect(fixed('q(O) <- order(O, _), item(O, _).', 'item')).toEqual([]);
    expect(fixed('q(O) <- order(O, _), item(I, _), O == I.', 'item')).toEqual([]);
    expect(fixed('q(O) <- order(O, _), code(I).', 'code')).toEqual([]);
    expect(fixed('q(O) <- order(O, _), not item(O, _).', 'item')).toEqual([]);
    expect(fixed('q(O) <- order(O, _), a(X). a(1).', 'a(X)')).toEqual([]);
    expect(fixed('q(O) <- order(O, _).', 'q(')).toEqual([]);
});
