import type { EXPECTATIONS } from '#language/library/annotation-catalogue.ts';
import { say } from '#language/program/say.ts';

const WORDS: Readonly<Record<(typeof EXPECTATIONS)[number], () => string>> = {
    exact: () => say`Exactly the facts below are derived; what is expected where nothing else is said.`,
    contains: () => say`The facts below are derived, and perhaps others.`,
    empty: () => say`No fact is derived.`,
    count: () => say`So many facts are derived as the next argument says.`,
};

/** Documents an expectation of a test case. */
export function expectationDocumentation(word: string): string | undefined {
    return Object.hasOwn(WORDS, word) ? WORDS[word as keyof typeof WORDS]() : undefined;
}
