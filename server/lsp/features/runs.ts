import { pathToFileURL } from 'node:url';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import { shownPath } from '#server/files/shown-path.ts';
import type { ProcessPlace } from '#server/protocol/explaining.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { type Handlers, inOneWay } from '#server/protocol/methods.ts';
import { RELAYED_METHODS, RUN_METHODS, type RunMethods } from '#server/protocol/run-methods.ts';
import { type RevealedPlace, RUN_ERRORS } from '#server/protocol/runs.ts';
import { type EditorRuns, editorRuns, UnknownRun } from '#server/runs/editor-runs.ts';
import { Refusal } from '#server/runs/refusal.ts';
import { runModules } from '#server/runs/run-modules.ts';
import { filePath, type WorkspaceFolders } from '#server/workspace/folders.ts';
import { answerMethods } from '../answer-methods.ts';
import { wrongParameters } from '../guard.ts';
import type { Feature } from '../language-server.ts';
import { pythonOf } from '../python-of.ts';
import { runModels } from '../run-models.ts';
import { usualLimits } from '../usual-limits.ts';

/** Runs in processes of their own, only in workspaces that the user trusts. */
export const runs: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { connection, documents, reading, folders, options, trust, problems } = server;
        const uris = new Map<number, string>();
        /** Programs that may write a file that is not called like data, by both paths: their texts, as they were then. */
        const allowed = new Map<string, string>();
        const live = editorRuns({
            providers: runModels(server),
            mayWrite: async ({ file, text }, target) => {
                const key = JSON.stringify([file, target]);
                if (allowed.get(key) === text) return true;
                const words = say`The program writes '${shownPath(target, folders.around(file))}', which is not called like a data file. Write it?`;
                if ((await connection.window.showWarningMessage(words, { title: say`Write the File` })) === undefined) return false;
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
        const python = pythonOf(options);
        const ask: EditorRuns['ask'] = (method, params, signal) => answered(live.ask(method, params, signal));
        const handlers: Handlers<RunMethods, AbortSignal> = {
            ...inOneWay(RELAYED_METHODS, ({ method, params }, signal: AbortSignal) => ask(method, params, signal)),
            'rulelang/run': async ({ uri, predicates, parameters = {} }) => {
                if (documents.get(uri)?.program.program.inclusion !== undefined) await reading.settled();
                const document = documents.get(uri);
                if (document === undefined) throw failed(say`This program is not open in the editor`, RUN_ERRORS.unknownDocument);
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
                    hosts: (options.allowNet ?? []).flatMap(text => hostGrant(text) ?? []),
                    secrets: options.secrets ?? [],
                    parameters: new Map(Object.entries(parameters)),
                    limits,
                    python,
                    ...(predicates === undefined ? {} : { predicates }),
                });
                uris.set(run, uri);
                return { run };
            },
            'rulelang/restore': ({ uri }) => ({ run: live.start({ kept: filePath(uri) ?? refuseParameters('rulelang/restore'), limits }) }),
            'rulelang/keep': ({ uri, ...params }) => {
                const path = filePath(uri) ?? refuseParameters('rulelang/keep');
                return ask('rulelang/keep', { ...params, path });
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
            'rulelang/export': ({ uri, ...params }) => {
                const path = filePath(uri) ?? refuseParameters('rulelang/export');
                return ask('rulelang/export', { ...params, path });
            },
            'rulelang/reveal': async params => {
                const place = await ask('rulelang/reveal', params);
                return place && revealed(place, uris.get(params.run), folders);
            },
        };
        answerMethods(server, RUN_METHODS, handlers, () => {
            if (!trust.granted) throw failed(say`Nothing runs in a workspace that is not trusted`, RUN_ERRORS.untrusted);
        });
        connection.onShutdown(() => live.closeAll());
        process.on('exit', () => live.closeAll());
    },
};

async function answered<T>(answer: Promise<T>): Promise<T> {
    try {
        return await answer;
    } catch (error) {
        if (error instanceof UnknownRun) throw failed(error.message, RUN_ERRORS.unknownRun);
        if (error instanceof Refusal) throw new ResponseError(LSPErrorCodes.RequestFailed, error.message);
        throw error;
    }
}

function failed(message: string, data: string): ResponseError<string> {
    return new ResponseError(LSPErrorCodes.RequestFailed, message, data);
}

function refuseParameters(method: string): never {
    throw wrongParameters(method);
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
