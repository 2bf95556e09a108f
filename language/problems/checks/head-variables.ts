import type { Meanings, Occurrence, RuleFacts } from '#language/analysis/program-facts.ts';
import { editDistance, withoutNumber } from '#language/library/nearest-name.ts';
import { append } from '#language/program/append.ts';
import type { Problem } from '#language/program/problem.ts';
import { problem, withMeant, withSeverity } from '../catalogue.ts';
import { isMeantOtherwise, unboundUse } from './bound-variables.ts';

/** Head variables that the body does not bind: RL2001 where it looks accidental, else RL2101. */
export function* checkHeadVariables(facts: RuleFacts, meaningOf: Meanings): Iterable<Problem> {
    const { rule, place, occurrences, resolved } = facts;
    if (rule.body.kind !== 'items') return;
    if (rule.head.kind === 'equality') {
        for (const [name, places] of occurrences) {
            const head = places.find(isInHead);
            if (head === undefined || resolved.bound.has(name)) continue;
            yield withSeverity(problem('RL2001', place, head.variable.span, name), 'error');
        }
        return;
    }
    const slips = new Slips(resolved.bound);
    const written = isWritten(facts, meaningOf);
    const known = resolved.existential.length === 0 ? [] : frontier(facts);
    for (const name of resolved.existential) {
        const places = occurrences.get(name) ?? [];
        const head = places.find(isInHead);
        const use = unboundUse(facts, name);
        if (head === undefined || use === 'RL2004' || use === 'RL2005' || use === 'RL2006') continue;
        if (use === 'RL2002' && isMeantOtherwise(facts, name)) continue;
        const meant = slips.meant(name);
        if (meant !== undefined || use !== undefined || written) {
            yield withMeant(problem('RL2001', place, head.variable.span, name), meant);
        } else yield problem('RL2101', place, head.variable.span, name, known);
    }
}

function isInHead({ where }: Occurrence): boolean {
    return where === 'head';
}

/** Names of greater length are not compared. */
const LONGEST = 64;

/** Finds the names of which another one is a slip: two names that differ by one letter have a text in common from which one letter is missing. */
class Slips {
    readonly #names: Iterable<string>;
    #shortened: Map<string, string[]> | undefined;

    constructor(names: Iterable<string>) {
        this.#names = names;
    }

    /** The first of the names. */
    meant(name: string): string | undefined {
        this.#shortened ??= shortenedNames(this.#names);
        const similar = new Set(shortenings(name).flatMap(text => this.#shortened?.get(text) ?? []));
        const meant = [...similar].filter(other => isSlip(name, other));
        if (meant.length < 2) return meant[0];
        for (const other of this.#names) if (meant.includes(other)) return other;
        return undefined;
    }
}

function shortenedNames(names: Iterable<string>): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const name of names) for (const text of shortenings(name)) append(found, text, name);
    return found;
}

/** A name and what is left of it without one of its letters. */
function shortenings(name: string): string[] {
    if (name.length < 3 || name.length > LONGEST) return [];
    return [...new Set([name, ...Array.from(name, (_, i) => name.slice(0, i) + name.slice(i + 1))])];
}

/** One slip of the keyboard apart; short names and names that only their number tells apart are meant to differ. */
function isSlip(name: string, other: string): boolean {
    if (name.length < 3 || other.length < 3 || withoutNumber(name) === withoutNumber(other)) return false;
    return editDistance(name, other, 2) === 1;
}

function isWritten({ resolved }: RuleFacts, meaningOf: Meanings): boolean {
    return resolved.heads.some(({ atom }) => meaningOf(atom.predicate)?.written === atom.arguments.length);
}

function frontier({ occurrences, resolved }: RuleFacts): string[] {
    return [...occurrences].filter(([name, places]) => resolved.bound.has(name) && places.some(isInHead)).map(([name]) => name);
}
