import { join, parse } from 'node:path';
import { say } from '#language/program/say.ts';
import { bundledDocumentation } from '#server/assistant/bundled-documentation.ts';
import { documentationPages } from '#server/assistant/documentation-pages.ts';
import { configuredModels } from '#server/model/configured-models.ts';
import { usableMemory } from '#server/processes/process-memory.ts';
import { usualThreads } from '#server/processes/usual-threads.ts';
import type { HostGrant } from '#server/protocol/host-grant.ts';
import type { PythonUse, RunFolders } from '#server/protocol/run-process.ts';
import { lanes } from '#server/runs/lanes.ts';
import { configurationIn } from '#server/store/configuration.ts';
import {
    type DataDirectory,
    DataDirectoryError,
    lockDataDirectory,
    openDataDirectory,
    StoreUnavailable,
    sweepUnfinished,
    usualDataDirectory,
} from '#server/store/data-directory.ts';
import { propertiesIn } from '#server/store/properties.ts';
import { dropUnfinishedResults } from '#server/store/results.ts';
import { ENDPOINTS } from '#server/store/running-services.ts';
import { sourcesIn } from '#server/store/sources.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { type UsageKind, usageIn } from '#server/store/usage.ts';
import { commandProcesses } from '#server/tools/commands.ts';
import type { Log } from './app.ts';
import { assistantApp, assistantComplaint } from './assistant.ts';
import { startBodies } from './bodies.ts';
import { connectedSources } from './connected-sources.ts';
import { type EngineContext, type EngineRoom, engineApp, engineComplaint } from './engine.ts';
import { type Complain, type Listener, listen, PortTaken } from './listener.ts';
import type { McpContext } from './mcp.ts';
import { openInBrowser, pageAddress } from './open-page.ts';
import { platformApp, platformComplaint } from './platform.ts';
import { rowExplanations } from './row-explanations.ts';
import { spoolIn } from './spool.ts';
import { issueToken, keepToken, type Role, signingKey, TOKEN_LIFE } from './token.ts';
import { prepareTools, startTools } from './tools.ts';

/** The options of `rulelang serve`. */
export interface ServeOptions {
    /** The usual one where absent. */
    readonly dataDirectory?: string;
    /** A store that lost what was saved in it is used as it is. */
    readonly acceptLoss: boolean;
    /** 0 means any free port. */
    readonly port: number;
    readonly enginePort: number;
    readonly chatPort: number;
    /** The first segments of every path of the platform API, `/svc`; empty for none. */
    readonly pathPrefix: string;
    readonly currentFolder: string;
    /** Evaluations of the platform at a time. */
    readonly parallel: number;
    /** The folder of the programs that the engine is asked for by name; one in the data directory where absent. */
    readonly repository?: string;
    /** Folders in which programs of the engine may read and write, whatever their caller. */
    readonly engineRoots: readonly string[];
    /** Hosts beyond this machine that programs of users may talk to. */
    readonly hosts: readonly HostGrant[];
    /** Variables of the environment that credentials of binds in programs of users may name. */
    readonly secrets: readonly string[];
    readonly requireToken: { readonly engine: boolean; readonly assistant: boolean };
    /** Conversations with the agent that are remembered. */
    readonly agentSessions: number;
    /** The end of standard input ends the services, too. */
    readonly endsWithInput: boolean;
    /** Requests to providers in a calendar month. */
    readonly usageLimits: Readonly<Record<UsageKind, number>>;
    /** How scripts of concepts are run; the engine runs none. */
    readonly python: PythonUse;
    /** Calls that a program may make of the configured model; none where absent. */
    readonly modelCalls: number | undefined;
}

/** Of the memory, for the evaluations of the platform and one of the engine together. */
const SHARE = 0.75;
const MOST_WAITING = 32;
/** Evaluations for explanations: those of viewers too, who may run nothing else. */
const MOST_EXPLANATIONS_WAITING = 8;
/** Commands of agents at a time. */
const PARALLEL_COMMANDS = 2;
/** Milliseconds for requests in flight after the evaluations were cancelled. */
const PATIENCE = 3_000;
/** Processes that read concepts for saves: a heavy one does not hold up those of others. */
const SAVING = 2;
/** Processes that look at sources: a database that does not answer holds up no others. */
const PROBING = 3;
const FAILED = 1;

