import type { Static, TObject } from 'typebox';
import type { Documentation } from '#server/assistant/documentation.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Commands } from './commands.ts';

/** One tool for programs that speak the Model Context Protocol. */
export interface Tool {
    readonly name: string;
    readonly title: string;
    /** What it does and when to use it, for a model. */
    readonly description: string;
    readonly input: TObject;
    /** It changes nothing. */
    readonly isReadOnly: boolean;
    /** What a change replaces is lost. */
    readonly isDestructive?: boolean;
    /** Those who may only look may use it. */
    readonly viewer: boolean;
    /** Rows of data may be in its answer; where absent, as for others than viewers. */
    readonly givesRows?: boolean;
    call(input: unknown, place: ToolPlace): Promise<ToolAnswer>;
}

export interface ToolAnswer {
    readonly text: string;
    readonly isError?: boolean;
    /** The call went well, and the program that it is about has errors. */
    readonly hasErrors?: boolean;
}

/** Where tools work, and on whose behalf. */
export interface ToolPlace {
    readonly commands: Commands;
    /** Options of commands that evaluate: what they may touch, and their limits. */
    readonly options: EvaluationOptions;
    /** Folders that hold programs, the first being the current one. */
    readonly folders: readonly string[];
    /** Programs may be named by their files. */
    readonly hasFiles: boolean;
    /** The platform service; throws where there is none, and says how to start it. */
    readonly platform: () => PlatformClient;
    readonly documentation: Documentation | undefined;
    /** Aborted when nobody waits for the answer any more. */
    readonly signal: AbortSignal;
}

/** As arguments of the command line. */
export interface EvaluationOptions {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly python: readonly string[];
    readonly limits: readonly string[];
}

/** What the one who called did wrong, in words for a model. */
export class ToolMisuse extends Error {}

/** A tool whose input has the types of its schema. */
export function tool<S extends TObject>(
    described: Omit<Tool, 'input' | 'call'> & { readonly input: S; call(input: Static<S>, place: ToolPlace): Promise<ToolAnswer> },
): Tool {
    return described as unknown as Tool;
}
