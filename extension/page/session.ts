/** The token of this tab: it survives a reload, and goes with the tab. It is in no address, cookie or store that other tabs see. */
const KEY = 'rulelang.token';

export function keptToken(): string | undefined {
    return sessionStorage.getItem(KEY) ?? undefined;
}

/** Keeps the token for the next reload of this tab, or forgets it. */
export function keepToken(token: string | undefined): void {
    if (token === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, token);
}
