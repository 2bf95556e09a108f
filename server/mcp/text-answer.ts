import { jsonOf } from '#server/protocol/json-text.ts';
import { callTool } from '#server/tools/call-tool.ts';
import type { Answer, Outcome } from '#server/tools/tool.ts';
import { toldFailure } from '#server/tools/tool-error.ts';

export interface TextAnswer {
    readonly text: string;
    /** The code of what failed, where the call did. */
    readonly failure?: string;
    /** It was done, and the program that it is about has errors. */
    readonly hasErrors: boolean;
}

/** Calls a tool with what a model gave it, and changes at once what it changes. What failed is told in the answer. */
export async function textAnswer(...call: Parameters<typeof callTool>): Promise<TextAnswer> {
    try {
        const { data, text = jsonOf(data), hasErrors = false } = await carriedOut(await callTool(...call));
        return { text, hasErrors };
    } catch (error) {
        return { text: failureText(error), failure: toldFailure(error).code, hasErrors: false };
    }
}

/** Returns the words for a model about a failure; throws a defect again. */
export function failureText(error: unknown): string {
    const { message, details } = toldFailure(error);
    return details === undefined ? message : `${message}\n${jsonOf(details)}`;
}

function carriedOut(outcome: Outcome): Answer | Promise<Answer> {
    switch (outcome.kind) {
        case 'answer':
            return outcome;
        case 'save':
            return outcome.carryOut(outcome.code);
        case 'run':
            return outcome.carryOut();
    }
}
