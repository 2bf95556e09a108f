/** Control and bidirectional characters, and others without a shape of their own, hide or move text. */
const ACTING = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text on one line in which every character that would act is a sign. */
export function visible(text: string): string {
    return text.replace(ACTING, signOf);
}

/** The same over several lines: line breaks and tabs stay. */
export function visibleLines(text: string): string {
    return text.replace(ACTING, character => (character === '\n' || character === '\t' ? character : signOf(character)));
}

function signOf(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (character === '\n') return '↵';
    if (character === '\t') return '⇥';
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
