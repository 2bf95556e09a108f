/** A browser connects to no database. */
export const DIALECTS = {};

export function isDatabaseType(_type: string): false {
    return false;
}
