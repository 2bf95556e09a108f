import type { TObject } from 'typebox';
import type { ProgramEffects } from '#language/tools/program-effects.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import type { RouteAnswer } from '#server/protocol/platform/route.ts';
import type { PlatformRoutes } from '#server/protocol/platform/routes.ts';

/** A concept as the platform tells of it. */
export type ConceptRecord = RouteAnswer<PlatformRoutes['listConcepts']>[number];

/** What the model of the agent may call. */
export interface AgentTool {
    readonly name: string;
    /** For the model. */
    readonly description: string;
    readonly input: TObject;
    /** Gives the result, or a change that is proposed before it is made. */
    call(input: unknown, work: AgentWork): Promise<object | Proposal>;
}

/** Something that is shown to the user before it is done. */
export class Proposal {
    readonly concept: string;
    /** The text of the concept, without errors. */
    readonly code: string;
    /** What it is about, in a sentence. */
    readonly description: string;
    /** Why the user must agree, where he must: what it reaches or writes. */
    readonly reason: string | undefined;
    /** What it gave when it was tried. */
    readonly trial: Trial | undefined;
    /** Does it, with this text or the one that the user made of it, and gives the result of the call. */
    readonly carryOut: (code: string) => Promise<object>;

    constructor(about: Pick<Proposal, 'concept' | 'code' | 'description' | 'reason' | 'trial' | 'carryOut'>) {
        this.concept = about.concept;
        this.code = about.code;
        this.description = about.description;
        this.reason = about.reason;
        this.trial = about.trial;
        this.carryOut = about.carryOut;
    }
}

/** What a program gave when it was tried. */
export interface Trial {
    readonly outputs: readonly { readonly predicate: string; readonly row_count: number; readonly why_empty?: readonly string[] }[];
    readonly not_run: readonly string[];
}

/** What tools work with, on behalf of one caller, in one project. */
export interface AgentWork {
    readonly client: PlatformClient;
    readonly project: string;
    readonly scope: 'user' | 'organization';
    readonly signal: AbortSignal;
    /** What `check` says of a concept that would be saved under a name. */
    check(name: string, code: string): Promise<readonly Diagnostic[]>;
    /** What a program touches of the world, as a concept with this output where one is named; undefined where its syntax is wrong. */
    effects(code: string, output?: string): Promise<ProgramEffects | undefined>;
    /** What a program gives on the data at hand, and what was not tried; nothing is written or stored. */
    tryOut(code: string, effects: ProgramEffects): Promise<Trial>;
    /** Concepts as they were before the turn, by name, of those that it changes; undefined for those that it made. */
    readonly changed: Map<string, ConceptRecord | undefined>;
}

/** Why a call has no result, in the words of the platform's errors. */
export class ToolFailure extends Error {
    readonly code: string;
    readonly details: unknown;

    constructor(code: string, message: string, details: unknown = undefined) {
        super(message);
        this.code = code;
        this.details = details;
    }
}
