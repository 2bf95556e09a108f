import type { FastifyReply } from 'fastify';
import type { ConfiguredModels } from '#server/model/configured-models.ts';
import type { RouteAnswer, RouteInput } from '#server/protocol/platform/route.ts';
import type { PlatformRouteName, PlatformRoutes } from '#server/protocol/platform/routes.ts';
import type { PythonUse, RunFolders } from '#server/protocol/run-process.ts';
import type { Lanes } from '#server/runs/lanes.ts';
import type { Configuration } from '#server/store/configuration.ts';
import type { DataDirectory } from '#server/store/data-directory.ts';
import type { Sources } from '#server/store/sources.ts';
import type { Store } from '#server/store/store.ts';
import type { Usage, UsageKind } from '#server/store/usage.ts';
import type { Log } from './app.ts';
import type { Bodies } from './bodies.ts';
import type { Reach } from './connected-sources.ts';
import type { Evaluator } from './evaluate.ts';
import type { McpContext } from './mcp.ts';
import type { FormFields } from './read-body.ts';
import type { RowExplanations } from './row-explanations.ts';
import type { Spool } from './spool.ts';
import type { Caller } from './token.ts';
import type { Tools } from './tools.ts';

/** The services that the handlers of the platform API use. */
export interface PlatformContext {
    readonly key: Uint8Array;
    /** The first segments of every path, such as `/svc`; empty for none. */
    readonly prefix: string;
    /** Of runs. */
    readonly lanes: Lanes;
    readonly explanationLanes: Lanes;
    readonly evaluator: Evaluator;
    readonly folders: RunFolders;
    readonly reach: Reach;
    readonly python: PythonUse;
    /** Reads what is only looked at, or translated. */
    readonly tools: Tools;
    /** Reads what requests bring. */
    readonly bodies: Bodies;
    /** Reads the concepts that are saved. */
    readonly texts: Tools;
    /** Reads the concepts that runs need. */
    readonly plans: Tools;
    /** Looks at files of sources; gives up early. */
    readonly probes: Tools;
    readonly sources: Sources;
    readonly configuration: Configuration;
    readonly store: Store;
    readonly data: DataDirectory;
    readonly explanations: RowExplanations;
    /** For agents that speak the Model Context Protocol. */
    readonly mcp: McpContext;
    readonly usage: Usage;
    /** Language models, as the user has configured them. */
    readonly models: ConfiguredModels;
    /** Holds what readers have not taken yet. */
    readonly spool: Spool;
    /** Conversations with the agent that are remembered. */
    readonly agentSessions: number;
    /** Requests in a calendar month. */
    readonly usageLimits: Readonly<Record<UsageKind, number>>;
    readonly log: Log;
    readonly isClosing: () => boolean;
}

/** The caller, and the ways to send an answer that is not one value. */
export interface Exchange {
    readonly caller: Caller;
    /** Aborted when the client goes away. */
    readonly departure: AbortSignal;
    /** Sends `data` piece by piece, in the envelope, with the usual message or another. */
    sendData(pieces: AsyncIterable<string>, message?: string): Promise<void>;
    /** Sends a JSON body that has no envelope. */
    sendRaw(status: number, pieces: AsyncIterable<string>): Promise<void>;
    readonly reply: FastifyReply;
}

/** A handler's answer: a value, with the usual message or its own; undefined if the handler has sent its answer. */
export type Answer<T> = { readonly data: T; readonly message?: string } | undefined;

export type RouteHandler<R extends PlatformRouteName> = (
    input: RouteInput<PlatformRoutes[R]> & { readonly form?: FormFields | undefined },
    exchange: Exchange,
) => Promise<Answer<RouteAnswer<PlatformRoutes[R]>>> | Answer<RouteAnswer<PlatformRoutes[R]>>;

/** The handlers of some routes. */
export type RouteHandlers<R extends PlatformRouteName = PlatformRouteName> = { readonly [N in R]: RouteHandler<N> };
