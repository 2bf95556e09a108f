interface ViewEntry {
    /** Texts with something to do, for the view as long as it is empty: those whose condition holds. */
    readonly welcome: readonly { readonly text: string; readonly when?: string }[];
    /** It is also there if VS Code is a page in a browser. */
    readonly inBrowser?: true;
    /** It is closed until the user opens it, and leaves the others its room. */
    readonly isClosed?: true;
}

/**
 * Every view of the explorer, without the prefix `rulelang.`, in the order in which they are shown. `words/package.nls.json` has the title,
 * `view.<name>`, and the texts, `welcome.<text>`.
 */
const EXPLORER_VIEWS = {
    program: { welcome: [{ text: 'program', when: '!rulelang.programShown' }], inBrowser: true },
    cursor: { welcome: [{ text: 'cursor', when: '!rulelang.cursorShown' }], inBrowser: true, isClosed: true },
    concepts: {
        welcome: [
            { text: 'untrusted', when: '!isWorkspaceTrusted' },
            { text: 'services', when: 'isWorkspaceTrusted && !rulelang.connected' },
            { text: 'projects', when: 'rulelang.connected' },
        ],
    },
    data: { welcome: [{ text: 'data', when: 'rulelang.connected' }] },
    runs: {
        welcome: [
            { text: 'untrusted', when: '!isWorkspaceTrusted' },
            { text: 'runs', when: 'isWorkspaceTrusted' },
        ],
    },
} as const satisfies Readonly<Record<string, ViewEntry>>;

export type ExplorerView = keyof typeof EXPLORER_VIEWS;

const ENTRIES = Object.entries<ViewEntry>(EXPLORER_VIEWS);

/** The identifier of a view in the manifest. */
export function viewId(view: ExplorerView): string {
    return `rulelang.${view}`;
}

/** The identifiers of the views that are there if VS Code is a page in a browser. */
export const VIEWS_IN_BROWSER: readonly string[] = ENTRIES.flatMap(([name, { inBrowser }]) => (inBrowser ? [`rulelang.${name}`] : []));

/** The views of the explorer as `contributes.views` of the manifest lists them. */
export function listedViews(): readonly Readonly<Record<'id' | 'name' | 'icon' | 'contextualTitle', string>>[] {
    return ENTRIES.map(([name, { isClosed }]) => ({
        id: `rulelang.${name}`,
        name: `%view.${name}%`,
        icon: 'icons/activity.svg',
        contextualTitle: 'Rulelang',
        ...(isClosed && { visibility: 'collapsed' }),
    }));
}

/** The part `contributes.viewsWelcome` of the manifest. */
export function viewsWelcome(): { readonly view: string; readonly contents: string; readonly when?: string }[] {
    return ENTRIES.flatMap(([name, { welcome }]) =>
        welcome.map(({ text, ...when }) => ({ view: `rulelang.${name}`, contents: `%welcome.${text}%`, ...when })),
    );
}
