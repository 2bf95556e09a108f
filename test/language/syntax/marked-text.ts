import { readProgram } from '#language/read-program.ts';

/** A text in which `«` and `»` enclose the ranges where problems are expected, in text order. */
export interface MarkedText {
    readonly text: string;
    readonly ranges: readonly (readonly [start: number, end: number])[];
}

export function markedText(marked: string): MarkedText {
    const ranges: [number, number][] = [];
    let text = '';
    let start = 0;
    for (const character of marked) {
        if (character === '«') start = text.length;
        else if (character === '»') ranges.push([start, text.length]);
        else text += character;
    }
    return { text, ranges };
}

/** The problems of a text in text order, each as `code@start-end`. */
export function problemsOf(text: string): string[] {
    return readProgram(text, 'main.rulelang')
        .problems.map(({ code, place, span }) => ({ code, start: place.offset + span.start, end: place.offset + span.end }))
        .sort((left, right) => left.start - right.start)
        .map(({ code, start, end }) => `${code}@${start}-${end}`);
}
