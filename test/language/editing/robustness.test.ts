import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import { expectEditorAnswers } from '../../support/editor-answers.ts';
import { SAMPLE_TEXTS } from '../syntax/sample-texts.ts';

const SAMPLES = new URL('../../../samples/', import.meta.url).pathname;

function sampleFiles(): string[] {
    const folders = readdirSync(SAMPLES, { withFileTypes: true }).filter(entry => entry.isDirectory());
    return folders.flatMap(({ name }) =>
        readdirSync(join(SAMPLES, name))
            .filter(file => file.endsWith('.rulelang'))
            .map(file => readFileSync(join(SAMPLES, name, file), 'utf8')),
    );
}

const HOSTILE = [
    '',
    '.',
    '@',
    '@@@("("(',
    '"',
    "'",
    '%',
    '#',
    '?',
    '${',
    'p(${',
    '@bind("',
    '@bind("p", "csv a=\'',
    '@bind(p, "csv \\',
    '@model("(a)b(", "[\'x:y[",',
    '@model("(()", "[[[[")',
    '@post("p", "argmin(1,<2")',
    '@param("\\u12", 1). @output("""").',
    'p(X) <- SELECT',
    'p(X) <- SELECT "unclosed',
    'p(X) <- not',
    'p(X) <- ((((((((',
    'p(X) <- ]]])))}}}',
    'p(X) <- #TC(',
    'p(X) <- q(X), , , r(',
    `p(${'['.repeat(120)}`,
    `p(X) <- ${'!'.repeat(120)}q(X).`,
    '__proto__(X) <- constructor(X). constructor(1). @output("__proto__"). @output("toString"). toString(X) <- hasOwnProperty(X).',
    'p("a\r\nb").\r\nq(X)\r<- p(X).\r@output("q").',
    '\ufeffp(1).\u0000\u2028q("\ud800").',
    '% only\n%% comments\n% here',
];

/** Where words, signs and blanks begin, and one place behind. */
function tokenOffsets(text: string): readonly number[] {
    const starts = Array.from(text.matchAll(/\w+|\s+|[^\w\s]+/gu), ({ index }) => index);
    return [...new Set([...starts, ...starts.map(start => start + 1), text.length])];
}

function check(text: string, step: number): void {
    const offsets = Array.from({ length: Math.floor(text.length / step) + 1 }, (_, i) => i * step);
    expectEditorAnswers(openDocument(text, 'hostile.rulelang'), offsets);
}

describe('no function throws and no answer lies outside the document', () => {
    test('at the beginning and within every word and sign of the sample texts', () => {
        for (const text of SAMPLE_TEXTS) expectEditorAnswers(openDocument(text, 'sample.rulelang'), tokenOffsets(text));
    });
    test('at many offsets of the samples', () => {
        for (const text of sampleFiles()) check(text, 53);
    });
    test('at any offset of hostile texts', () => {
        for (const text of HOSTILE) check(text, 1);
    });
    test('in truncated texts', () => {
        for (const text of SAMPLE_TEXTS) {
            for (let end = 3; end < text.length; end += 41) check(text.slice(Math.max(0, end - 120), end), 11);
        }
    });
});
