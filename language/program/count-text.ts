/** A whole number as people read it: `1,288,924`. What `Intl` says of it takes ten milliseconds of a start to load. */
export function countText(count: number): string {
    return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** `1 column`, `2 columns`. */
export function counted(count: number, noun: string): string {
    return `${countText(count)} ${noun}${count === 1 ? '' : 's'}`;
}
