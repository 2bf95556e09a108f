/** In option values `\n`, `\t` and `\r` denote the control characters (D-68); the null marker `\N` stays as it is. */
export function withControls(text: string): string {
    return text.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r');
}
