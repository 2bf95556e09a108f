import type { Span } from '#language/program/span.ts';
import type { Differing } from './test-case.ts';

interface Replacement {
    readonly span: Span;
    readonly text: string;
}

/** The text of a test file with what its cases derive as what they expect; what expects no facts at all stays as it is. */
export function acceptedText(text: string, differing: readonly Differing[]): string {
    return differing
        .flatMap(one => acceptedPart(text, one) ?? [])
        .sort((a, b) => b.span.start - a.span.start)
        .reduce((changed, { span, text: written }) => `${changed.slice(0, span.start)}${written}${changed.slice(span.end)}`, text);
}

/** Finds the part of a test file to replace, so that an expectation is what its case derives. */
export function acceptedPart(text: string, { expectation, actual }: Differing): Replacement | undefined {
    const { kind, facts, place, annotation } = expectation;
    if (kind === 'count') {
        const count = annotation.arguments[2];
        if (count === undefined) return undefined;
        return { span: { start: place.offset + count.span.start, end: place.offset + count.span.end }, text: `${actual.length}` };
    }
    if (kind !== 'exact') return undefined;
    const start = text.indexOf('.', place.offset + annotation.span.end) + 1;
    const last = facts.at(-1);
    const end = last === undefined ? start : last.place.offset + last.span.end;
    return { span: { start, end }, text: actual.map(fact => `\n${fact}.`).join('') };
}
