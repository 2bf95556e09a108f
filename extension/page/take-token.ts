/** The token in the fragment of the address, which is erased there and in the history of the tab. */
export function takeToken({ hash, pathname }: Location, history: History): string | undefined {
    const [, token] = /^#token=([\w.-]+)$/u.exec(hash) ?? [];
    if (hash !== '') history.replaceState(null, '', pathname);
    return token;
}