/** Starts the three services and serves until a signal ends them; gives the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
    process.umask(0o077);
    try {
        const data = openDataDirectory(options.dataDirectory ?? usualDataDirectory(process.env, process.platform));
        const release = lockDataDirectory(data.path);
        try {
            sweepUnfinished(data);
            const store = await openStore(data, { acceptLoss: options.acceptLoss });
            try {
                await dropUnfinishedResults(store);
                return await serveIn(data, store, options);
            } finally {
                await store.close();
            }
        } finally {
            release();
        }
    } catch (error) {
        if (!(isOfData(error) || error instanceof PortTaken)) throw error;
        const isGone = error instanceof StoreUnavailable;
        const what = isGone ? say`the data directory is not available: ${error.message}` : error.message;
        process.stderr.write(say`rulelang serve: ${what}\n`);
        return FAILED;
    }
}

/** Prints a token that the services in a data directory accept. */
export async function printToken(options: {
    readonly dataDirectory?: string;
    readonly role: Role;
    readonly minutes?: number;
}): Promise<number> {
    try {
        const data = openDataDirectory(options.dataDirectory ?? usualDataDirectory(process.env, process.platform));
        process.stdout.write(`${await issueToken(signingKey(data), options.role, options.minutes ?? TOKEN_LIFE)}\n`);
        return 0;
    } catch (error) {
        if (!isOfData(error)) throw error;
        process.stderr.write(say`rulelang token: ${error.message}\n`);
        return FAILED;
    }
}

/** Prints the address of the page of the services in a data directory, and opens it in a browser unless it shall only be printed. */
export async function open(options: {
    readonly dataDirectory?: string;
    readonly role: Role;
    readonly printOnly: boolean;
}): Promise<number> {
    try {
        const data = openDataDirectory(options.dataDirectory ?? usualDataDirectory(process.env, process.platform));
        const address = await pageAddress(data, options.role);
        process.stdout.write(`${address}\n`);
        if (!options.printOnly && !(await openInBrowser(address)))
            process.stderr.write(say`rulelang open: no browser could be started; open the address yourself\n`);
        return 0;
    } catch (error) {
        if (!isOfData(error)) throw error;
        process.stderr.write(say`rulelang open: ${error.message}\n`);
        return FAILED;
    }
}

function isOfData(error: unknown): error is Error {
    return error instanceof DataDirectoryError || error instanceof StoreUnavailable;
}

