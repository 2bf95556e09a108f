import { DOCUMENTATION_TOOLS } from './documentation-tools.ts';
import { PROGRAM_TOOLS } from './program-tools.ts';
import { SERVICE_TOOLS } from './service-tools.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [...PROGRAM_TOOLS, ...SERVICE_TOOLS, ...DOCUMENTATION_TOOLS];

/** What the extension of VS Code knows of the tools, as `extension/tools.json` has it. */
export function extensionTools(): string {
    const tools = TOOLS.map(({ name, description, input, isReadOnly, viewer, givesRows = !viewer }) => ({
        name,
        description,
        input,
        isReadOnly,
        /** What it answers may be rows of data. */
        givesRows,
    }));
    return `${JSON.stringify(tools, undefined, 4)}\n`;
}
