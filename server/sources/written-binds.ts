import { namedAnnotations, placedAnnotations, textOf } from '#language/analysis/annotation-arguments.ts';
import { atomsOf } from '#language/analysis/name-entry.ts';
import { formatText } from '#language/editing/format-edits.ts';
import { uniqueName } from '#language/library/unique-name.ts';
import { readProgram } from '#language/read-program.ts';
import { modelOf } from './inferred-program.ts';
import { predicateName } from './program-names.ts';
import { bindAt, type ProgramPlace } from './program-place.ts';
import { printBind, readBind, type SourceBind } from './source-bind.ts';
import type { FoundColumn } from './surveys/found-table.ts';

/** A source that was connected. */
export interface ConnectedSource {
    readonly name: string;
    readonly columns: readonly FoundColumn[];
    /** Its bind, as `printBind` writes it. */
    readonly bind: string;
}

/** Sources that a program is to read. */
export interface WantedBinds {
    readonly sources: readonly ConnectedSource[];
    /** The program, with whatever errors. */
    readonly program: string;
    /** Where relative paths of the sources start. */
    readonly currentFolder: string;
    readonly place?: ProgramPlace;
}

/**
 * The clauses that a program lacks to read sources: for each that none of its binds reads, a bind of a predicate that the program fills with
 * nothing else, and the model with the types of its columns where it has none.
 */
export function writtenBinds({ sources, program, currentFolder, place }: WantedBinds): string {
    const { value } = readProgram(program, '');
    const annotations = placedAnnotations(value);
    const binds = namedAnnotations(annotations, 'bind', 'qbind');
    const read = new Set(binds.map(({ annotation }) => JSON.stringify([annotation.name, ...annotation.arguments.slice(1).map(textOf)])));
    const models = new Set(namedAnnotations(annotations, 'model').map(({ predicate }) => predicate));
    const filled = [...value.clauses.flatMap(atomsOf), ...binds, ...namedAnnotations(annotations, 'input')];
    const taken = new Set(filled.map(({ predicate }) => predicate));
    const written = sources.flatMap(({ name, columns, bind: kept }) => {
        const bind = readBind(kept);
        const placed = bindAt(bind, currentFolder, place);
        if (read.has(sourceKey(bind)) || read.has(sourceKey(placed))) return [];
        const predicate = uniqueName(predicateName(name), '_', taken);
        return [printBind(predicate, placed), ...(models.has(predicate) || columns.length === 0 ? [] : [modelOf(predicate, columns)])];
    });
    return formatText(written.map(clause => `${clause}\n`).join(''));
}

function sourceKey({ kind, source, outer, inner }: SourceBind): string {
    return JSON.stringify([kind, ...[source, outer, inner].map(text => text.replaceAll('${', () => '$${'))]);
}
