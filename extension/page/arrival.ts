/** What an address may say after its sign: a token, or where the page is. */
export interface Arrival {
    readonly token: string | undefined;
    /** The address without the token, where the one that is there has to be replaced. */
    readonly address: string | undefined;
}

/** Reads a fragment; whoever handed the address on may have encoded its sign. Nothing but the place of a section may stay in it. */
export function arrivalAt({ hash, pathname }: { readonly hash: string; readonly pathname: string }): Arrival {
    const stays = hash === '' || hash.startsWith('#/');
    return { token: tokenIn(hash), address: stays ? undefined : pathname };
}

/** The token in an address, a fragment, or a text that is the token itself. */
export function tokenIn(text: string): string | undefined {
    return /(?:^|#token(?:=|%3D))([\w-]+\.[\w-]+\.[\w-]+)$/u.exec(text.trim())?.[1];
}
