import type { Type } from '#language/program/types.ts';
import type { ScriptFault, ShownFailure } from '../reports/script-fault.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import type { AnswerTarget } from './answer-target.ts';

/** Runs the scripts of rules (12.2). Without it a rule with one ends the run with RT060. */
export interface ScriptEngine {
    /** Why it runs none; told before anything is evaluated. */
    readonly unavailable?: ScriptsUnavailable;
    /** Adds the rows that a script returns, once each or more often. Throws `ScriptFailed` where it has none. */
    run(call: ScriptRun, target: AnswerTarget): Promise<void>;
}

/** In words for the user: why no script is run, and what to do about it. */
export interface ScriptsUnavailable {
    readonly reason: string;
    readonly remedy: string;
}

export interface ScriptRun {
    /** As the rule names it. */
    readonly script: string;
    /** The name of the file of the rule. */
    readonly file: string;
    /** Names of the columns in the head: the keys of a row. */
    readonly columns: readonly string[];
    /** The parameters of the run that have a value. */
    readonly parameters: ReadonlyMap<string, ScriptParameter>;
    readonly dictionary: Dictionary;
}

export interface ScriptParameter {
    readonly value: ValueId;
    readonly type: Type;
}

/** Why a script has no rows; the message goes on from its name: `failed: no such city`. */
export class ScriptFailed extends Error {
    readonly fault: ScriptFault;
    readonly shown: ShownFailure;

    constructor(message: string, fault: ScriptFault, shown: ShownFailure = {}) {
        super(message);
        this.fault = fault;
        this.shown = shown;
    }
}
