import {
    isAnything,
    isCount,
    isFlag,
    isNumber,
    isText,
    listOf,
    type Of,
    object,
    oneOf,
    optional,
    type Shape,
} from '#server/protocol/shape.ts';

/** An attachment that the user gives to the agent beside the words of a message. */
export const isAttachment = object({
    kind: oneOf('rows', 'problem', 'explanation', 'program', 'source'),
    title: isText,
    /** As it is sent. */
    text: isText,
});
export type Attachment = Of<typeof isAttachment>;

const isTrial = object({
    outputs: listOf(object({ predicate: isText, row_count: isNumber, why_empty: optional(listOf(isText)) })),
    not_run: listOf(isText),
});

const isProposal = object({
    /** The id of the decision for which the turn waits. */
    id: optional(isText),
    concept: isText,
    code: isText,
    /** The current definition of the concept; none if it is new. */
    before: optional(isText),
    description: isText,
    /** The access that needs the user's consent, if that is why the agent asks. */
    reason: optional(isText),
    trial: optional(isTrial),
    state: oneOf('waiting', 'accepted', 'rejected', 'lapsed'),
});
export type Proposal = Of<typeof isProposal>;

const isTextPart = object({ kind: oneOf('text'), text: isText });
const isCallPart = object({
    kind: oneOf('call'),
    tool: isText,
    input: isAnything,
    proposal: optional(isProposal),
    /** None where the call has not ended. */
    result: optional(isAnything),
    /** Only the front of the result is there. */
    cut: optional(isFlag),
});
const isErrorPart = object({ kind: oneOf('error'), code: isText, message: isText });
const isPart: Shape<Part> = (value): value is Part => isTextPart(value) || isCallPart(value) || isErrorPart(value);
export type CallPart = Of<typeof isCallPart>;
export type Part = Of<typeof isTextPart> | CallPart | Of<typeof isErrorPart>;

export const isTurn = object({
    id: isCount,
    /** The answering side: the agent, or the services alone, without a model. */
    asked: oneOf('agent', 'services'),
    message: isText,
    attachments: listOf(isAttachment),
    /** Milliseconds since 1970. */
    began: isNumber,
    model: optional(isText),
    parts: listOf(isPart),
    state: oneOf('running', 'done', 'stopped', 'failed'),
    /** Concepts that it has changed. */
    changed: listOf(isText),
    /** They are as they were before. */
    undone: optional(isFlag),
});
/** A message and all that was answered. */
export type Turn = Of<typeof isTurn>;

/** A line of an answer as it comes from the services; other types than the known ones are passed over. */
export interface Line {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
}

/** The turn with one more line of its answer. */
export function withLine(turn: Turn, { type, data }: Line): Turn {
    switch (type) {
        case 'metadata':
            return isText(data['model']) ? { ...turn, model: data['model'] } : turn;
        case 'content':
            return isText(data['chunk']) ? { ...turn, parts: withText(turn.parts, data['chunk']) } : turn;
        case 'tool_start':
            return { ...turn, parts: [...turn.parts, { kind: 'call', tool: String(data['tool']), input: data['input'] ?? {} }] };
        case 'proposal':
            return changedCall(turn, call => ({ ...call, proposal: proposalOf(data) }));
        case 'tool_result':
            return changedCall(turn, call => ended(call, data));
        case 'done': {
            const changed = data['changed_concepts'];
            return { ...turn, state: 'done', changed: listOf(isText)(changed) ? changed : [] };
        }
        case 'error':
            return withEnd({ ...turn, parts: [...turn.parts, errorPart(data['code'], data['message'])] }, 'failed');
        default:
            return turn;
    }
}

/** The turn as it stays when nothing more comes: what has not ended never does. */
export function withEnd(turn: Turn, state: 'stopped' | 'failed'): Turn {
    const parts = turn.parts.map(part => {
        if (part.kind !== 'call' || part.proposal?.state !== 'waiting') return part;
        return { ...part, proposal: { ...part.proposal, state: 'lapsed' as const } };
    });
    return { ...turn, parts, state };
}

export function withError(turn: Turn, code: string, message: string): Turn {
    return withEnd({ ...turn, parts: [...turn.parts, errorPart(code, message)] }, 'failed');
}

/** The turn once the user has decided about a proposal, and has perhaps made another text of it. */
export function withDecision(turn: Turn, id: string, decision: 'accepted' | 'rejected', code?: string): Turn {
    const parts = turn.parts.map(part => {
        if (part.kind !== 'call' || part.proposal?.id !== id) return part;
        return { ...part, proposal: { ...part.proposal, state: decision, ...(code !== undefined && { code }) } };
    });
    return { ...turn, parts };
}

/** The proposal of that id which waits for a decision. */
export function waitingProposal(turn: Turn | undefined, id: string): { readonly tool: string; readonly proposal: Proposal } | undefined {
    for (const part of turn?.parts ?? [])
        if (part.kind === 'call' && part.proposal?.id === id && part.proposal.state === 'waiting')
            return { tool: part.tool, proposal: part.proposal };
    return undefined;
}

/** Returns the words of a turn, without the calls of tools. */
export function wordsOf({ parts }: Turn): string {
    return parts.map(part => (part.kind === 'text' ? part.text : '')).join('');
}

/** Why a call has no result. */
export function failureOf(result: unknown): { readonly code: string; readonly message: string } | undefined {
    const error = result !== null && typeof result === 'object' && 'error' in result ? result.error : undefined;
    return error !== null && typeof error === 'object' && 'message' in error && 'code' in error
        ? { code: String(error.code), message: String(error.message) }
        : undefined;
}

function withText(parts: readonly Part[], chunk: string): Part[] {
    const last = parts.at(-1);
    if (last?.kind !== 'text') return [...parts, { kind: 'text', text: chunk }];
    return [...parts.slice(0, -1), { kind: 'text', text: last.text + chunk }];
}

function changedCall(turn: Turn, change: (call: CallPart) => CallPart): Turn {
    const last = turn.parts.at(-1);
    return last?.kind === 'call' ? { ...turn, parts: [...turn.parts.slice(0, -1), change(last)] } : turn;
}

function proposalOf(data: Line['data']): Proposal {
    const { proposal_id: id, description, reason, before, dry_run: trial } = data;
    return {
        ...(isText(id) && { id }),
        concept: String(data['concept_name']),
        code: String(data['rulelang_code']),
        ...(isText(before) && { before }),
        description: isText(description) ? description : '',
        ...(isText(reason) && { reason }),
        ...(isTrial(trial) && { trial }),
        state: isText(id) ? 'waiting' : 'accepted',
    };
}

function ended(call: CallPart, data: Line['data']): CallPart {
    const { result = null, truncated } = data;
    const { proposal } = call;
    const state = failureOf(result)?.code === 'rejected' ? 'rejected' : 'accepted';
    return { ...call, result, ...(truncated === true && { cut: true }), ...(proposal && { proposal: { ...proposal, state } }) };
}

function errorPart(code: unknown, message: unknown): Part {
    return { kind: 'error', code: String(code ?? ''), message: String(message ?? '') };
}
