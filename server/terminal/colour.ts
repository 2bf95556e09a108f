/** Marks words on a terminal; leaves them alone where colour is off. Meaning never hangs on it. */
export interface Colour {
    strong(text: string): string;
    quiet(text: string): string;
    error(text: string): string;
    warning(text: string): string;
    information(text: string): string;
    underlined(text: string): string;
    /** Of a difference. */
    added(text: string): string;
    removed(text: string): string;
}

export function colourOf(isOn: boolean): Colour {
    const marked = (code: string) => (text: string) => (isOn && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text);
    return {
        strong: marked('1'),
        quiet: marked('2'),
        error: marked('1;31'),
        warning: marked('1;33'),
        information: marked('1;34'),
        underlined: marked('4'),
        added: marked('32'),
        removed: marked('31'),
    };
}
