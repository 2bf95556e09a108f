import { basename, dirname, resolve } from 'node:path';
import type { Origin } from '#engine/explain/explanation.ts';
import { sourcePlace } from '#engine/explain/origin.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { positionAt } from '#server/notices/source-texts.ts';
import type { ProcessPlace } from '#server/protocol/explaining.ts';
import type { WireRange } from '#server/protocol/runs.ts';
import { withParameters } from '#server/sources/bind-parameters.ts';
import type { LoadedProgram } from './load-program.ts';

/** Finds the places of the facts and rules of a run. */
export interface OriginPlaces {
    /** `control.rulelang:4` or `owns.csv:17`. */
    label(origin: Origin): string;
    placeOf(origin: Origin): ProcessPlace;
}

export function originPlaces({ texts, access }: LoadedProgram): OriginPlaces {
    const position = ({ file, offset, line, column }: ClausePlace, at: number): WireRange['start'] => {
        const source = texts.get(file);
        return source === undefined ? { line, character: column } : positionAt(source, offset + at);
    };
    return {
        label(origin) {
            if (origin.kind === 'source') return sourcePlace(origin);
            return `${basename(origin.place.file)}:${position(origin.place, origin.span.start).line + 1}`;
        },
        placeOf(origin) {
            if (origin.kind === 'source' && (origin.line > 0 || origin.item !== undefined)) {
                const { outer, inner } = withParameters(origin.bind, access.parameters, {});
                const named = resolve(dirname(origin.bind.place.file), outer, inner);
                // A bind that stands for many files names none of them.
                const path = named.endsWith(origin.file) ? named : resolve(access.currentFolder, origin.file);
                return { kind: 'source', path, line: Math.max(origin.line, 1) - 1 };
            }
            const { place, span } = origin.kind === 'source' ? { place: origin.bind.place, span: origin.bind.annotation.span } : origin;
            return { kind: 'program', file: place.file, range: { start: position(place, span.start), end: position(place, span.end) } };
        },
    };
}
