/** The whole seconds that a `Retry-After` header asks for, at least 1; it holds seconds or a date. Undefined where it says neither. */
export function retrySeconds(header: string | null | undefined): number | undefined {
    if (header === null || header === undefined) return undefined;
    const seconds = /^\d+$/u.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000);
    return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}
