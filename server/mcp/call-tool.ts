import { Errors } from 'typebox/value';
import { RunStopped } from '#engine/reports.ts';
import { say } from '#language/program/say.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { ApiError } from '#server/protocol/platform/api-error.ts';
import { ConnectionError } from '#server/remote/connect.ts';
import { DataDirectoryError } from '#server/store/data-directory.ts';
import { CommandsBusy } from './commands.ts';
import { type Tool, type ToolAnswer, ToolMisuse, type ToolPlace } from './tool.ts';

/** Calls a tool with what a model gave it. What it did wrong, and what failed, is told in the answer. */
export async function callTool(
    called: Tool,
    input: Readonly<Record<string, unknown>>,
    place: () => ToolPlace | Promise<ToolPlace>,
): Promise<ToolAnswer> {
    try {
        return await called.call(validInput(called, input), await place());
    } catch (error) {
        return { text: failureText(error), isError: true };
    }
}

function validInput({ input }: Tool, given: Readonly<Record<string, unknown>>): unknown {
    const unknown = Object.keys(given).find(name => !Object.hasOwn(input.properties, name));
    if (unknown !== undefined)
        throw new ToolMisuse(say`There is no argument '${unknown}'; there are ${Object.keys(input.properties).join(', ')}`);
    const [wrong] = Errors(input, given);
    if (wrong !== undefined) throw new ToolMisuse(say`${wrong.instancePath.slice(1)}: ${wrong.message}`.replace(/^: /u, ''));
    return given;
}

/** What a model is told of a call that failed; what is our own fault goes on, and is told as such. */
export function failureText(error: unknown): string {
    if (error instanceof PlatformError) return error.details === null ? error.message : `${error.message}\n${jsonOf(error.details)}`;
    const isTold = [ToolMisuse, ApiError, RunStopped, ConnectionError, DataDirectoryError, CommandsBusy].some(
        kind => error instanceof kind,
    );
    if (isTold) return (error as Error).message;
    if (error instanceof TypeError && error.cause instanceof Error) return say`The service cannot be reached: ${error.cause.message}`;
    throw error;
}
