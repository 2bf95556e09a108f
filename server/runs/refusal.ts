/** A question that makes no sense for the results of a run; the message is for the user. */
export class Refusal extends Error {}

export function refuse(message: string): never {
    throw new Refusal(message);
}
