import { expect, test } from 'vitest';
import { rowLines } from '#extension/translations/row-lines.ts';
import { kindOfText, stemOf } from '#extension/translations/source-text.ts';

test('the kind of a text shows in the name of its file, else in how it begins', () => {
    expect(kindOfText('SELECT a FROM t')).toBe('sql');
    expect(kindOfText('-- all\n  (select 1)')).toBe('sql');
    expect(kindOfText('with a as (select 1) select * from a')).toBe('sql');
    expect(kindOfText('selecting customers is hard')).toBeUndefined();
    expect(kindOfText('@prefix : <http://e.org/#> .\n:a :b :c .')).toBe('rdf');
    expect(kindOfText('<http://e.org/a> <http://e.org/b> "c" .')).toBe('rdf');
    expect(kindOfText('@prefix owl: <http://www.w3.org/2002/07/owl#> .')).toBe('owl');
    expect(kindOfText('<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="x">')).toBe('rdf');
    expect(kindOfText('<?xml version="1.0"?>\n<html/>')).toBeUndefined();
    expect(kindOfText('p(X) <- q(X).')).toBeUndefined();
    expect(kindOfText('customers without an order')).toBeUndefined();
    expect(kindOfText('anything', '/a/b.SQL')).toBe('sql');
    expect(kindOfText('', 'b.owl')).toBe('owl');
    expect(kindOfText('', 'b.nt')).toBe('rdf');
    expect(kindOfText('<http://www.w3.org/2000/01/rdf-schema#label>', 'b.ttl')).toBe('owl');
    expect(stemOf('/a/big.customers.sql')).toBe('big.customers');
});

test('rows of two sides stand in the same columns and the same order, and nothing in them acts', () => {
    const [left, right] = rowLines({
        columns: ['city', 'n'],
        equal: [
            ['Rome', '3'],
            ['Ath\u202eens\n', '1'],
        ],
        ofQuery: [['Bonn', '2']],
        ofRules: [['Bonn', '7']],
    });
    expect(left).toBe('city             n\n───────────────  ─\nAth⟨U+202E⟩ens↵  1\nBonn             2\nRome             3\n');
    expect(right).toBe(left.replace('Bonn             2', 'Bonn             7'));
    expect(rowLines({ columns: ['a'], equal: [], ofQuery: [], ofRules: [] })[0]).toBe('a\n─\n');
});
