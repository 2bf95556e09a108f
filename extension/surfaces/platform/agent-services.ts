import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import type { AgentServices, OwnCall } from '../agent/agent-chat.ts';

/** A project whose concepts the agent works with. */
export interface AgentPlace {
    readonly scope: 'user' | 'organization';
    readonly project: string;
}

type Asked = Pick<
    PlatformClient,
    | 'chat'
    | 'decideProposal'
    | 'undoTurn'
    | 'resetSession'
    | 'agentStatus'
    | 'listConcepts'
    | 'searchDocumentation'
    | 'runConcept'
    | 'fetchResults'
    | 'explainRow'
>;

const ROWS = 50;
/** Milliseconds: a session that was stopped a moment ago may still be ending. */
const BUSY = { pause: 150, most: 5_000 };

/** What the platform does for the agent of a project; changes wait for decisions. */
export function agentServices(client: Asked, { scope, project }: AgentPlace): AgentServices {
    const path = { project_id: project };
    const services: AgentServices = {
        async chat({ message, session, model }, heard, signal) {
            const body = { message, session_id: session, apply: 'ask', ...(model !== undefined && { model }) } as const;
            for (let waited = 0; ; waited += BUSY.pause) {
                try {
                    await client.chat({ path, body }, signal, heard);
                    return;
                } catch (reason) {
                    if (!(reason instanceof PlatformError) || reason.code !== 'session_busy' || waited >= BUSY.most) throw reason;
                    await new Promise(resolve => setTimeout(resolve, BUSY.pause));
                    signal.throwIfAborted();
                }
            }
        },
        async decide(session, proposal, decision) {
            const decided =
                decision.kind === 'edit' ? { decision: decision.kind, rulelang_code: decision.code } : { decision: decision.kind };
            await client.decideProposal({ path, body: { session_id: session, proposal_id: proposal, ...decided } });
        },
        undo: async session => (await client.undoTurn({ path, body: { session_id: session } })).restored_concepts,
        async reset(session) {
            await client.resetSession({ path, body: { session_id: session } });
        },
        remembered: async session => (await client.agentStatus({ path, query: { session_id: session } })).messages,
        async definition(name) {
            const concepts = await client.listConcepts({ path, query: { scope } });
            return concepts.find(({ concept_name }) => concept_name === name)?.definition;
        },
        call: (call, signal) => called(call, signal),
    };
    const called = async (call: OwnCall, signal: AbortSignal): Promise<object> => {
        switch (call.tool) {
            case 'search_docs':
                return await client.searchDocumentation({ query: { question: call.question } }, signal);
            case 'run_concept': {
                const run = { path: { ...path, concept_name: call.concept }, body: { scope } };
                const { rows_processed, columns, results, warnings } = await client.runConcept(run, signal);
                return { rows_processed, columns, rows: results.slice(0, ROWS), warnings };
            }
            case 'fetch_results':
                return await client.fetchResults({ path, query: { output_predicate: call.concept, scope, page_size: ROWS } }, signal);
            case 'explain': {
                const query = { concept_name: call.concept, row: call.row, scope };
                const { words, changed_files } = await client.explainRow({ path, query }, signal);
                return { explanation: words, changed_files };
            }
        }
    };
    return services;
}
