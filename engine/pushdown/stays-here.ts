/** Thrown where a stratum has no exact counterpart at an engine, with the reason in words. */
export class StaysHere extends Error {}

export function stayHere(reason: string): never {
    throw new StaysHere(reason);
}
