import { basename, resolve } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Origin } from '#engine/explain/explanation.ts';
import type { AnalysedProgram, AnalysedRule } from '#language/program/analysed-program.ts';
import type { Location } from '#language/program/span.ts';
import type { NoticePlace } from '#server/notices/notice.ts';
import { positionAt } from '#server/notices/source-texts.ts';
import type { LoadedProgram } from '#server/runs/load-program.ts';
import { originPlaces } from '#server/runs/origin-places.ts';

/** Whether lines and columns begin with 1 for a client. */
export interface Counting {
    readonly line: 0 | 1;
    readonly column: 0 | 1;
}

export interface PlaceInSource {
    readonly source?: DebugProtocol.Source;
    readonly line: number;
    readonly column: number;
    readonly endLine?: number;
    readonly endColumn?: number;
}

/** Rules and facts as places in files, and back. */
export interface Places {
    readonly program: AnalysedProgram;
    /** The rules of which a part stands in a line. */
    rulesAt(path: string, line: number): AnalysedRule[];
    /** The lines of a file, from `first` to `last`, in which rules begin. */
    lines(path: string, first: number, last: number): number[];
    rangeOf(rule: AnalysedRule): PlaceInSource;
    at(location: Location): PlaceInSource;
    atOrigin(origin: Origin): PlaceInSource;
    ofNotice(place: NoticePlace): PlaceInSource;
    /** `control.rulelang:4`. */
    label(rule: AnalysedRule): string;
}

export function places(loaded: LoadedProgram, { line: firstLine, column: firstColumn }: Counting): Places {
    const { program, texts } = loaded;
    const origins = originPlaces(loaded);
    const pathOf = (file: string): string => resolve(loaded.access.currentFolder, file);
    const sourceOf = (path: string): DebugProtocol.Source => ({ name: basename(path), path });
    const isIn = ({ rule }: AnalysedRule, path: string): boolean => isSamePath(pathOf(rule.place.file), path);
    const ofNotice = ({ file, start, end }: NoticePlace): PlaceInSource => {
        const text = texts.get(file);
        if (text === undefined) return { source: sourceOf(pathOf(file)), line: firstLine, column: firstColumn };
        const [from, to] = [positionAt(text, start), positionAt(text, end)];
        return {
            source: sourceOf(pathOf(file)),
            line: from.line + firstLine,
            column: from.character + firstColumn,
            endLine: to.line + firstLine,
            endColumn: to.character + firstColumn,
        };
    };
    const at = ({ place, span }: Location): PlaceInSource =>
        ofNotice({ file: place.file, start: place.offset + span.start, end: place.offset + span.end });
    const rangeOf = ({ rule }: AnalysedRule): PlaceInSource => at(rule);
    return {
        program,
        rulesAt: (path, line) =>
            program.rules.filter(rule => {
                const range = rangeOf(rule);
                return isIn(rule, path) && range.line <= line && (range.endLine ?? range.line) >= line;
            }),
        lines: (path, first, last) => {
            const starts = program.rules.filter(rule => isIn(rule, path)).map(rule => rangeOf(rule).line);
            return [...new Set(starts)].filter(line => line >= first && line <= last);
        },
        rangeOf,
        at,
        atOrigin: origin => {
            const found = origins.placeOf(origin);
            if (found.kind === 'program')
                return at(origin.kind === 'clause' ? origin : { place: origin.bind.place, span: origin.bind.annotation.span });
            return { source: sourceOf(pathOf(found.path)), line: found.line + firstLine, column: firstColumn };
        },
        ofNotice,
        label: ({ rule }) => origins.label({ kind: 'clause', place: rule.place, span: rule.span }),
    };
}

function isSamePath(left: string, right: string): boolean {
    const [one, other] = [resolve(left), resolve(right)];
    return one === other || (process.platform === 'win32' && one.toLowerCase() === other.toLowerCase());
}
