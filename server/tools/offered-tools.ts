import { type TObject, Type } from 'typebox';
import type { Need, Tool, ToolPlace } from './tool.ts';
import { TOOLS } from './tools.ts';

/** Decides which tools are offered, and with which arguments. */
export interface Offer {
    readonly has: ReadonlySet<Need>;
    /** Only the tools of those who may only look. */
    readonly isViewer?: boolean;
}

/** Needs of tools that a place meets. */
export function needsMetIn({ folder, project }: Pick<ToolPlace, 'folder' | 'project'>): ReadonlySet<Need> {
    return new Set<Need>([
        ...(folder === undefined ? [] : (['folder'] as const)),
        ...(folder?.hasFiles ? (['files'] as const) : []),
        ...(project === undefined ? (['projects', 'sources'] as const) : (['project'] as const)),
    ]);
}

export function isOffered({ needs, viewer }: Tool, { has, isViewer = false }: Offer): boolean {
    return (needs === undefined || has.has(needs)) && (viewer || !isViewer);
}

/** The tools of a place, in the order in which they are listed. */
export function offeredTools(offer: Offer): readonly Tool[] {
    return TOOLS.filter(tool => isOffered(tool, offer));
}

/** The arguments of a tool where it is offered. Clients refuse what it does not know, rather than send it in vain. */
export function inputOf({ input, inputWith = {} }: Tool, { has }: Offer): TObject {
    const further = Object.entries(inputWith).map(([need, properties]) => (has.has(need as Need) ? properties : {}));
    return Type.Object(Object.assign({}, input, ...further), { additionalProperties: false });
}

/** Returns the text of `extension/models/tools.json`, from which the extension of VS Code knows the tools; its windows may have folders with files. */
export function extensionTools(): string {
    const offer: Offer = { has: new Set(['folder', 'files', 'projects', 'sources']) };
    const tools = offeredTools(offer).map(tool => {
        const { name, description, isReadOnly, viewer, givesRows = !viewer } = tool;
        return {
            name,
            description,
            input: inputOf(tool, offer),
            isReadOnly,
            /** Its answers may hold rows of data. */
            givesRows,
        };
    });
    return `${JSON.stringify(tools, undefined, 4)}\n`;
}
