import { bindKey } from '#language/analysis/binds.ts';
import { isFileType } from '#language/library/connected-sources.ts';
import type { Bind, Predicate } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import type { LastRun } from './run-sizes.ts';

/** The age of a source, for people. */
export interface SourceAge {
    readonly text: string;
    /** It has changed since the last run read it. */
    readonly changed: boolean;
}

/** How old the sources of a predicate are: a file by its last change, any other by when the last run read it. `named` marks their names. */
export function sourceAges(
    document: EditorDocument,
    run: LastRun | undefined,
    { inputBinds }: Predicate,
    named: (name: string) => string = name => name,
): readonly SourceAge[] {
    return inputBinds.flatMap(bind => {
        const name = named(bind.kind === 'qbind' || bind.inner === '' ? bind.outer : bind.inner);
        if (isFileType(bind.type)) return fileAge(document, run, bind, name);
        return run === undefined ? [] : [{ text: say`${name} was read by the last run at ${momentText(run.moment)}`, changed: false }];
    });
}

function fileAge(document: EditorDocument, run: LastRun | undefined, bind: Bind, name: string): SourceAge[] {
    const now = document.stampOf(bind);
    const nanoseconds = now === undefined ? undefined : /^\d+ (\d+)$/u.exec(now)?.[1];
    if (nanoseconds === undefined) return [];
    const moment = momentText(new Date(Number(BigInt(nanoseconds) / 1_000_000n)));
    const read = run?.stamps.get(bindKey(bind));
    if (read === undefined) return [{ text: say`${name} is of ${moment}`, changed: false }];
    return read === now
        ? [{ text: say`${name} is of ${moment}; the last run read it so`, changed: false }]
        : [{ text: say`${name} is of ${moment}, after the last run read it`, changed: true }];
}

/** `2026-05-12 10:03`, where the user is. */
function momentText(moment: Date): string {
    const two = (number: number): string => String(number).padStart(2, '0');
    const day = [moment.getFullYear(), two(moment.getMonth() + 1), two(moment.getDate())].join('-');
    return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}
