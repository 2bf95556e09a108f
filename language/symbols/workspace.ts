import type { OpenDocument } from '#language/document/open-document.ts';
import { findModules, modulesAmong } from '#language/modules/find-module.ts';
import { type FindModule, moduleNames } from '#language/modules/include.ts';

/** The documents that an editing function may look at. */
export interface Workspace {
    /** All of them, in an order that stays the same. */
    documents(): Iterable<OpenDocument>;
    /** Finds the modules that their includes name. */
    readonly find: FindModule;
}

/** A workspace of these documents and no others. */
export function workspaceOf(...documents: readonly OpenDocument[]): Workspace {
    const modules = documents.map(({ file, program }) => ({ file, clauses: program.clauses, problems: [] }));
    return { documents: () => documents, find: findModules(modulesAmong(modules)) };
}

/**
 * The documents in which something of this document is the same thing, this one first. A program is a file with all that it
 * includes, and a name means one thing in a program. So the name reaches the documents that mention it in each program that
 * this document is part of; and from those, the programs that they are part of.
 */
export function documentsSharing(
    workspace: Workspace,
    document: OpenDocument,
    mentions: (document: OpenDocument) => boolean,
): readonly OpenDocument[] {
    const { documents, programs } = programsOf(workspace, document);
    const found = new Set([document]);
    for (const one of found) {
        for (const program of programs) {
            if (!program.has(one.file)) continue;
            for (const file of program) {
                const other = documents.get(file);
                if (other !== undefined && !found.has(other) && mentions(other)) found.add(other);
            }
        }
    }
    return [...found];
}

/** The documents of every program that one of these documents is part of, these among them. */
export function programsWith(workspace: Workspace, ...parts: readonly OpenDocument[]): readonly OpenDocument[] {
    const { documents, programs } = programsOf(workspace, ...parts);
    const files = new Set<string>();
    for (const program of programs) if (parts.some(({ file }) => program.has(file))) for (const file of program) files.add(file);
    return [...files].flatMap(file => documents.get(file) ?? []);
}

interface Programs {
    readonly documents: ReadonlyMap<string, OpenDocument>;
    /** Of each document, the files that are a program with it as the main one. */
    readonly programs: readonly ReadonlySet<string>[];
}

function programsOf(workspace: Workspace, ...parts: readonly OpenDocument[]): Programs {
    const documents = new Map([...parts, ...workspace.documents(), ...parts].map(one => [one.file, one]));
    const included = includedFiles(workspace, documents);
    const main = included.size === 0 ? parts.map(({ file }) => file) : [...documents.keys()];
    return { documents, programs: main.map(file => behind(file, included)) };
}

/** The files that files include themselves. */
function includedFiles({ find }: Workspace, documents: ReadonlyMap<string, OpenDocument>): ReadonlyMap<string, readonly string[]> {
    const included = new Map<string, readonly string[]>();
    for (const [file, { program }] of documents) {
        const names = moduleNames(program.clauses).included;
        const files = names.flatMap(name => {
            const target = find(name, file);
            return target?.kind === 'module' ? [target.module.file] : [];
        });
        if (files.length > 0) included.set(file, files);
    }
    return included;
}

/** The file and all that it includes, directly or through others. */
function behind(file: string, included: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
    const found = new Set([file]);
    for (const one of found) for (const other of included.get(one) ?? []) found.add(other);
    return found;
}
