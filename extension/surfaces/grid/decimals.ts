const DECIMAL = /^-?\d[\d,]*(\.\d+)?$/u;

/** Characters from the point on, 0 where there is none; undefined for text that has no place for a point, such as `1.5E300`. */
export function decimalsOf(text: string): number | undefined {
    const match = DECIMAL.exec(text);
    return match === null ? undefined : (match[1]?.length ?? 0);
}
