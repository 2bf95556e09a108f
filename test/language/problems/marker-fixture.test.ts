import { expect, test } from 'vitest';
import { readFixture } from '../../support/marker-fixture.ts';

const FIXTURE = `Prose about == nothing.

== only RL2* RL1101
== main.rulelang
% a comment with ^^ signs
p(X) <- q(X).
%       ^ error RL1101
%<- hint RL1110
 r(1).
 %<- custom and more
== @golden
two
lines`;

test('markers are removed and point at the line above', () => {
    const fixture = readFixture(FIXTURE, new Map([['custom', () => 'x']]));
    const [file] = fixture.files;
    expect(file?.text).toBe('% a comment with ^^ signs\np(X) <- q(X).\n r(1).');
    const shown = file?.markers.map(marker => [file.text.slice(marker.start, marker.end), marker.name, marker.expectation, marker.line]);
    expect(shown).toEqual([
        ['q', 'error', 'RL1101', 6],
        ['p', 'hint', 'RL1110', 7],
        ['r', 'custom', 'and more', 9],
    ]);
    expect(fixture.only).toEqual(['RL2*', 'RL1101']);
    expect(fixture.goldens.get('@golden')).toBe('two\nlines');
});

test('a line whose word no marker has stays in the program', () => {
    const [file] = readFixture(FIXTURE).files;
    expect(file?.text).toContain('%<- custom and more');
});
