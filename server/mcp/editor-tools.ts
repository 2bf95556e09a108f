import { dirname } from 'node:path';
import { bundledDocumentation } from '#server/assistant/bundled-documentation.ts';
import type { AGENT_TOOL_METHODS } from '#server/protocol/agent-tools.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { RunLimits } from '#server/protocol/run-process.ts';
import type { InitializationOptions } from '#server/protocol/runs.ts';
import { commandProcesses } from '#server/tools/commands.ts';
import type { ProgramFolder, ToolPlace } from '#server/tools/tool.ts';
import type { WorkspaceFolders } from '#server/workspace/folders.ts';
import { connectToServices } from './services.ts';
import { textAnswer } from './text-answer.ts';

type Methods = typeof AGENT_TOOL_METHODS;
type Call = ParamsOf<Methods, 'rulelang/callTool'>;
type Answer = ResultOf<Methods, 'rulelang/callTool'>;

/** Milliseconds for a program that nobody has seen. */
const LONGEST_TRIAL = 5_000;
/** Commands at a time. */
const PARALLEL = 2;

/** Where tools work on behalf of an editor: on the folders of its workspace, with what its settings grant. */
export type EditorPlace = (
    call: Pick<Call, 'uri' | 'unseen' | 'dataDirectory'>,
    signal: AbortSignal,
) => ToolPlace & { readonly folder: ProgramFolder };

export function editorPlace(options: InitializationOptions, limits: RunLimits, folders: WorkspaceFolders): EditorPlace {
    const commands = commandProcesses({ secrets: options.secrets ?? [], parallel: PARALLEL });
    return ({ uri, unseen = false, dataDirectory }, signal) => {
        const roots = folders.roots();
        const own = uri === undefined ? [] : [dirname(folders.pathOf(uri))];
        const granted = {
            read: [...roots.map(root => `--allow-read=${root}`), ...(unseen ? [] : reached(options))],
            write: unseen ? [] : roots.map(root => `--allow-write=${root}`),
            python: unseen ? [] : scripts(options),
            limits: limitsOf(unseen ? { ...limits, timeout: Math.min(limits.timeout ?? LONGEST_TRIAL, LONGEST_TRIAL) } : limits),
        };
        return {
            folder: { commands, options: granted, folders: [...own, ...roots], hasFiles: roots.length > 0 },
            platform: () => connectToServices(dataDirectory === undefined ? {} : { dataDirectory }),
            documentation: bundledDocumentation(),
            signal,
        };
    };
}

/** The tools there. */
export function editorTools(place: EditorPlace): (call: Call, signal: AbortSignal) => Promise<Answer> {
    return async (call, signal) => {
        const { text, failure, hasErrors } = await textAnswer(call, place(call, signal));
        return { text, isError: failure !== undefined, hasErrors };
    };
}

function reached({ allowNet = [], secrets = [] }: InitializationOptions): string[] {
    return [...allowNet.map(host => `--allow-net=${host}`), ...secrets.map(name => `--secret=${name}`)];
}

function scripts({ python }: InitializationOptions): string[] {
    if (python?.enabled !== true) return [];
    return [
        '--allow-python',
        ...(python.network ? ['--python-net'] : []),
        ...(python.path === undefined ? [] : [`--python=${python.path}`]),
    ];
}

function limitsOf({ maxMemory, timeout, maxRounds }: RunLimits): string[] {
    return [
        `--max-memory=${Math.floor(maxMemory)}`,
        ...(timeout === undefined ? [] : [`--timeout=${timeout}ms`]),
        ...(maxRounds === undefined ? [] : [`--max-rounds=${maxRounds}`]),
    ];
}
