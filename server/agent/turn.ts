import { say } from '#language/program/say.ts';
import type { Model, ModelMessage, ToolCall } from '#server/model/model.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { callTool } from '#server/tools/call-tool.ts';
import { inputOf, needsMetIn, offeredTools } from '#server/tools/offered-tools.ts';
import type { Outcome } from '#server/tools/tool.ts';
import { ToolError, toldFailure } from '#server/tools/tool-error.ts';
import type { AgentWork, Trial } from './agent-work.ts';
import type { Decision } from './decisions.ts';
import { type Proposal, proposedRun, proposedSave } from './proposals.ts';

/** One line of an answer of the agent. */
export type AgentLine =
    | {
          readonly type: 'metadata';
          readonly data: { readonly project_id: string; readonly model: string | null; readonly context_loaded: boolean };
      }
    | { readonly type: 'tool_start'; readonly data: { readonly tool: string; readonly input: unknown } }
    | { readonly type: 'proposal'; readonly data: ProposalData }
    | { readonly type: 'tool_result'; readonly data: { readonly tool: string; readonly result: unknown; readonly truncated?: true } }
    | { readonly type: 'content'; readonly data: { readonly chunk: string } }
    | { readonly type: 'done'; readonly data: { readonly project_id: string; readonly changed_concepts: readonly string[] } }
    | { readonly type: 'error'; readonly data: { readonly code: string; readonly message: string } };

interface ProposalData {
    readonly tool: string;
    readonly concept_name: string;
    readonly rulelang_code: string;
    readonly description: string;
    /** Names what it reaches or writes, if the user is asked for that. */
    readonly reason?: string;
    /** Its result on the data at hand. */
    readonly dry_run?: Trial;
    /** Present if the turn waits for a decision about it. */
    readonly proposal_id?: string;
}

export interface Turn {
    readonly model: Model;
    readonly system: string;
    /** Earlier messages, and the question. */
    readonly messages: readonly ModelMessage[];
    readonly work: AgentWork;
    /** Waits for the user to decide about a proposal; absent where changes are made at once. */
    readonly ask?: () => { readonly id: string; readonly decided: Promise<Decision> };
}

/** Calls of tools in a turn at most. */
const MOST_CALLS = 12;
/** Bytes of a line at most; less for what else is in it. */
const LONGEST_LINE = 1024 * 1024 - 4096;
/** Characters of a result that the model is given. */
const LONGEST_RESULT = 64 * 1024;
/** Characters of a text that is kept of a result which is too long for its line. */
const KEPT = 64 * 1024;

/**
 * Answers a message: the model speaks and calls tools, whose results it is given, until it calls none. Gives the text of the answer in the end. Whatever
 * stops the model is thrown; what stops a tool is told to the model.
 */
export async function* turnLines({ model, system, messages, work, ask }: Turn): AsyncGenerator<AgentLine, string> {
    const said: string[] = [];
    const all = [...messages];
    const offer = { has: needsMetIn(work) };
    const tools = offeredTools(offer).map(tool => ({
        name: tool.name,
        description: tool.description,
        parameters: inputOf(tool, offer),
    }));
    let calls = 0;
    for (;;) {
        let text = '';
        const wanted: ToolCall[] = [];
        for await (const piece of model.stream({ system, messages: all, tools, signal: work.signal })) {
            if (piece.kind === 'call') wanted.push(piece.call);
            if (piece.kind !== 'text') continue;
            text += piece.text;
            yield { type: 'content', data: { chunk: piece.text } };
        }
        said.push(text);
        if (wanted.length === 0) return said.join('');
        all.push({ role: 'assistant', text, calls: wanted });
        for (const call of wanted) {
            if (++calls > MOST_CALLS) throw new ToolLimit();
            const result = yield* called(call, work, ask);
            all.push({ role: 'tool', id: call.id, name: call.name, result: forModel(result) });
        }
    }
}

/** The turn has called as many tools as it may. */
export class ToolLimit extends Error {
    readonly code = 'tool_limit';

    constructor() {
        super(say`A turn calls at most ${MOST_CALLS} tools`);
    }
}

async function* called({ name, input = {} }: ToolCall, work: AgentWork, ask: Turn['ask']): AsyncGenerator<AgentLine, unknown> {
    yield { type: 'tool_start', data: { tool: name, input } };
    let result: unknown;
    try {
        result = yield* carriedOut(name, await callTool({ name, input }, work), work, ask);
    } catch (error) {
        work.signal.throwIfAborted();
        result = { error: toldFailure(error) };
    }
    yield resultLine(name, result);
    return result;
}

/** Gives what a call comes to. What would change or reach something is proposed before it is done. */
async function* carriedOut(tool: string, outcome: Outcome, work: AgentWork, ask: Turn['ask']): AsyncGenerator<AgentLine, object> {
    switch (outcome.kind) {
        case 'answer':
            return outcome.data;
        case 'save':
            return yield* settled(tool, await proposedSave(outcome, work), ask);
        case 'run': {
            const proposal = await proposedRun(outcome, work);
            return proposal === undefined ? (await outcome.carryOut()).data : yield* settled(tool, proposal, ask);
        }
    }
}

/** Shows a proposal, waits for what the user decides where he is asked, and does it. Without a way to ask, a change that needs consent is not made. */
async function* settled(tool: string, proposal: Proposal, ask: Turn['ask']): AsyncGenerator<AgentLine, object> {
    const { concept, code, description, reason, trial } = proposal;
    if (ask === undefined && reason !== undefined)
        throw new ToolError(
            'forbidden',
            say`Access is not granted (RT063): ${reason}. The user can do it himself, or have changes asked for`,
        );
    const asked = ask?.();
    const shown = { tool, concept_name: concept, rulelang_code: code, description };
    yield {
        type: 'proposal',
        data: {
            ...shown,
            ...(reason !== undefined && { reason }),
            ...(trial !== undefined && { dry_run: trial }),
            ...(asked !== undefined && { proposal_id: asked.id }),
        },
    };
    const decision = await asked?.decided;
    if (decision?.kind === 'reject')
        throw new ToolError('rejected', say`The user did not agree to this for '${concept}'; nothing was done`);
    const final = decision?.code ?? code;
    const { data: result } = await proposal.carryOut(final);
    if (final !== code) return { ...result, rulelang_code: final };
    return trial === undefined ? result : { ...result, dry_run: counted(trial) };
}

/** Returns the part of a trial for the model: reasons for an empty output hold values of rows, which it is not sent unasked. */
function counted({ outputs, not_run }: Trial): Trial {
    return { outputs: outputs.map(({ predicate, row_count }) => ({ predicate, row_count })), not_run };
}

function resultLine(tool: string, result: unknown): AgentLine {
    const whole = jsonOf(result);
    if (Buffer.byteLength(whole) <= LONGEST_LINE) return { type: 'tool_result', data: { tool, result } };
    return { type: 'tool_result', data: { tool, result: { cut: whole.slice(0, KEPT) }, truncated: true } };
}

/** Values from data, concepts and documents are marked as what they are: they say nothing to the model. */
function forModel(result: unknown): unknown {
    const whole = jsonOf(result);
    return { data: whole.length <= LONGEST_RESULT ? whole : say`${whole.slice(0, LONGEST_RESULT)}… (cut)` };
}
