/** An item of an array: a text, NULL, or an array. */
export type ArrayItem = string | null | readonly ArrayItem[];

/** Arrays in one another at most; PostgreSQL knows six. */
const DEEPEST = 16;

const BARE = /[^{},"\\\s]+/uy;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"/uy;

/** The items of an array as PostgreSQL writes it, `{1,NULL,"a b"}`; undefined where the text is none. */
export function arrayItems(text: string): readonly ArrayItem[] | undefined {
    // Arrays that begin elsewhere than at 1 say where: `[0:1]={a,b}`.
    let at = /^(?:\[[-\d:]+\])+=/u.exec(text)?.[0].length ?? 0;
    const items = (depth: number): readonly ArrayItem[] | undefined => {
        if (text[at] !== '{' || depth > DEEPEST) return undefined;
        at++;
        const found: ArrayItem[] = [];
        if (text[at] === '}') {
            at++;
            return found;
        }
        for (;;) {
            const next = item(depth);
            if (next === undefined) return undefined;
            found.push(next);
            const sign = text[at++];
            if (sign === '}') return found;
            if (sign !== ',') return undefined;
        }
    };
    const item = (depth: number): ArrayItem | undefined => {
        if (text[at] === '{') return items(depth + 1);
        const form = text[at] === '"' ? QUOTED : BARE;
        form.lastIndex = at;
        const match = form.exec(text);
        if (match === null) return undefined;
        at = form.lastIndex;
        if (form === QUOTED) return match[1]?.replace(/\\([\s\S])/gu, '$1');
        return match[0].toUpperCase() === 'NULL' ? null : match[0];
    };
    const found = items(0);
    return at === text.length ? found : undefined;
}

/** The array as PostgreSQL reads it. */
export function arrayText(items: readonly (string | null)[]): string {
    return `{${items.map(item => (item === null ? 'NULL' : `"${item.replace(/["\\]/gu, '\\$&')}"`)).join()}}`;
}
