import { totalmem } from 'node:os';
import { pathToFileURL } from 'node:url';
import { type CancellationToken, ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { ProcessPlace, RunLimits } from '#server/protocol/run-process.ts';
import { RUN_SHAPES } from '#server/protocol/run-shapes.ts';
import { type InitializationOptions, type RevealedPlace, RUN_ERRORS, type RunRequests } from '#server/protocol/runs.ts';
import type { WhyNotRequests } from '#server/protocol/why-not.ts';
import { editorRuns, UnknownRun } from '#server/runs/editor-runs.ts';
import { Refusal } from '#server/runs/refusal.ts';
import { runModules } from '#server/runs/run-modules.ts';
import { filePath, type WorkspaceFolders } from '#server/workspace/folders.ts';
import type { Feature } from '../language-server.ts';

type Requests = RunRequests & WhyNotRequests;
type Handlers = {
    [M in keyof Requests]: (params: Requests[M]['params'], signal: AbortSignal) => Requests[M]['result'] | Promise<Requests[M]['result']>;
};

const WRITE = { title: 'Write the File' };

/** Runs in processes of their own, only in workspaces that the user trusts. */
export const runs: Feature = {
    capabilities: () => ({}),
    register: ({ connection, documents, reading, folders, options, trust, guard, problems }) => {
        const uris = new Map<number, string>();
        /** Programs that may write a file that is not called like data, by both paths: their texts, as they were then. */
        const allowed = new Map<string, string>();
        const live = editorRuns({
            mayWrite: async ({ file, text }, target) => {
                const key = JSON.stringify([file, target]);
                if (allowed.get(key) === text) return true;
                const words = `The program writes '${shownPath(target, folders.around(file))}', which is not called like a data file. Write it?`;
                if ((await connection.window.showWarningMessage(words, WRITE)) === undefined) return false;
                allowed.set(key, text);
                return true;
            },
            progress: progress => void connection.sendNotification('rulelang/runProgress', progress),
            ended: (end, reported) => {
                const uri = uris.get(end.run);
                if (uri !== undefined) problems.ended(uri, end.notices, reported);
                void connection.sendNotification('rulelang/runEnded', end);
            },
        });
        const limits = usualLimits(options);
        const handlers: Handlers = {
            'rulelang/run': async ({ uri, predicates, parameters = {} }) => {
                if (documents.get(uri)?.program.program.inclusion !== undefined) await reading.settled();
                const document = documents.get(uri);
                if (document === undefined) throw failed('This program is not open in the editor', RUN_ERRORS.unknownDocument);
                const file = folders.pathOf(uri);
                const modules = document.program.program.inclusion?.modules ?? [];
                problems.began(uri, new Map([uri, ...modules.map(module => module.file)].map(other => [folders.pathOf(other), other])));
                const run = live.start({
                    text: document.text,
                    file,
                    modules: runModules(
                        document.program.program.inclusion,
                        other => documents.positionsOf(other)?.text ?? '',
                        other => folders.pathOf(other),
                    ),
                    currentFolder: folders.around(file),
                    roots: folders.roots(),
                    parameters: new Map(Object.entries(parameters)),
                    limits,
                    ...(predicates === undefined ? {} : { predicates }),
                });
                uris.set(run, uri);
                return { run };
            },
            'rulelang/restore': ({ uri }) => ({ run: live.start({ kept: filePath(uri) ?? invalid('rulelang/restore'), limits }) }),
            'rulelang/keep': ({ uri, ...params }) => {
                const path = filePath(uri) ?? invalid('rulelang/keep');
                return live.ask('rulelang/keep', { ...params, path });
            },
            'rulelang/stop': ({ run }) => {
                live.stop(run);
                return null;
            },
            'rulelang/close': ({ run }) => {
                live.close(run);
                uris.delete(run);
                return null;
            },
            'rulelang/page': (params, signal) => live.ask('rulelang/page', params, signal),
            'rulelang/cell': (params, signal) => live.ask('rulelang/cell', params, signal),
            'rulelang/explain': (params, signal) => live.ask('rulelang/explain', params, signal),
            'rulelang/expand': (params, signal) => live.ask('rulelang/expand', params, signal),
            'rulelang/predicates': (params, signal) => live.ask('rulelang/predicates', params, signal),
            'rulelang/checkQuestion': (params, signal) => live.ask('rulelang/checkQuestion', params, signal),
            'rulelang/whyNot': (params, signal) => live.ask('rulelang/whyNot', params, signal),
            'rulelang/absence': (params, signal) => live.ask('rulelang/absence', params, signal),
            'rulelang/export': ({ uri, ...params }) => {
                const path = filePath(uri) ?? invalid('rulelang/export');
                return live.ask('rulelang/export', { ...params, path });
            },
            'rulelang/reveal': async params => {
                const place = await live.ask('rulelang/reveal', params);
                return place && revealed(place, uris.get(params.run), folders);
            },
        };
        for (const method of Object.keys(handlers) as (keyof Requests)[]) {
            connection.onRequest(
                method,
                guard.request(method, async (params: unknown, token?: CancellationToken): Promise<unknown> => {
                    if (!trust.granted) throw failed('Nothing runs in a workspace that is not trusted', RUN_ERRORS.untrusted);
                    if (!RUN_SHAPES[method](params)) return invalid(method);
                    const given = new AbortController();
                    const listening = token?.onCancellationRequested(() => given.abort());
                    try {
                        return await answered(() => handlers[method](params as never, given.signal));
                    } catch (error) {
                        if (given.signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
                        throw error;
                    } finally {
                        listening?.dispose();
                    }
                }),
            );
        }
        connection.onShutdown(() => live.closeAll());
        process.on('exit', () => live.closeAll());
    },
};

async function answered<T>(ask: () => T | Promise<T>): Promise<T> {
    try {
        return await ask();
    } catch (error) {
        if (error instanceof UnknownRun) throw failed(error.message, RUN_ERRORS.unknownRun);
        if (error instanceof Refusal) throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
        throw error;
    }
}

function failed(message: string, data: string): ResponseError<string> {
    return new ResponseError(LSPErrorCodes.RequestFailed, message, data);
}

function invalid(method: string): never {
    throw new ResponseError(ErrorCodes.InvalidParams, `${method} was asked with parameters that it does not have`);
}

/** A place that the editor may open: the program or one of its modules, or a file inside the workspace. */
function revealed(place: ProcessPlace, uri: string | undefined, folders: WorkspaceFolders): RevealedPlace | null {
    if (place.kind === 'program') {
        if (uri === undefined) return null;
        return { uri: place.file === folders.pathOf(uri) ? uri : pathToFileURL(place.file).href, range: place.range };
    }
    const isKnown = folders.roots().some(root => isInside(root, place.path, flavourOf(process.platform)));
    const start = { line: place.line, character: 0 };
    return isKnown ? { uri: pathToFileURL(place.path).href, range: { start, end: start } } : null;
}

const SHARE = 0.5;

/** Half of the memory, unless the user has said otherwise. */
function usualLimits({ limits = {} }: InitializationOptions): RunLimits {
    const constrained = process.constrainedMemory();
    const usable = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
    return { ...limits, maxMemory: limits.maxMemory ?? usable * SHARE };
}
