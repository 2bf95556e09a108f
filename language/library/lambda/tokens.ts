export interface Token {
    readonly kind: 'number' | 'text' | 'name' | 'sign' | 'end' | 'unknown';
    readonly text: string;
    readonly offset: number;
}

const TOKEN =
    /\s+|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<text>'(?:[^']|'')*')|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<sign>->|==|!=|<>|<=|>=|&&|\|\||[-+*/%=<>!().,[\]])|(?<unknown>[\s\S])/gu;

/** The tokens of a lambda without its blanks; the last one is the end. */
export function tokensOf(text: string): readonly Token[] {
    const tokens: Token[] = [];
    for (const match of text.matchAll(TOKEN)) {
        const [written] = match;
        const { number, text: quoted, name, sign, unknown } = match.groups ?? {};
        const kind =
            number !== undefined
                ? 'number'
                : quoted !== undefined
                  ? 'text'
                  : name !== undefined
                    ? 'name'
                    : sign !== undefined
                      ? 'sign'
                      : unknown !== undefined
                        ? 'unknown'
                        : undefined;
        if (kind !== undefined) tokens.push({ kind, text: written, offset: match.index });
    }
    tokens.push({ kind: 'end', text: '', offset: text.length });
    return tokens;
}
