/**
 * How well the letters of a search fit a name: 0 when it begins with them, 1 when one of its words does, 2 when they stand
 * in it in this order, the first of them at the start of a word; nothing when they do not. Letter case does not count.
 */
export function fitOf(letters: string, name: string): 0 | 1 | 2 | undefined {
    if (letters === '') return 0;
    const wanted = letters.toLowerCase();
    const lower = name.toLowerCase();
    if (!standsInOrder(wanted, lower)) return undefined;
    if (lower.startsWith(wanted)) return 0;
    let best: 2 | undefined;
    for (let at = 1; at < name.length; at++) {
        if (!startsWord(name, at)) continue;
        if (lower.startsWith(wanted, at)) return 1;
        if (isSubsequence(wanted, lower, at)) best = 2;
    }
    return best ?? (isSubsequence(wanted, lower, 0) ? 2 : undefined);
}

/** The letters stand in the text in this order, whatever is between them. */
export function standsInOrder(letters: string, text: string): boolean {
    let from = -1;
    for (const letter of letters) {
        from = text.indexOf(letter, from + 1);
        if (from < 0) return false;
    }
    return true;
}

function startsWord(name: string, at: number): boolean {
    const before = name.charAt(at - 1);
    const upper = name.charAt(at) !== name.charAt(at).toLowerCase();
    return /[^A-Za-z0-9]/.test(before) || (upper && before === before.toLowerCase());
}

function isSubsequence(letters: string, text: string, from: number): boolean {
    if (letters.charAt(0) !== text.charAt(from)) return false;
    let at = 0;
    for (let index = from; index < text.length && at < letters.length; index++) if (text.charAt(index) === letters.charAt(at)) at++;
    return at === letters.length;
}
