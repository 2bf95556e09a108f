import type { OpenDocument } from '#language/editing/open-document.ts';

/** The documents that an editing function may look at. */
export interface Workspace {
    /** All of them, in an order that stays the same. */
    documents(): Iterable<OpenDocument>;
}

/** A workspace of these documents and no others. */
export function workspaceOf(...documents: readonly OpenDocument[]): Workspace {
    return { documents: () => documents };
}

/**
 * The documents that make up one program: this one, which is the first, and every other one that `@module` and `@include`
 * connect with it, directly or through others. A name means the same thing in all of them, and perhaps another elsewhere.
 */
export function connectedDocuments(workspace: Workspace, document: OpenDocument): readonly OpenDocument[] {
    const own = moduleNames(document);
    if (own.size === 0) return [document];
    const others = [...workspace.documents()].filter(other => other.file !== document.file);
    const found: OpenDocument[] = [document];
    const names = new Set(own);
    let waiting = others.map(other => ({ other, modules: moduleNames(other) }));
    for (let grown = true; grown; ) {
        const joining = waiting.filter(({ modules }) => [...modules].some(name => names.has(name)));
        grown = joining.length > 0;
        waiting = waiting.filter(entry => !joining.includes(entry));
        for (const { other, modules } of joining) {
            found.push(other);
            for (const name of modules) names.add(name);
        }
    }
    return found;
}

/** The modules that a document is or includes. */
function moduleNames(document: OpenDocument): ReadonlySet<string> {
    let names = MODULES.get(document);
    if (names === undefined) {
        names = new Set(
            document.analysed.program.clauses.flatMap(clause =>
                clause.annotations.flatMap(({ name, arguments: [module] }) =>
                    (name === 'module' || name === 'include') && module?.kind === 'string' ? [module.value] : [],
                ),
            ),
        );
        MODULES.set(document, names);
    }
    return names;
}

const MODULES = new WeakMap<OpenDocument, ReadonlySet<string>>();
