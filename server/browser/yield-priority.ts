/** Workers have no priorities. */
export const LAST = 0;
export const BEFORE_LAST = 0;
