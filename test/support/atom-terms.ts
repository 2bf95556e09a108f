/** The terms of an atom as text; a whole number looks the same in columns of all types. */
export function termsOf(text: string): { readonly name: string; readonly terms: readonly string[] } {
    const start = text.indexOf('(');
    const terms: string[] = [];
    let depth = 0;
    let term = '';
    for (const [part] of text.slice(start + 1, -1).matchAll(/"(?:[^"\\]|\\.)*"|./gsu)) {
        if (part === ',' && depth === 0) {
            terms.push(term);
            term = '';
            continue;
        }
        if ('([{'.includes(part)) depth++;
        if (')]}'.includes(part)) depth--;
        if (part !== ' ') term += part;
    }
    return { name: text.slice(0, start), terms: [...terms, term].map(one => one.replace(/^(-?\d+)\.0$/u, '$1')) };
}
