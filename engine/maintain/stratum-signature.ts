import type { Plan, PlanStratum } from '../plan/plan.ts';

/** Fields for places and origins in the text, which do not affect the meaning. */
const PLACES: ReadonlySet<string> = new Set(['place', 'span', 'source', 'predicate', 'location']);

/** A parameter, or a text that names one. */
const PARAMETER = /"kind":"parameter"|"kind":"string","value":"[^"]*\$/u;

/**
 * Returns the computation of a stratum as a text. Two strata with the same text have the same rows if the relations that they read do.
 * `parameters` are the values of parameters.
 */
export function signatureOf(
    { relations, rules, recursive, growing, finalPass, execution }: PlanStratum,
    plan: Plan,
    parameters: string,
): string {
    const text = JSON.stringify(
        [relations.map(key => plan.relations.get(key)), rules, recursive, growing, finalPass, execution.kind],
        withoutPlaces,
    );
    return PARAMETER.test(text) ? `${text} ${parameters}` : text;
}

/** For `JSON.stringify`. */
export function withoutPlaces(name: string, value: unknown): unknown {
    if (name === 'source' && typeof value === 'object' && value !== null && 'invented' in value) return value;
    if (PLACES.has(name)) return undefined;
    if (value instanceof Map || value instanceof Set) return [...value];
    return typeof value === 'bigint' || (typeof value === 'number' && !isWritten(value)) ? `number ${exactText(value)}` : value;
}

/** Whether JSON tells a number from all others. */
function isWritten(value: number): boolean {
    return Number.isFinite(value) && !Object.is(value, -0);
}

function exactText(value: number | bigint): string {
    return Object.is(value, -0) ? '-0' : `${value}`;
}
