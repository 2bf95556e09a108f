/** Where the page is. It stands in the fragment of the address, so that a reload and the way back lead there; the token never does. */
export interface Route {
    /** The id of a section. */
    readonly section: string;
    readonly project: { readonly scope: 'user' | 'organization'; readonly id: string } | undefined;
    /** What is open of the section, such as the name of a concept. */
    readonly item: string | undefined;
}

const SCOPES = ['user', 'organization'] as const;

/** The route of a fragment such as `#/concepts/user/cities/large`; undefined where it is none. */
export function routeOf(hash: string): Route | undefined {
    const [sign, section, scope, id, item, ...more] = hash.split('/').map(decoded);
    if (sign !== '#' || section === undefined || section === '' || more.length > 0) return undefined;
    const known = SCOPES.find(one => one === scope);
    const project = known === undefined || id === undefined ? undefined : { scope: known, id };
    return { section, project, item: project !== undefined || (scope === '' && id === '') ? item : undefined };
}

/** The fragment of a route, with its sign. */
export function hashOf({ section, project, item }: Route): string {
    // An item without a project stands in its place all the same.
    const before = project ? [project.scope, project.id] : item === undefined ? [] : ['', ''];
    const parts = [section, ...before, ...(item === undefined ? [] : [item])];
    return `#/${parts.map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string | undefined {
    try {
        return decodeURIComponent(part);
    } catch {
        return undefined;
    }
}
