import { pathToFileURL } from 'node:url';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { queryClauses } from '#language/tools/query-clauses.ts';
import { flavourOf, isInside } from '#server/files/path-rule.ts';
import { shownPath } from '#server/files/shown-path.ts';
import { Refusal } from '#server/notices/refusal.ts';
import type { ProcessPlace } from '#server/protocol/explaining.ts';
import { hostGrant } from '#server/protocol/host-grant.ts';
import { type Login, loginHosts } from '#server/protocol/login.ts';
import { type Handlers, inOneWay } from '#server/protocol/methods.ts';
import { RELAYED_METHODS, RUN_METHODS, type RunMethods } from '#server/protocol/run-methods.ts';
import type { ComparedRuns, RunModules } from '#server/protocol/run-process.ts';
import { type RevealedPlace, RUN_ERRORS, type RunEnd } from '#server/protocol/runs.ts';
import { type EditorRuns, editorRuns, UnknownRun } from '#server/runs/editor-runs.ts';
import { clauseLike } from '#server/runs/run-difference.ts';
import { runModules } from '#server/runs/run-modules.ts';
import { searchedEffects } from '#server/runs/searched-effects.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { filePath, type WorkspaceFolders } from '#server/workspace/folders.ts';
import { answerMethods } from '../answer-methods.ts';
import { wrongParameters } from '../guard.ts';
import type { Feature } from '../language-server.ts';
import { refusedNeed } from '../project-needs.ts';
import { pythonOf } from '../python-of.ts';
import { runModels } from '../run-models.ts';
import { FIRST_ROWS, type FoundRows, type ReadState } from '../run-sizes.ts';
import { usualLimits } from '../usual-limits.ts';

/** Texts of a column that are offered at a time. */
const MOST_TEXTS = 100;

