import type { Static, TObject, TProperties } from 'typebox';
import type { Documentation } from '#server/assistant/documentation.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { Commands } from './commands.ts';

/** Needs of tools and arguments. They are offered only in places that meet them. */
export type Need =
    /** Programs that a call gives are evaluated in a folder. */
    | 'folder'
    /** Programs may be named by their files. */
    | 'files'
    /** All calls work in one project. */
    | 'project'
    /** Each call names its project. */
    | 'projects'
    /** Calls may describe sources that are not connected. */
    | 'sources';

/** A tool for language models, which the agent, the Model Context Protocol and the editor offer. */
export interface Tool {
    readonly name: string;
    readonly title: string;
    /** Says to a model what the tool does and when to use it. */
    readonly description: string;
    /** Offered only in places that have it. */
    readonly needs?: Need;
    /** Arguments that it has everywhere. */
    readonly input: TProperties;
    /** Further arguments of places that have something, which replace those of the same name. */
    readonly inputWith?: InputWith;
    /** It changes nothing. */
    readonly isReadOnly: boolean;
    /** A change loses the text or the rows that it replaces. */
    readonly isDestructive?: boolean;
    /** Viewers may use it. */
    readonly viewer: boolean;
    /** Rows of data may be in its answer; where absent, as for others than viewers. */
    readonly givesRows?: boolean;
    /** Its input is valid for the place. A `ToolError` says why there is no outcome. */
    call(input: unknown, place: ToolPlace): Promise<Outcome>;
}

type InputWith = Partial<Readonly<Record<Need, TProperties>>>;

/** The result of a call. */
export type Outcome = Answer | ConceptSave | ConceptRun;

export interface Answer {
    readonly kind: 'answer';
    readonly data: object;
    /** The same to be read; the data as JSON where absent. */
    readonly text?: string;
    /** The call went well, and the program that it is about has errors. */
    readonly hasErrors?: boolean;
}

/** A program that is to be saved as a concept. */
export interface ConceptSave {
    readonly kind: 'save';
    readonly concept: string;
    readonly code: string;
    /** Undefined where it stays as it is. */
    readonly description: string | undefined;
    /** Saves this text under the name of the concept. */
    carryOut(code: string): Promise<Answer>;
}

/** A concept that is to be run. */
export interface ConceptRun {
    readonly kind: 'run';
    readonly concept: string;
    carryOut(): Promise<Answer>;
}

/** The place where tools work, and the caller for whom they do. */
export interface ToolPlace {
    /** The place for the evaluation of programs in calls. */
    readonly folder?: ProgramFolder;
    /** The project in which all calls work; where absent, each call names its own. */
    readonly project?: CurrentProject;
    /** The platform service; throws a `ToolError` where there is none, which says how to start it. */
    readonly platform: () => PlatformClient;
    readonly documentation: Documentation | undefined;
    /** Aborted when the caller no longer waits for the answer. */
    readonly signal: AbortSignal;
}

export interface ProgramFolder {
    readonly commands: Commands;
    /** Options of commands that evaluate: what they may touch, and their limits. */
    readonly options: EvaluationOptions;
    /** Folders that hold programs, the first being the current one. */
    readonly folders: readonly string[];
    /** Programs may be named by their files. */
    readonly hasFiles: boolean;
}

export interface CurrentProject {
    readonly id: string;
    readonly scope: Scope;
    /** Finds what is wrong with a program that would be saved under a name; without one, with a program by itself. */
    check(program: string, name?: string): Promise<readonly Diagnostic[]>;
}

export type Scope = 'user' | 'organization';

/** As arguments of the command line. */
export interface EvaluationOptions {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly python: readonly string[];
    readonly limits: readonly string[];
}

/** A tool whose input has the types of its schemas; an argument that some places add or replace may be missing. */
export function tool<I extends TProperties, W extends InputWith = Record<never, never>>(
    described: Omit<Tool, 'input' | 'inputWith' | 'call'> & {
        readonly input: I;
        readonly inputWith?: W;
        call(input: Input<I, Added<W>>, place: ToolPlace): Promise<Outcome>;
    },
): Tool {
    return described as unknown as Tool;
}

type Input<I extends TProperties, A> = Static<TObject<Omit<I, keyof A>>> & (A extends TProperties ? Partial<Static<TObject<A>>> : unknown);
type Added<W> = Intersected<W[keyof W]>;
type Intersected<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never;
