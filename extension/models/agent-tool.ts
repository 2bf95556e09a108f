/** A tool for language models, as `tools.json` describes it. */
export interface AgentTool {
    readonly name: string;
    /** For a model. */
    readonly description: string;
    readonly input: object;
    readonly isReadOnly: boolean;
    /** Its answers may contain rows of data. */
    readonly givesRows: boolean;
}

/** Arguments by name. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Its name among the tools of all extensions. */
export function toolId({ name }: Pick<AgentTool, 'name'>): string {
    return `rulelang_${name}`;
}

/** The user is asked before something changes, and before a model sees rows, unless these may always be sent. */
export function isAsked({ isReadOnly, givesRows }: AgentTool, samples: string): boolean {
    return !isReadOnly || (givesRows && samples !== 'rows');
}
