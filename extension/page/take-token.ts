/**
 * The token in the fragment of an address; whoever handed the address on may have encoded its sign. A fragment is erased, whatever it says: `erase`
 * gets the address without it.
 */
export function takeToken(
    { hash, pathname }: { readonly hash: string; readonly pathname: string },
    erase: (address: string) => void,
): string | undefined {
    const [, token] = /^#token(?:=|%3D)([\w.-]+)$/u.exec(hash) ?? [];
    if (hash !== '') erase(pathname);
    return token;
}
