import { isFlag, object, optional, type Shape, textUpTo } from './shape.ts';

/** What an editor asks about an open program as a whole. Nothing runs for it, and it needs no trust. */

export interface ProgramReference {
    readonly uri: string;
}

/** Names of predicates, each once, in the order of their first appearance. */
export interface WireInterface {
    readonly headPredicates: readonly string[];
    readonly inputPredicates: readonly string[];
}

export interface WireBind {
    readonly predicate: string;
    /** The whole annotation, with a final dot. */
    readonly annotation: string;
}

export interface WireBinds {
    /** The program without its annotations. */
    readonly code: string;
    readonly binds: { readonly input: readonly WireBind[]; readonly output: readonly WireBind[] };
}

/** Requests, by method name. Nothing is answered for a program that is not open or has syntax errors, and for a text that is no bind. */
export type ToolRequests = {
    'rulelang/analyze': { readonly params: ProgramReference; readonly result: WireInterface | null };
    'rulelang/parseBinds': { readonly params: ProgramReference & { readonly outputPredicate?: string }; readonly result: WireBinds | null };
    'rulelang/buildBind': {
        readonly params: { readonly annotation: string; readonly predicateName: string; readonly isOutput: boolean };
        readonly result: { readonly annotation: string } | null;
    };
};

const LONGEST = 1 << 16;
const uri = textUpTo(LONGEST);
const name = textUpTo(LONGEST);

export const TOOL_SHAPES: { readonly [M in keyof ToolRequests]: Shape<ToolRequests[M]['params']> } = {
    'rulelang/analyze': object({ uri }),
    'rulelang/parseBinds': object({ uri, outputPredicate: optional(name) }),
    'rulelang/buildBind': object({ annotation: textUpTo(LONGEST), predicateName: name, isOutput: isFlag }),
};
