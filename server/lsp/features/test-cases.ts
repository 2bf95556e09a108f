import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { testCases as casesOf, isTestFile, TEST_ENDING } from '#language/analysis/test-cases.ts';
import { readProgram } from '#language/read-program.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import { type ListedCase, TEST_METHODS } from '#server/protocol/test-cases.ts';
import { walkPrograms } from '#server/workspace/walk-programs.ts';
import { answerMethods } from '../answer-methods.ts';
import type { Feature } from '../language-server.ts';

/** More than a view is for. */
const MOST_FILES = 5000;

/** Test files and their cases, for a client that lists and runs them. */
export const testCases: Feature = {
    capabilities: () => ({}),
    register: server => {
        answerMethods(server, TEST_METHODS, {
            'rulelang/testFiles': (_, signal) => testFiles(server.folders.roots(), signal),
            'rulelang/testCases': ({ text }) => listedCases(text),
        });
    },
};

/** Looks into one folder after another, so that others are answered meanwhile. */
async function testFiles(roots: readonly string[], signal: AbortSignal): Promise<string[]> {
    const found: string[] = [];
    for (const path of walkPrograms(roots)) {
        if (path === undefined) await setImmediate();
        else if (isTestFile(path) && found.length < MOST_FILES) found.push(pathToFileURL(path).href);
        signal.throwIfAborted();
    }
    return found;
}

function listedCases(text: string): ListedCase[] {
    const source = sourceText(text);
    const { cases } = casesOf(readProgram(text, TEST_ENDING).value);
    const starts = cases.map(({ place, annotation }) => place.offset + annotation.span.start);
    return cases.map(({ name }, index) => {
        const start = starts[index] ?? 0;
        const end = start + text.slice(start, starts[index + 1]).trimEnd().length;
        return { name, range: { start: positionAt(source, start), end: positionAt(source, end) } };
    });
}
