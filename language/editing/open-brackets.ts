import type { Token } from '#language/syntax/token.ts';

/** A bracket that is open where the tokens end. */
export interface OpenBracket {
    /** Of the bracket among the tokens. */
    readonly index: number;
    /** The name, annotation or `#` word directly before it. */
    readonly name: Token | undefined;
    /** Commas directly inside it so far. */
    readonly commas: number;
}

export interface Structure {
    /** From outside in. */
    readonly open: readonly OpenBracket[];
    /** Index of the arrow of the clause. */
    readonly arrow: number | undefined;
}

/** Finds the brackets that are open at the end of a part of a clause. `tokens` must not include comments. */
export function openBrackets(tokens: readonly Token[]): Structure {
    const open: { index: number; name: Token | undefined; commas: number }[] = [];
    let arrow: number | undefined;
    for (const [index, token] of tokens.entries()) {
        if (token.kind === 'arrow' && arrow === undefined) {
            arrow = index;
            open.length = 0;
        }
        if (token.kind === 'annotation') open.length = 0;
        if (token.kind !== 'mark') continue;
        const before = tokens[index - 1];
        const names = before?.kind === 'name' || before?.kind === 'annotation' || before?.kind === 'hash';
        const innermost = open.at(-1);
        if ('([{'.includes(token.text)) open.push({ index, name: token.text === '(' && names ? before : undefined, commas: 0 });
        else if (')]}'.includes(token.text)) open.pop();
        else if (token.text === ',' && innermost !== undefined) innermost.commas++;
    }
    return { open, arrow };
}
