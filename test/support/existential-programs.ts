/** Rules with existential variables and facts, drawn at random, as data and as text. */
export interface ExistentialProgram {
    readonly facts: readonly Atom[];
    readonly rules: readonly ExistentialRule[];
    readonly equalities?: readonly Equality[];
}

export interface ExistentialRule {
    readonly heads: readonly Atom[];
    readonly body: readonly Atom[];
}

/** An equality head: in every match of the body the two variables have the same value. */
interface Equality {
    readonly left: string;
    readonly right: string;
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

/** The program with equality heads: a column that depends on another one, or any two variables of a join. */
export function withEqualities(program: ExistentialProgram, random: () => number): ExistentialProgram {
    const below = (limit: number): number => Math.floor(random() * limit);
    const equality = (): Equality => {
        const [predicate, arity] = DERIVED[1 + below(3)] as (typeof DERIVED)[number];
        const first = Array.from({ length: arity }, (_, i) => `X${i}`);
        const second = first.map((term, i) => (i === 0 ? term : `Y${i}`));
        if (random() < 0.6) {
            return {
                left: `X${arity - 1}`,
                right: `Y${arity - 1}`,
                body: [
                    { predicate, terms: first },
                    { predicate, terms: second },
                ],
            };
        }
        return {
            left: 'X0',
            right: `X${arity - 1}`,
            body: [
                { predicate, terms: first },
                { predicate: 's', terms: [`X${below(arity)}`] },
            ],
        };
    };
    return { ...program, equalities: Array.from({ length: 1 + below(3) }, equality) };
}

function ruleText({ heads, body }: ExistentialRule): string {
    return `${heads.map(atomText).join(', ')} <- ${body.map(atomText).join(', ')}.`;
}

export function programText({ facts, rules, equalities = [] }: ExistentialProgram): string {
    const heads = equalities.map(({ left, right, body }) => `${left} = ${right} <- ${body.map(atomText).join(', ')}.`);
    return [...facts.map(fact => `${atomText(fact)}.`), ...rules.map(ruleText), ...heads].join('\n');
}

function atomText({ predicate, terms }: Atom): string {
    return `${predicate}(${terms.map(term => (/^[A-Z]/.test(term) ? term : `"${term}"`)).join(', ')})`;
}

/**
 * The facts without nulls that follow from the program, by the restricted chase: a rule fires where nothing satisfies its
 * head yet, and when none does, an equality head replaces one null. Nulls are nested to this depth at most. `clash` where
 * two constants are to be equal, undefined where there are too many facts to go through.
 */
export function impliedFacts(
    { facts, rules, equalities = [] }: ExistentialProgram,
    depth: number,
    most = 1500,
): Set<string> | 'clash' | undefined {
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
    const differing = (): string[] | undefined => {
        for (const { left, right, body } of equalities) {
            const pairs = matches(body, new Map()).map(match => [match.get(left) as string, match.get(right) as string]);
            const found = pairs.find(([first, second]) => first !== second);
            if (found !== undefined) return found;
        }
        return undefined;
    };
    const replace = (from: string, to: string): void => {
        const before = [...known.values()];
        known.clear();
        byPredicate.clear();
        for (const { predicate, terms } of before) add({ predicate, terms: terms.map(term => (term === from ? to : term)) });
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
        const [one, other] = changed ? [] : (differing() ?? []);
        if (one === undefined || other === undefined) continue;
        if (!depths.has(one) && !depths.has(other)) return 'clash';
        if (depths.has(one)) replace(one, other);
        else replace(other, one);
        changed = true;
    }
    return new Set([...known].flatMap(([key, { terms }]) => (terms.some(term => depths.has(term)) ? [] : [key])));
}