async function serveIn(data: DataDirectory, store: Store, options: ServeOptions): Promise<number> {
    const { currentFolder } = options;
    const key = signingKey(data);
    await keepToken(data, key);
    const log: Log = line => void process.stderr.write(`${JSON.stringify(line)}\n`);
    const listeners: Listener[] = [];
    const state = { isClosing: false };
    const isClosing = (): boolean => state.isClosing;
    let evaluations = 0;
    const maxMemory = (usableMemory() * SHARE) / (options.parallel + 1);
    const threads = Math.max(1, Math.floor(usualThreads() / options.parallel));
    const evaluator = { currentFolder, maxMemory, threads, nextId: () => ++evaluations };
    const platformLanes = lanes({ parallel: options.parallel, mostWaiting: MOST_WAITING });
    const repository = options.repository ?? join(data.path, 'engine', 'repository');
    const engineLanes = lanes({ parallel: 1, mostWaiting: MOST_WAITING });
    const readers = {
        tools: startTools(1),
        texts: startTools(SAVING),
        plans: startTools(1),
        probes: startTools(PROBING),
    };
    const bodies = startBodies();
    const spool = spoolIn(data);
    const folders = userFolders(data, options);
    const sources = sourcesIn(store);
    const properties = propertiesIn(data);
    const reach = connectedSources(sources, properties);
    const explanationLanes = lanes({ parallel: 1, mostWaiting: MOST_EXPLANATIONS_WAITING });
    const documentation = bundledDocumentation();
    const mcp: McpContext = {
        commands: commandProcesses({ secrets: [], parallel: PARALLEL_COMMANDS }),
        folder: () => data.folder('mcp'),
        documentation,
        address: () => `http://127.0.0.1:${listeners[0]?.port}${options.pathPrefix}`,
    };
    const configuration = configurationIn(data);
    const usage = usageIn(store);
    const { usageLimits, hosts, modelCalls, python } = options;
    const models = configuredModels({ configuration, usage, usageLimits, hosts, modelCalls, data });
    const explanations = rowExplanations(store, explanationLanes, evaluator, texts => reach(folders, texts), python, models.keptAnswers);
    const platform = platformApp({
        key,
        prefix: options.pathPrefix,
        lanes: platformLanes,
        explanationLanes,
        evaluator,
        folders,
        reach,
        python,
        ...readers,
        bodies,
        sources,
        configuration,
        store,
        data,
        explanations,
        mcp,
        usage,
        models,
        spool,
        usageLimits,
        agentSessions: options.agentSessions,
        log,
        isClosing,
    });
    const engine = engineApp({
        lanes: engineLanes,
        evaluator,
        rooms: engineRooms(data, options, repository),
        repository,
        key,
        requiresToken: options.requireToken.engine,
        spool,
        bodies,
        models,
        data,
        properties,
        reach,
        log,
        isClosing,
    });
    const assistant = assistantApp({
        documentation,
        pages: documentationPages(),
        models,
        bodies,
        key: options.requireToken.assistant ? key : undefined,
        log,
        isClosing,
    });
    const stopped = new Promise<void>(resolve => {
        // A program that forwards signals may send the same one twice: it does not cut off an end that has begun.
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
        if (options.endsWithInput) process.stdin.resume().once('close', () => resolve());
    });
    try {
        const services = [
            { app: platform, port: options.port, complain: platformComplaint },
            { app: engine, port: options.enginePort, complain: engineComplaint },
            { app: assistant, port: options.chatPort, complain: assistantComplaint },
        ];
        for (const { app, port, complain } of services) listeners.push(await started(app, port, complain));
        const [base, engineUrl, chat] = listeners.map(({ port }) => `http://127.0.0.1:${port}`);
        const endpoints = {
            base_url: `${base}${options.pathPrefix}`,
            engine_url: engineUrl,
            chat_url: chat,
            pid: process.pid,
            started_at: new Date().toISOString(),
        };
        data.write(ENDPOINTS, `${JSON.stringify(endpoints, undefined, 1)}\n`);
        process.stdout.write(`platform  ${endpoints.base_url}\nengine    ${engineUrl}\nassistant ${chat}\ndata      ${data.path}\n`);
        prepareTools();
        await stopped;
        data.remove(ENDPOINTS);
        return 0;
    } finally {
        state.isClosing = true;
        if (options.endsWithInput) process.stdin.pause();
        for (const all of [platformLanes, explanationLanes, engineLanes]) all.cancelAll('shutting-down');
        await Promise.all(listeners.map(listener => listener.close(PATIENCE)));
        explanations.close();
        for (const reader of [...Object.values(readers), bodies]) reader.close();
    }
}

async function started(app: ReturnType<typeof platformApp>, port: number, complain: Complain): Promise<Listener> {
    await app.ready();
    return listen(port, (request, response) => app.routing(request, response), complain);
}

/** Files in which the system describes itself, with the environments of processes. */
const NO_FILES = ['/proc', '/sys'];

/** Returns the hosts and secrets of users' programs: this machine, and the granted ones. */
function userReach({ hosts, secrets }: ServeOptions): Pick<RunFolders, 'hosts' | 'secrets'> {
    return {
        hosts: [...['localhost', '127.0.0.1', '::1'].map(host => ({ host })), ...hosts],
        secrets: secrets.map(name => [name, process.env[name]]),
    };
}

/** A caller with a token reads what the user may read, but for what belongs to the services. */
function userFolders(data: DataDirectory, options: ServeOptions): RunFolders {
    const { currentFolder } = options;
    const disk = join(data.path, 'disk');
    const denied = [data.path, ...NO_FILES];
    return { read: [parse(currentFolder).root, disk], write: [currentFolder, disk], denied, ...userReach(options) };
}

/**
 * Programs that the engine evaluates without a token stay in a folder of the data directory; with one, they may work in the folder of
 * the service, too. Both read the repository, and work in the folders that were added for the engine.
 */
function engineRooms(data: DataDirectory, options: ServeOptions, repository: string): EngineContext['rooms'] {
    const { currentFolder, engineRoots } = options;
    const closed = data.folder(join('disk', 'engine'));
    const room = (first: string, ...others: readonly string[]): EngineRoom => {
        const write = [first, ...others, ...engineRoots];
        return { currentFolder: first, folders: { read: [...write, repository], write, denied: [data.path, ...NO_FILES] } };
    };
    const user = room(currentFolder, join(data.path, 'disk'));
    return { user: { ...user, folders: { ...user.folders, ...userReach(options) } }, closed: room(closed) };
}
