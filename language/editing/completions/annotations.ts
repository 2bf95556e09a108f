import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { type Completion, callInsertion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import type { OpenDocument } from '../open-document.ts';
import { annotationSignature } from '../signatures.ts';

/** The annotations, each as a clause of its own where nothing stands behind it yet. */
export function* annotationCompletions({ text }: OpenDocument, { range }: CompletionContext): Iterable<Completion> {
    const called = text.charAt(range.end) === '(';
    const lineIsFree = /^[ \t]*(?:[\r\n]|$)/.test(text.slice(range.end, range.end + 200));
    for (const entry of ANNOTATIONS.values()) {
        if (entry.unsupported) continue;
        const name = `@${entry.name}`;
        const needed = entry.parameters.filter(({ optional }) => !optional);
        const given = needed.map(({ kind }) => (kind === 'position' ? '0' : kind === 'value' ? '1' : '""'));
        const insert = called ? plain(name) : written(name, given, lineIsFree ? '.' : '');
        yield {
            label: name,
            kind: 'annotation',
            insert,
            rank: entry.core ? 3 : 4,
            detail: annotationSignature(entry).label,
            documentation: entry.documentation,
        };
    }
}

/** Placeholders of texts stand between their quotes. */
function written(name: string, given: readonly string[], end: string): Insertion {
    if (given.length === 0) return plain(`${name}${end}`);
    const { text, placeholders } = callInsertion(name, given);
    const inside = placeholders.map((place, index) => (given[index] === '""' ? { start: place.start + 1, end: place.end - 1 } : place));
    return { text: `${text}${end}`, placeholders: inside };
}
