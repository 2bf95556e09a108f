import { isText, type Of, object, oneOf, textUpTo } from '#server/protocol/shape.ts';

/** A gift of a view to the agent: rows as a table in Markdown, or why something is there or missing. */
export const isGivenRows = object({ kind: oneOf('give'), about: oneOf('rows', 'explanation'), title: isText, text: textUpTo(1 << 16) });
export type GivenRows = Of<typeof isGivenRows>;
