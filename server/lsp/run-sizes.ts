import { bindKey } from '#language/analysis/binds.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Cell } from '#server/protocol/runs.ts';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';

/** The rows that a run found. */
export interface FoundRows {
    /** By the keys of predicates. */
    readonly rows: ReadonlyMap<string, number>;
    /** The first rows of a predicate, those of an output in its order; nothing where the run has no rows of it any more. */
    first(predicate: PredicateKey): Promise<FirstRows | undefined>;
    /** The texts of a column that begin with some letters, small or capital, the most frequent first. */
    texts(predicate: PredicateKey, column: number, begun: string): Promise<readonly string[]>;
}

/** Rows that a run is asked for, to show what they look like. */
export const FIRST_ROWS = 5;

export interface FirstRows {
    readonly columns: readonly string[];
    readonly cells: readonly (readonly Cell[])[];
    /** How many values of each column are unknown, of all rows. */
    readonly unknown: readonly number[];
}

/** The state of a program and its files when a run read them. */
export interface ReadState {
    readonly version: number | undefined;
    /** Stamps of its files, by the keys of binds. */
    readonly stamps: ReadonlyMap<string, string>;
    /** The moment at which its sources were read. */
    readonly moment: Date;
}

/** A run that has ended, beside the program as it is now. */
export interface LastRun extends FoundRows, Omit<ReadState, 'version'> {
    /** The program has another text than the run. */
    readonly stale: boolean;
}

/** How many rows predicates had in the last finished run of each program. */
export interface RunSizes {
    /** The state that a run reads which begins now. */
    began(program: string): ReadState;
    /** The state after an edit that the rows of a run follow: it does not read its sources again. */
    followed(program: string, read: ReadState): ReadState;
    ended(program: string, read: ReadState, run: FoundRows): void;
    of(program: string): LastRun | undefined;
    forget(program: string): void;
    /** Whether they stand in the text; they do, until the user turns it off. */
    readonly inline: boolean;
    /** Whether they stand behind atoms, too; they do not, until the user turns it on. */
    readonly atAtoms: boolean;
    show(shown: boolean, atAtoms: boolean): void;
    /** Hears that a run has told others than before. */
    onChanged(hear: () => void): void;
}

function asItIs(document: EditorDocument | undefined): ReadState {
    const binds = document?.program.analysed.binds.filter(({ direction }) => direction === 'input') ?? [];
    const stamps = binds.flatMap(bind => {
        const stamp = document?.stampOf(bind);
        return stamp === undefined ? [] : [[bindKey(bind), stamp] as const];
    });
    return { version: document?.version, stamps: new Map(stamps), moment: new Date() };
}

export function runSizes(documents: Documents): RunSizes {
    let isShown = true;
    let isAtAtoms = false;
    const finished = new Map<string, { readonly read: ReadState; readonly run: FoundRows }>();
    const hearing: (() => void)[] = [];
    const changed = (): void => {
        for (const hear of hearing) hear();
    };
    return {
        began: program => asItIs(documents.get(program)),
        followed: (program, read) => ({ ...read, version: documents.get(program)?.version }),
        ended(program, read, run) {
            finished.set(program, { read, run });
            changed();
        },
        of(program) {
            const found = finished.get(program);
            if (found === undefined) return undefined;
            const { version, ...read } = found.read;
            return { ...found.run, ...read, stale: version !== documents.get(program)?.version };
        },
        forget: program => void finished.delete(program),
        get inline() {
            return isShown;
        },
        get atAtoms() {
            return isAtAtoms;
        },
        show(shown, atAtoms) {
            if (isShown === shown && isAtAtoms === atAtoms) return;
            isShown = shown;
            isAtAtoms = atAtoms;
            changed();
        },
        onChanged: hear => void hearing.push(hear),
    };
}

/** How many rows the last run found, where it found all of them. */
export function rowsText(run: LastRun | undefined, key: PredicateKey): string | undefined {
    const count = run?.rows.get(key);
    if (run === undefined || count === undefined) return undefined;
    const rows = counted(count, 'row');
    return run.stale ? say`${rows} before the change` : rows;
}
