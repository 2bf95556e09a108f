import type { TObject } from 'typebox';
import { Errors } from 'typebox/value';
import { say } from '#language/program/say.ts';
import { FORMER_TOOLS } from './former-tools.ts';
import { inputOf, isOffered, needsMetIn, type Offer, offeredTools } from './offered-tools.ts';
import type { Outcome, Tool, ToolPlace } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Calls a tool with what a model gave it. A `ToolError` says what is wrong with the call; `toldFailure` reads what else is thrown. */
export async function callTool(
    { name, input }: { readonly name: string; readonly input: unknown },
    place: ToolPlace,
    isViewer = false,
): Promise<Outcome> {
    const offer = { has: needsMetIn(place), isViewer };
    const offered = offeredTools(offer);
    const current = offered.find(one => one.name === name);
    const called = formerTool(name, input, current === undefined, offer) ?? current;
    if (called === undefined) {
        const names = offered.map(one => one.name).join(', ');
        throw new ToolError('tool_not_found', say`There is no tool '${name}'; there are ${names}`);
    }
    return await called.call(validInput(inputOf(called, offer), input), place);
}

/** A tool as it was called before. A name that has stayed means it where the call has an argument of before. */
function formerTool(name: string, input: unknown, isOther: boolean, offer: Offer): Tool | undefined {
    const hasArgument = (tool: Tool): boolean => isObject(input) && Object.keys(tool.input).some(key => Object.hasOwn(input, key));
    return FORMER_TOOLS.find(tool => tool.name === name && isOffered(tool, offer) && (isOther || hasArgument(tool)));
}

function validInput(schema: TObject, given: unknown): unknown {
    const unknown = isObject(given) ? Object.keys(given).find(name => !Object.hasOwn(schema.properties, name)) : undefined;
    if (unknown !== undefined) throw new ToolError('validation_error', noArgument(unknown, Object.keys(schema.properties)));
    const [wrong] = Errors(schema, given);
    if (wrong === undefined) return given;
    const place = wrong.instancePath.slice(1);
    throw new ToolError('validation_error', place === '' ? wrong.message : say`${place}: ${wrong.message}`);
}

function noArgument(name: string, names: readonly string[]): string {
    return names.length === 0
        ? say`There is no argument '${name}'; it has none`
        : say`There is no argument '${name}'; there are ${names.join(', ')}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
