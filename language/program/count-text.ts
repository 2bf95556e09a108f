import { say, translated } from './say.ts';

/** A whole number as people read it: `1,288,924`. What `Intl` says of it takes ten milliseconds of a start to load. */
export function countText(count: number): string {
    return String(count).replace(/\B(?=(?:\d{3})+$)/gu, ',');
}

/** `1 column`, `2 columns`, in the language that is spoken. */
export function counted(count: number, noun: string): string {
    return translated(`{0} ${noun}${count === 1 ? '' : 's'}`).replace('{0}', countText(count));
}

/** `1 match`, `1,234 matches`. */
export function countedMatches(count: number): string {
    return count === 1 ? say`1 match` : say`${countText(count)} matches`;
}

/** The same as what was spoken of before: `the only match`, `the 1,234 matches`. */
export function theMatches(count: number): string {
    return count === 1 ? say`the only match` : say`the ${countText(count)} matches`;
}
