/** A value of the oracle: the text of a constant, a null by its number, a list. */
export type Value = string | number | readonly Value[];

type Bindings = Readonly<Record<string, Value>>;

/** An atom of a rule: a variable has a capital letter, `_` is anonymous, all else is the text of a constant. */
export interface OracleAtom {
    readonly predicate: string;
    readonly terms: readonly string[];
}

/** A rule as the oracle runs it. Variables of the head that nothing binds stand for nulls. */
export interface OracleRule {
    readonly head: OracleAtom;
    readonly body: readonly OracleAtom[];
    readonly absent: readonly OracleAtom[];
    /** Values computed for each match; undefined drops it. */
    readonly compute?: (match: Bindings, chase: Chase) => Bindings | undefined;
    /** The rule has one row for each value of the other head variables, and this one counts the different values of some variables. */
    readonly counts?: { readonly variable: string; readonly of: readonly string[] };
}

/** An equality head: the two sides are variables or constants. */
export interface OracleEquality {
    readonly sides: readonly [string, string];
    readonly body: readonly OracleAtom[];
}

/** Two different constants must be equal. */
export class Clash extends Error {}

/**
 * The chase by the book: all rules over all facts until nothing is new, all equalities, every fact rewritten, and again. Nothing
 * is indexed, planned, or remembered but facts and the reasons of nulls.
 */
export class Chase {
    readonly facts = new Map<string, Map<string, readonly Value[]>>();
    readonly #same: Value[] = [];
    #invented: { readonly name: string; readonly args: readonly Value[]; readonly value: Value }[] = [];

    add(predicate: string, values: readonly Value[]): boolean {
        const rows = this.facts.get(predicate) ?? new Map<string, readonly Value[]>();
        this.facts.set(predicate, rows);
        const row = values.map(value => this.resolve(value));
        const key = JSON.stringify(row);
        if (rows.has(key)) return false;
        rows.set(key, row);
        return true;
    }

    fresh(): Value {
        return this.#same.push(this.#same.length) - 1;
    }

    /** The null that a rule or function gives for some arguments. */
    invent(name: string, args: readonly Value[]): Value {
        const wanted = JSON.stringify(args.map(value => this.resolve(value)));
        const known = this.#invented.find(
            one => one.name === name && JSON.stringify(one.args.map(value => this.resolve(value))) === wanted,
        );
        if (known !== undefined) return this.resolve(known.value);
        const value = this.fresh();
        this.#invented.push({ name, args, value });
        return value;
    }

    resolve(value: Value): Value {
        if (typeof value === 'string') return value;
        if (typeof value !== 'number') return value.map(one => this.resolve(one));
        const parent = this.#same[value];
        return parent === undefined || parent === value ? value : this.resolve(parent);
    }

    /** Rules and equalities until nothing changes. */
    run(rules: readonly OracleRule[], equalities: readonly OracleEquality[]): void {
        for (let changed = true; changed; ) {
            changed = false;
            for (const rule of rules) changed = this.apply(rule) || changed;
            if (changed) continue;
            for (const { sides, body } of equalities) {
                for (const match of this.#matches(body))
                    changed = this.#equate(meaningOf(sides[0], match), meaningOf(sides[1], match)) || changed;
            }
            if (changed) this.#rewrite();
        }
    }

    apply(rule: OracleRule): boolean {
        const { head, counts, compute } = rule;
        const groups = new Map<string, { readonly match: Bindings; readonly counted: Set<string> }>();
        let added = false;
        const derive = (match: Bindings): void => {
            const bound = head.terms.filter(term => !isVariable(term) || match[term] !== undefined);
            const args = bound.map(term => meaningOf(term, match));
            const values = head.terms.map(term =>
                bound.includes(term) ? meaningOf(term, match) : this.invent(JSON.stringify([rule.head, rule.body, term]), args),
            );
            added = this.add(head.predicate, values) || added;
        };
        for (const found of this.#matches(rule.body)) {
            const computed = compute === undefined ? found : compute(found, this);
            if (computed === undefined) continue;
            const match = { ...found, ...computed };
            if (rule.absent.some(atom => this.#matches([atom], match).length > 0)) continue;
            if (counts === undefined) {
                derive(match);
                continue;
            }
            const key = JSON.stringify(head.terms.filter(term => term !== counts.variable).map(term => meaningOf(term, match)));
            const group = groups.get(key) ?? { match, counted: new Set() };
            groups.set(key, group);
            group.counted.add(JSON.stringify(counts.of.map(term => meaningOf(term, match))));
        }
        for (const { match, counted } of groups.values()) derive({ ...match, [counts?.variable ?? '']: String(counted.size) });
        return added;
    }

    #matches(body: readonly OracleAtom[], start: Bindings = {}): Bindings[] {
        let matches = [start];
        for (const { predicate, terms } of body) {
            const rows = [...(this.facts.get(predicate)?.values() ?? [])];
            matches = matches.flatMap(match => rows.map(row => extended(match, terms, row)).filter(found => found !== undefined));
        }
        return matches;
    }

    #equate(left: Value, right: Value): boolean {
        const [a, b] = [this.resolve(left), this.resolve(right)];
        if (JSON.stringify(a) === JSON.stringify(b)) return false;
        if (typeof a === 'number') this.#same[a] = b;
        else if (typeof b === 'number') this.#same[b] = a;
        else if (typeof a === 'string' || typeof b === 'string' || a.length !== b.length) throw new Clash();
        else for (const [i, value] of a.entries()) this.#equate(value, b[i] ?? '');
        return true;
    }

    #rewrite(): void {
        for (let changed = true; changed; ) {
            changed = false;
            const known = new Map<string, Value>();
            for (const { name, args, value } of this.#invented) {
                const key = JSON.stringify([name, args.map(one => this.resolve(one))]);
                const other = known.get(key);
                if (other === undefined) known.set(key, value);
                else changed = this.#equate(other, value) || changed;
            }
        }
        for (const [predicate, rows] of [...this.facts]) {
            this.facts.set(predicate, new Map());
            for (const row of rows.values()) this.add(predicate, row);
        }
    }
}

export function isNull(value: Value | undefined): boolean {
    return typeof value === 'number';
}

function isVariable(term: string): boolean {
    return /^[A-Z]/u.test(term);
}

function meaningOf(term: string, match: Bindings): Value {
    return isVariable(term) ? (match[term] ?? '') : term;
}

function extended(match: Bindings, terms: readonly string[], row: readonly Value[]): Bindings | undefined {
    const bindings: Record<string, Value> = { ...match };
    for (const [column, term] of terms.entries()) {
        const value = row[column] ?? '';
        if (term === '_') continue;
        const wanted = isVariable(term) ? (bindings[term] ?? value) : term;
        if (JSON.stringify(wanted) !== JSON.stringify(value)) return undefined;
        if (isVariable(term)) bindings[term] = value;
    }
    return bindings;
}
