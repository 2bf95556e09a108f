/** Text of one byte per character is read and scanned in half the time; what esbuild leaves stands in regular expressions. */
export const inAscii = program => program.replace(/[^\0-\x7f]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
