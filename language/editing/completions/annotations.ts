import { isTestFile } from '#language/analysis/test-cases.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { ANNOTATIONS, TEST_ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { translated } from '#language/program/say.ts';
import { type Completion, callInsertion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import { annotationSignature } from '../signatures.ts';

/** The annotations, each as a clause of its own where nothing stands behind it yet. */
export function* annotationCompletions({ text, file }: OpenDocument, { range }: CompletionContext): Iterable<Completion> {
    const called = text.charAt(range.end) === '(';
    const lineIsFree = /^[ \t]*(?:[\r\n]|$)/.test(text.slice(range.end, range.end + 200));
    for (const entry of ANNOTATIONS.values()) {
        const isTest = TEST_ANNOTATIONS.has(entry.name);
        if (entry.unsupported || (isTest && !isTestFile(file))) continue;
        const name = `@${entry.name}`;
        const needed = entry.parameters.filter(({ optional }) => !optional);
        const given = needed.map(parameter => (parameter.name === 'position' ? '0' : parameter.name === 'value' ? '1' : '""'));
        const names = needed.length > 1 ? needed.map(parameter => parameter.name) : [];
        const insert = called ? plain(name) : written(name, given, names, lineIsFree ? '.' : '');
        yield {
            label: name,
            kind: 'annotation',
            insert,
            rank: isTest ? 2 : entry.core ? 3 : 4,
            detail: annotationSignature(entry).label,
            documentation: translated(entry.documentation),
        };
    }
}

/** Placeholders of texts stand between their quotes; with several, each says what belongs there. */
function written(name: string, given: readonly string[], names: readonly string[], end: string): Insertion {
    if (given.length === 0) return plain(`${name}${end}`);
    const isText = (index: number): boolean => given[index] === '""';
    const { text, placeholders } = callInsertion(
        name,
        given.map((value, index) => (isText(index) ? `"${names[index] ?? ''}"` : value)),
    );
    const inside = placeholders.map((place, index) => (isText(index) ? { start: place.start + 1, end: place.end - 1 } : place));
    return { text: `${text}${end}`, placeholders: inside };
}
