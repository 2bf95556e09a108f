import type { Origin } from '#engine/explain/explanation.ts';
import { sourcePlace } from '#engine/explain/origin.ts';
import { positionAt } from '#server/notices/source-texts.ts';
import type { LoadedProgram } from './load-program.ts';

/** `rules/control.rulelang:4` or `owns.csv:17`, as commands print places. */
export function originText(origin: Origin, { texts }: Pick<LoadedProgram, 'texts'>): string {
    if (origin.kind === 'source') return sourcePlace(origin);
    const { place, span } = origin;
    const text = texts.get(place.file);
    const line = text === undefined ? place.line : positionAt(text, place.offset + span.start).line;
    return `${place.file}:${line + 1}`;
}
