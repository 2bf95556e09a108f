/**
 * Control, escape and bidirectional characters, and others without a shape of their own, act on a terminal or hide text.
 * Joiners stay: scripts and emoji need them.
 */
const ACTING = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text as a terminal may show it: every character that would act is a sign, so that nothing moves, hides or colours. */
export function visible(text: string): string {
    return text.replace(ACTING, signOf);
}

function signOf(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '␡';
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** JSON text in which the acting characters that JSON allows are escaped: the same value, harmless on a terminal. */
export function visibleJson(json: string): string {
    return json.replace(ACTING, character => {
        if (character === '\n') return character;
        return [...Array(character.length).keys()].map(i => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
    });
}

const INVISIBLE = /\p{Mn}|\p{Me}|\u200c|\u200d/u;
const WIDE =
    /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const PLAIN = /^[ -~]*$/;

/** The number of terminal columns that visible text takes. */
export function textWidth(text: string): number {
    if (PLAIN.test(text)) return text.length;
    let width = 0;
    for (const character of text) width += characterWidth(character);
    return width;
}

/** The text cut to a width; what is cut ends in `…`. */
export function cutToWidth(text: string, width: number): string {
    if (text.length <= width && PLAIN.test(text)) return text;
    let kept = 0;
    let used = 0;
    for (const character of text) {
        used += characterWidth(character);
        if (used > width) return `${text.slice(0, kept)}…`;
        if (used < width) kept += character.length;
    }
    return text;
}

function characterWidth(character: string): number {
    if (INVISIBLE.test(character)) return 0;
    return WIDE.test(character) ? 2 : 1;
}
