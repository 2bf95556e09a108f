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
    /** The first rows of an output, in their order; nothing where the run has no rows of the predicate any more. */
    first(predicate: PredicateKey, most: number): Promise<FirstRows | undefined>;
}

export interface FirstRows {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
    /** How many values of each column are unknown, of all rows; it takes a look at each of them. */
    nulls(): Promise<readonly (number | undefined)[]>;
}

/** A run that has ended, beside the program as it is now. */
export interface LastRun extends FoundRows {
    /** The program has another text than the run. */
    readonly stale: boolean;
    /** Stamps of its files when it began, by the keys of binds. */
    readonly stamps: ReadonlyMap<string, string>;
}

/** How many rows predicates had in the last finished run of each program. */
export interface RunSizes {
    began(program: string): void;
    ended(program: string, run: FoundRows): void;
    of(program: string): LastRun | undefined;
    forget(program: string): void;
    /** Whether they stand in the text; they do, until the user turns it off. */
    readonly inline: boolean;
    /** Whether they stand behind atoms, too; they do not, until the user turns it on. */
    readonly atAtoms: boolean;
    show(shown: boolean, atAtoms: boolean): void;
}

interface Begun {
    readonly version: number | undefined;
    readonly stamps: ReadonlyMap<string, string>;
}

function asItIs(document: EditorDocument | undefined): Begun {
    const binds = document?.program.analysed.binds.filter(({ direction }) => direction === 'input') ?? [];
    const stamps = binds.flatMap(bind => {
        const stamp = document?.stampOf(bind);
        return stamp === undefined ? [] : [[bindKey(bind), stamp] as const];
    });
    return { version: document?.version, stamps: new Map(stamps) };
}

/** `changed` is called when a run has told others than before. */
export function runSizes(documents: Documents, changed: () => void): RunSizes {
    let isShown = true;
    let isAtAtoms = false;
    const begun = new Map<string, Begun>();
    const finished = new Map<string, Begun & { readonly run: FoundRows }>();
    return {
        began: program => void begun.set(program, asItIs(documents.get(program))),
        ended(program, run) {
            finished.set(program, { ...(begun.get(program) ?? asItIs(undefined)), run });
            changed();
        },
        of(program) {
            const found = finished.get(program);
            return found && { ...found.run, stamps: found.stamps, stale: found.version !== documents.get(program)?.version };
        },
        forget(program) {
            begun.delete(program);
            finished.delete(program);
        },
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
    };
}

/** How many rows the last run found, where it found all of them. */
export function rowsText(run: LastRun | undefined, key: PredicateKey): string | undefined {
    const count = run?.rows.get(key);
    if (run === undefined || count === undefined) return undefined;
    const rows = counted(count, 'row');
    return run.stale ? say`${rows} before the change` : rows;
}
