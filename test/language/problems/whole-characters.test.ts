import { expect, test } from 'vitest';
import { exampleDocument } from '#language/editing/example-document.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { EVERY_SEVERITY } from '../../support/every-severity.ts';
import { seededRandom } from '../../support/program-variations.ts';

/** A character of two units; strict readers of JSON refuse a message that has one of them. */
const PAIR = '\u{1F600}';
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u.source;

function cuts(text: string, at: number): boolean {
    return new RegExp(`${HALF}$`).test(text.slice(0, at));
}

/** Where a problem or one of its fixes stands in the text. */
function* halvesIn(text: string, entry: ProblemEntry): Iterable<string> {
    const document = exampleDocument(text, entry);
    const { program } = document.analysed;
    for (const problem of reportedProblems({ ...document, clauses: program.clauses }, EVERY_SEVERITY)) {
        const offset = problem.place.offset;
        const edits = quickFixes(document, problem).flatMap(fix => fix.edits);
        const places = [{ start: offset + problem.span.start, end: offset + problem.span.end }, ...edits];
        if (places.some(({ start, end }) => cuts(text, start) || cuts(text, end))) yield `${problem.code} in ${text}`;
        if ([problem.message, ...edits.map(edit => edit.text)].some(said => new RegExp(HALF).test(said)))
            yield `${problem.code} says a half: ${text}`;
    }
}

test('no problem, fix or message cuts a character in half, wherever it stands', () => {
    const random = seededRandom(9);
    const halves = Object.values<ProblemEntry>(PROBLEMS).flatMap(entry => {
        const at = Array.from({ length: 2 }).map(() => Math.floor(random() * (entry.example.length + 1)));
        return at.flatMap(place => [...halvesIn(entry.example.slice(0, place) + PAIR + entry.example.slice(place), entry)]);
    });
    expect(halves).toEqual([]);
});
