const SMALL_A = 0x61;
const LARGE_A = 0x41;
const LETTERS = 26;

/** Bytes of ASCII with capital letters as small ones. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
    byte >= LARGE_A && byte < LARGE_A + LETTERS ? byte - LARGE_A + SMALL_A : byte,
);

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Looks for one text in many, letter case ignored. */
export interface TextSearch {
    in(text: string): boolean;
    /** As `in`, for the UTF-8 of a text: most texts need no decoding. */
    inUtf8(bytes: Uint8Array): boolean;
    /** False when the text of no number has the sought one in it. */
    readonly mayBeNumber: boolean;
}

/** Searches a text in texts: anywhere, or only at the start or the end. */
export function textSearch(sought: string, where: 'anywhere' | 'start' | 'end'): TextSearch {
    const needle = sought.toLowerCase();
    const pattern = new TextEncoder().encode(needle);
    const inText = (text: string): boolean => {
        const folded = text.toLowerCase();
        return where === 'start' ? folded.startsWith(needle) : where === 'end' ? folded.endsWith(needle) : folded.includes(needle);
    };
    return {
        mayBeNumber: /^[-.0-9e]*$/.test(needle),
        in: inText,
        inUtf8: bytes => (isAscii(bytes) ? asciiHas(bytes, pattern, where) : inText(decoder.decode(bytes))),
    };
}

function isAscii(bytes: Uint8Array): boolean {
    for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) return false;
    return true;
}

function asciiHas(bytes: Uint8Array, pattern: Uint8Array, where: 'anywhere' | 'start' | 'end'): boolean {
    const end = bytes.length - pattern.length;
    const last = where === 'start' ? Math.min(0, end) : end;
    for (let start = where === 'end' ? Math.max(0, end) : 0; start <= last; start++) {
        let i = 0;
        while (i < pattern.length && FOLDED[bytes[start + i]!] === pattern[i]) i++;
        if (i === pattern.length) return true;
    }
    return false;
}