/** Runs in processes of their own, only in workspaces that the user trusts. */
export const runs: Feature = {
    capabilities: () => ({}),
    register: server => {
        const { connection, documents, reading, folders, options, trust, problems, sizes } = server;
        const uris = new Map<number, string>();
        /** The states that runs have read, by run. */
        const reads = new Map<number, ReadState>();
        /** The files of runs that are compared. */
        const comparisons = new Map<number, ComparedRuns['compared']>();
        /** Programs that may write a file that is not called like data, by both paths: their texts, as they were then. */
        const allowed = new Map<string, string>();
        const live = editorRuns({
            providers: runModels(server),
            mayWrite: async ({ file, text }, target) => {
                const key = JSON.stringify([file, target]);
                if (allowed.get(key) === text) return true;
                const name = shownPath(target.path, folders.around(file));
                const [words, title] =
                    target.kept === undefined
                        ? [say`The program writes '${name}', which is not called like a data file. Write it?`, say`Write the File`]
                        : [say`The program replaces '${name}', and its bind does not say so: ${target.kept}. Replace it?`, say`Replace It`];
                if ((await connection.window.showWarningMessage(words, { title })) === undefined) return false;
                allowed.set(key, text);
                return true;
            },
            progress: progress => void connection.sendNotification('rulelang/runProgress', progress),
            ended: (end, told) => {
                const uri = uris.get(end.run);
                if (uri !== undefined) {
                    problems.ended(uri, end.notices, told);
                    const read = reads.get(end.run);
                    if (end.outcome === 'finished' && read !== undefined) void learnSizes(uri, read, end);
                }
                void connection.sendNotification('rulelang/runEnded', end);
            },
        });
        /** A run that is closed before it has told them has none. */
        const learnSizes = async (
            uri: string,
            read: ReadState,
            { run, outputs }: Pick<Extract<RunEnd, { outcome: 'finished' }>, 'run' | 'outputs'>,
        ): Promise<void> => {
            const known = await live.ask('rulelang/predicates', { run }).catch(() => []);
            const rows = known.flatMap(({ key, facts }) => (facts === undefined ? [] : [[key, facts] as const]));
            const first = new Map<string, ReturnType<FoundRows['first']>>();
            sizes.ended(uri, read, {
                rows: new Map([...rows, ...outputs.map(output => [output.key, output.rows] as const)]),
                first: predicate => {
                    const asked =
                        first.get(predicate) ??
                        live.ask('rulelang/sample', { run, predicate, limit: FIRST_ROWS }).then(
                            sample => sample ?? undefined,
                            () => undefined,
                        );
                    first.set(predicate, asked);
                    return asked;
                },
                texts: (predicate, column, begun) =>
                    live.ask('rulelang/texts', { run, predicate, column, begun, limit: MOST_TEXTS }).catch(() => []),
            });
            void connection.sendNotification('rulelang/rowsCounted', { uri });
        };
        const limits = usualLimits(options);
        const python = pythonOf(options);
        const reach = (logins: readonly Login[] = []) => ({
            roots: folders.roots(),
            hosts: [...(options.allowNet ?? []).flatMap(text => hostGrant(text) ?? []), ...loginHosts(logins)],
            secrets: options.secrets ?? [],
            logins: logins.filter(({ password }) => password !== ''),
        });
        const openProgram = async (uri: string): Promise<EditorDocument> => {
            if (documents.get(uri)?.program.program.inclusion !== undefined) await reading.settled();
            return documents.get(uri) ?? refuseUnopened();
        };
        const modulesOf = ({ program: { program } }: EditorDocument): RunModules =>
            runModules(
                program.inclusion,
                other => documents.positionsOf(other)?.text ?? '',
                other => folders.pathOf(other),
            );
        const ask: EditorRuns['ask'] = (method, params, signal) => answered(live.ask(method, params, signal));
        const handlers: Handlers<RunMethods, AbortSignal> = {
            ...inOneWay(RELAYED_METHODS, ({ method, params }, signal: AbortSignal) => ask(method, params, signal)),
            'rulelang/run': async ({ uri, predicates, body, parameters = {}, connected = [], profiled, live: follows }) => {
                const document = await openProgram(uri);
                const file = folders.pathOf(uri);
                const query = body === undefined ? undefined : queryClauses(document.text, body);
                if (body !== undefined && query === undefined) throw failed(say`'${body}' is no body of a rule`, RUN_ERRORS.noBody);
                const modules = document.program.program.inclusion?.modules ?? [];
                problems.began(uri, new Map([uri, ...modules.map(module => module.file)].map(other => [folders.pathOf(other), other])));
                const read = sizes.began(uri);
                const run = live.start({
                    text: query === undefined ? document.text : `${document.text}\n${query.clauses}\n`,
                    file,
                    modules: modulesOf(document),
                    currentFolder: folders.around(file),
                    ...reach(connected),
                    refused: refusedNeed(file, { folders, options, connected: { logins: connected } }),
                    parameters: new Map(Object.entries(parameters)),
                    ...(profiled === true && { profiled }),
                    limits,
                    python,
                    // The rows of a body are looked at once.
                    ...(body === undefined && { remembered: true as const }),
                    ...(follows !== undefined && body === undefined && { live: follows }),
                    ...(query !== undefined ? { predicates: [query.predicate] } : predicates !== undefined && { predicates }),
                });
                uris.set(run, uri);
                reads.set(run, read);
                return { run };
            },
            'rulelang/follow': async ({ run, rested }) => {
                const uri = uris.get(run);
                if (uri === undefined) throw failed(new UnknownRun().message, RUN_ERRORS.unknownRun);
                const document = await openProgram(uri);
                const first = reads.get(run);
                const read = first && sizes.followed(uri, first);
                const followed = await ask('rulelang/follow', { run, text: document.text, modules: modulesOf(document), rested });
                if (followed.kind === 'rows' && read !== undefined) void learnSizes(uri, read, { run, outputs: followed.outputs });
                return followed;
            },
            'rulelang/restore': ({ uri }) => ({ run: live.start({ kept: filePath(uri) ?? refuseParameters('rulelang/restore'), limits }) }),
            'rulelang/gather': gathered => ({ run: live.start({ gathered, limits }) }),
            'rulelang/give': params => ask('rulelang/give', params),
            'rulelang/compare': ({ before, after }) => {
                const pathOf = (uri: string): string => filePath(uri) ?? refuseParameters('rulelang/compare');
                const compared = { before: pathOf(before), after: pathOf(after) };
                const run = live.start({ compared, limits });
                comparisons.set(run, compared);
                return { run };
            },
            'rulelang/effects': ({ run }, signal) => {
                const searched = comparisons.get(run);
                if (searched === undefined) throw failed(new UnknownRun().message, RUN_ERRORS.unknownRun);
                return searchedEffects({ searched, ...reach(), limits }, signal);
            },
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
                reads.delete(run);
                comparisons.delete(run);
                return null;
            },
            'rulelang/export': ({ uri, ...params }) => {
                const path = filePath(uri) ?? refuseParameters('rulelang/export');
                return ask('rulelang/export', { ...params, path });
            },
            'rulelang/clausePlace': ({ uri, clause }) => {
                const program = documents.get(uri)?.program.program;
                const found = program && clauseLike(program, clause);
                const target = found && documents.positionsOf(found.place.file);
                if (found === undefined || target === undefined) return null;
                const { offset } = found.place;
                return { uri: found.place.file, range: target.rangeOf({ start: offset + found.span.start, end: offset + found.span.end }) };
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

function refuseUnopened(): never {
    throw failed(say`This program is not open in the editor`, RUN_ERRORS.unknownDocument);
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
