/** `THOROUGH=1` tries all that a slow test can try, for a night; without it a quarter is tried. */
export const THOROUGH = process.env.THOROUGH === '1';

/** How many of `all` tries are made. */
export const tries = (all: number): number => (THOROUGH ? all : Math.ceil(all / 4));
