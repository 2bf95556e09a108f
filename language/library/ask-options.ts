import type { Call } from '#language/program/program.ts';
import { splitKnownOptions } from './known-options.ts';

/** The options of `ask` with the form of their values (7.7). */
export const ASK_OPTIONS: ReadonlyMap<string, RegExp> = new Map([
    ['collection', /./u],
    ['limit', /^[1-9]\d*$/u],
    ['host', /./u],
    ['port', /^\d+$/u],
    ['useTls', /^(?:true|false)$/iu],
    ['apiKey', /./u],
    ['embeddingModel', /./u],
]);

/** The options of `ask` in their order; a text without a key has the empty one. */
export function askOptions(text: string): readonly { readonly key: string; readonly value: string }[] {
    return splitKnownOptions(
        text,
        word => ASK_OPTIONS.has(word),
        () => false,
    );
}

/** The collection that a call of `ask` searches, where its options are a constant and name no host. It is a predicate where the program has one of that name. */
export function collectionOf({ name, arguments: [, options] }: Call): string | undefined {
    if (name !== 'ask' || options?.kind !== 'string') return undefined;
    const values = new Map(askOptions(options.value).map(({ key, value }) => [key, value]));
    return values.has('host') ? undefined : values.get('collection');
}
