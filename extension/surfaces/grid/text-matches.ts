/** The parts of a text: what was sought, and what stands between. */
export function matchesIn(text: string, sought: string): { readonly part: string; readonly matches: boolean }[] {
    const [folded, needle] = [text.toLowerCase(), sought.toLowerCase()];
    // Few letters change their length with their case; positions would not agree then.
    if (needle === '' || folded.length !== text.length) return text === '' ? [] : [{ part: text, matches: false }];
    const parts: { part: string; matches: boolean }[] = [];
    let from = 0;
    for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, from)) {
        if (at > from) parts.push({ part: text.slice(from, at), matches: false });
        from = at + needle.length;
        parts.push({ part: text.slice(at, from), matches: true });
    }
    if (from < text.length) parts.push({ part: text.slice(from), matches: false });
    return parts;
}
