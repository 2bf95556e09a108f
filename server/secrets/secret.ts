import { MASK } from './secret-shapes.ts';

/** A text that shows as stars wherever it is printed, logged or made JSON of. */
export class Secret {
    readonly #text: string;

    constructor(text: string) {
        this.#text = text;
    }

    /** Returns the secret, for code that authenticates with it alone. */
    open(): string {
        return this.#text;
    }

    toString(): string {
        return MASK;
    }

    toJSON(): string {
        return MASK;
    }
}

/** The secrets of these names from the environment; a name that it lacks has no value. */
export function secretsNamed(names: readonly string[], environment: NodeJS.ProcessEnv): Map<string, Secret | undefined> {
    return new Map(
        names.map(name => {
            const text = environment[name];
            return [name, text === undefined ? undefined : new Secret(text)];
        }),
    );
}
