import type { Providers } from '#engine/contracts/providers.ts';
import { say } from '#language/program/say.ts';

/** A page has no language models, and no host that has some. */
export const NO_PROVIDERS: Providers = {
    find: () => undefined,
    remedy: () =>
        say`A page in a browser asks no model. Run the program on the command line or in an installed editor, or give its rows as data.`,
};
