/** A call of a tool, as it stands in a conversation. */
export interface ToolCall {
    readonly tool: string;
    readonly input: Readonly<Record<string, unknown>>;
}

/** Names of tools, and those that they had in conversations and services of before. */
const TOOLS: Readonly<Record<string, string>> = {
    create_concept: 'save_concept',
    check_program: 'check',
    explain_row: 'explain',
    why_missing: 'why_not',
};

/** The call under the names that its tool and its arguments have now. */
export function currentCall(tool: string, input: unknown): ToolCall {
    const given = typeof input === 'object' && input !== null ? Object.entries(input) : [];
    const program = tool === 'create_concept' ? 'definition' : 'program';
    const names: Readonly<Record<string, string>> = { concept_name: 'name', rulelang_code: program };
    return { tool: TOOLS[tool] ?? tool, input: Object.fromEntries(given.map(([name, value]) => [names[name] ?? name, value])) };
}
