import type { ChainRun, ChainRunStep, FileStamp } from '#server/protocol/chain-run.ts';
import type { PlannedRun } from './plan-run.ts';

/** The programs of all steps that made a concept's stored rows, their present, and the state of their files. */
export type ResultPrograms = Pick<ChainRun, 'steps' | 'parameters' | 'now'> & NonNullable<Pick<ChainRun, 'explains'>['explains']>;

/** As it is kept. */
interface Written {
    readonly steps: readonly ChainRunStep[];
    readonly parameters: readonly (readonly [name: string, value: unknown])[];
    readonly stamps: readonly (readonly FileStamp[])[];
    /** Absent where an earlier version has stored the rows. */
    readonly now?: number;
}

/** A text that tells the programs of a run up to one of its steps. */
export function programsText({ steps, parameters, stamps, now }: Extract<PlannedRun, { readonly ok: true }>, step: number): string {
    const written: Written = {
        steps: steps.slice(0, step + 1).map(({ concept, text, ownStart, ownLength, overridden, modules, inputs, scripts }) => ({
            concept,
            text,
            ownStart,
            ownLength,
            overridden,
            modules,
            inputs,
            ...(scripts && { scripts }),
        })),
        parameters: [...parameters],
        stamps: stamps.slice(0, step + 1),
        now,
    };
    return JSON.stringify(written);
}

export function readPrograms(text: string): ResultPrograms {
    const { steps, parameters, stamps, now }: Written = JSON.parse(text);
    return { steps, parameters: new Map(parameters), stamps, ...(now !== undefined && { now }) };
}
