/**
 * What the client calls to have somebody name what a refactoring made: the document's address, the zero-based line and the
 * character in UTF-16 units are its arguments.
 */
export const NAME_MADE_UP = 'rulelang.nameMadeUp';
