/** Rules with existential variables and facts, drawn at random, as data and as text. */
export interface ExistentialProgram {
    readonly facts: readonly Atom[];
    readonly rules: readonly ExistentialRule[];
}

export interface ExistentialRule {
    readonly heads: readonly Atom[];
    readonly body: readonly Atom[];
}

/** Variables begin with a capital letter, constants do not. */
export interface Atom {
    readonly predicate: string;
    readonly terms: readonly string[];
}

const BASE = [
    ['e', 2],
    ['s', 1],
] as const;
const DERIVED = [
    ['p', 1],
    ['q', 2],
    ['r', 2],
    ['t', 3],
    ['u', 1],
] as const;
const CONSTANTS = ['a', 'b', 'c'];

export function existentialProgram(random: () => number): ExistentialProgram {
    const below = (limit: number): number => Math.floor(random() * limit);
    const one = <T>(items: readonly T[]): T => items[below(items.length)] as T;
    const atom = ([predicate, arity]: readonly [string, number], term: () => string): Atom => ({
        predicate,
        terms: Array.from({ length: arity }, term),
    });
    const facts = Array.from({ length: 2 + below(5) }, () => atom(random() < 0.7 ? one(BASE) : one(DERIVED), () => one(CONSTANTS)));
    const rule = (): ExistentialRule => {
        const body = [atom(random() < 0.8 ? one(DERIVED) : one(BASE), () => one(['X', 'Y', 'Z']))];
        if (random() < 0.4) body.push(atom(random() < 0.5 ? one(DERIVED) : one(BASE), () => one(['X', 'Y', 'Z', 'W'])));
        const bound = [...new Set(body.flatMap(({ terms }) => terms))];
        const headTerm = (): string => (random() < 0.3 ? one(['E', 'F']) : random() < 0.05 ? 'a' : one(bound));
        return { heads: Array.from({ length: random() < 0.25 ? 2 : 1 }, () => atom(one(DERIVED), headTerm)), body };
    };
    const start: ExistentialRule = {
        heads: [atom(one(DERIVED), () => one(['X', 'Y', 'E']))],
        body: [{ predicate: 'e', terms: ['X', 'Y'] }],
    };
    const rules = new Map([start, ...Array.from({ length: 2 + below(4) }, rule)].map(made => [ruleText(made), made]));
    return { facts, rules: [...rules.values()] };
}

function ruleText({ heads, body }: ExistentialRule): string {
    return `${heads.map(atomText).join(', ')} <- ${body.map(atomText).join(', ')}.`;
}

export function programText({ facts, rules }: ExistentialProgram): string {
    return [...facts.map(fact => `${atomText(fact)}.`), ...rules.map(ruleText)].join('\n');
}

function atomText({ predicate, terms }: Atom): string {
    return `${predicate}(${terms.map(term => (/^[A-Z]/.test(term) ? term : `"${term}"`)).join(', ')})`;
}

/**
 * The facts without nulls that follow from the program, by the restricted chase: a rule fires where nothing satisfies its
 * head yet. Nulls are nested to this depth at most. Undefined where there are too many facts to go through.
 */
export function impliedFacts({ facts, rules }: ExistentialProgram, depth: number, most = 1500): Set<string> | undefined {
    const known = new Map<string, Atom>();
    const depths = new Map<string, number>();
    const byPredicate = new Map<string, Atom[]>();
    const add = (atom: Atom): boolean => {
        const key = `${atom.predicate}(${atom.terms.join(',')})`;
        if (known.has(key)) return false;
        known.set(key, atom);
        byPredicate.set(atom.predicate, [...(byPredicate.get(atom.predicate) ?? []), atom]);
        return true;
    };
    const matches = (atoms: readonly Atom[], bindings: ReadonlyMap<string, string>): ReadonlyMap<string, string>[] => {
        const [atom, ...rest] = atoms;
        if (atom === undefined) return [bindings];
        return (byPredicate.get(atom.predicate) ?? []).flatMap(fact => {
            const extended = new Map(bindings);
            const agrees = atom.terms.every((term, i) => {
                const value = fact.terms[i] as string;
                if (!/^[A-Z]/.test(term)) return term === value;
                if (!extended.has(term)) extended.set(term, value);
                return extended.get(term) === value;
            });
            return agrees ? matches(rest, extended) : [];
        });
    };
    for (const fact of facts) add(fact);
    for (let changed = true; changed; ) {
        changed = false;
        for (const { heads, body } of rules) {
            for (const match of matches(body, new Map())) {
                if (matches(heads, match).length > 0) continue;
                const bindings = new Map(match);
                const level = 1 + Math.max(0, ...[...match.values()].map(value => depths.get(value) ?? 0));
                const missing = new Set(heads.flatMap(({ terms }) => terms).filter(term => /^[A-Z]/.test(term) && !match.has(term)));
                if (missing.size > 0 && level > depth) continue;
                for (const name of missing) {
                    const made = `~${depths.size}`;
                    depths.set(made, level);
                    bindings.set(name, made);
                }
                for (const { predicate, terms } of heads) {
                    changed = add({ predicate, terms: terms.map(term => bindings.get(term) ?? term) }) || changed;
                }
                if (known.size > most) return undefined;
            }
        }
    }
    return new Set([...known].flatMap(([key, { terms }]) => (terms.some(term => depths.has(term)) ? [] : [key])));
}
