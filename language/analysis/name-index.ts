import { MOST_SEARCHES } from '#language/library/nearest-name.ts';
import { type PredicateKey, predicateKey, type SourceSchema } from '#language/program/analysed-program.ts';
import type { Atom } from '#language/program/program.ts';
import type { ClauseState } from './clause-state.ts';
import { type NameDeclarations, UNDECLARED } from './declarations.ts';
import type { ComparePlaces } from './file-order.ts';
import {
    addAsker,
    addNode,
    atomsOf,
    type ChangedDefinition,
    changedDefinition,
    countUse,
    exchanged,
    isForgotten,
    lose,
    type NameEntry,
    nameEntry,
    predicatesOf,
} from './name-entry.ts';
import { NameSearch } from './name-search.ts';
import { isIntroduced, isUndefined, meaningOf, nameFacts, sameMeaning } from './names.ts';
import type { PredicateNode } from './predicate-graph.ts';
import type { NameFacts, NameMeaning, ReadItem } from './program-facts.ts';
import { type Steps, withEach } from './steps.ts';

/** The names of a program with the clauses that define and mention them, kept up to date from change to change. */
export class NameIndex {
    readonly #schemas: ReadonlyMap<string, SourceSchema>;
    readonly #compare: ComparePlaces;
    readonly #entries = new Map<string, NameEntry>();
    readonly #words = new Map<string, number>();
    /** Names of which something changed since their facts were gathered. */
    readonly #touched = new Set<NameEntry>();
    readonly #defined = new NameSearch();
    readonly #undefined = new Set<string>();
    #nearest = new Map<string, string | undefined>();
    #successors: ReadonlyMap<string, string> = new Map();

    constructor(schemas: ReadonlyMap<string, SourceSchema>, compare: ComparePlaces) {
        this.#schemas = schemas;
        this.#compare = compare;
    }

    get entries(): Iterable<NameEntry> {
        return this.#entries.values();
    }

    entry(name: string): NameEntry | undefined {
        return this.#entries.get(name);
    }

    readonly meaningOf = (name: string): NameMeaning | undefined => this.#entries.get(name)?.meaning;

    readonly factsOf = (name: string): NameFacts | undefined => this.#entries.get(name)?.facts;

    /** The predicate that a table of a query means: that of its name, or the only one whose name differs in case alone. */
    readonly meantTable = (table: string): string => {
        if ((this.#entries.get(table)?.meaning?.arities.length ?? 0) > 0) return table;
        const folded = table.toLowerCase();
        const similar: string[] = [];
        for (const { name, meaning } of this.#entries.values())
            if (name.toLowerCase() === folded && (meaning?.arities.length ?? 0) > 0) similar.push(name);
        return similar.length === 1 ? (similar[0] ?? table) : table;
    };

    readonly isIntroduced = (name: string): boolean => this.#entries.get(name)?.introduced ?? false;

    /** Equal keys are one string, so that the many maps over them hash it once. */
    readonly keyOf = (name: string, arity: number): PredicateKey =>
        this.#entries.get(name)?.nodes.get(arity)?.key ?? predicateKey(name, arity);

    /** The predicate with this key. */
    readonly nodeOf = (key: PredicateKey): PredicateNode => {
        const slash = key.lastIndexOf('/');
        return this.node(key.slice(0, slash), Number(key.slice(slash + 1)));
    };

    node(name: string, arity: number): PredicateNode {
        const entry = this.#entry(name);
        let node = entry.nodes.get(arity);
        if (node === undefined) {
            node = {
                key: predicateKey(name, arity),
                name,
                arity,
                rules: [],
                component: undefined,
                number: -1,
                order: undefined,
                predicate: undefined,
            };
            addNode(entry, node);
        }
        return node;
    }

    #entry(name: string): NameEntry {
        let entry = this.#entries.get(name);
        if (entry === undefined) {
            entry = nameEntry(name);
            this.#entries.set(name, entry);
            this.#touched.add(entry);
        }
        return entry;
    }

    #touch(name: string): NameEntry {
        const entry = this.#entry(name);
        this.#touched.add(entry);
        return entry;
    }

    /** Puts clauses in the place of others; gives the definitions that changed. */
    *exchange(removed: readonly ClauseState[], added: readonly ClauseState[]): Steps<ReadonlyMap<NameEntry, Iterable<number>>> {
        const changed = new Map<NameEntry, Map<number, ChangedDefinition>>();
        yield* withEach(removed, state => {
            const { clause } = state;
            for (const atom of atomsOf(clause)) lose(this.#changed(atom, changed), clause);
            this.#count(state, -1);
        });
        yield* withEach(added, state => {
            const { clause } = state;
            for (const atom of atomsOf(clause)) {
                const change = this.#changed(atom, changed);
                if (clause.kind === 'fact') change.facts.push(clause);
                if (clause.kind === 'rule') change.rules.push({ rule: clause, atom, place: clause.place });
            }
            this.#count(state, 1);
        });
        for (const [entry, arities] of changed) entry.definitions = yield* exchanged(entry.definitions, arities, this.#compare);
        return new Map([...changed].map(([entry, arities]) => [entry, [...arities.keys()]]));
    }

    #changed({ predicate, arguments: terms }: Atom, changed: Map<NameEntry, Map<number, ChangedDefinition>>): ChangedDefinition {
        const entry = this.#touch(predicate);
        let arities = changed.get(entry);
        if (arities === undefined) {
            arities = new Map();
            changed.set(entry, arities);
        }
        let change = arities.get(terms.length);
        if (change === undefined) {
            change = changedDefinition();
            arities.set(terms.length, change);
        }
        return change;
    }

    /** Counts what a clause mentions, or forgets it. */
    #count(state: ClauseState, step: 1 | -1): void {
        const { asked, mentions, words, reads } = state.summary;
        for (const name of asked) {
            const entry = this.#entry(name);
            if (step > 0) addAsker(entry, state);
            else entry.askers.delete(state);
            if (entry.askers.size === 0) this.#touched.add(entry);
        }
        for (const name of mentions) this.#touch(name).broken += step;
        for (const name of reads) this.#touch(name).wholeReads += step;
        for (const word of words) {
            const count = (this.#words.get(word) ?? 0) + step;
            if (count === 0) this.#words.delete(word);
            else this.#words.set(word, count);
            const entry = this.#entries.get(word);
            if (entry !== undefined) this.#touched.add(entry);
        }
    }

    /** Replaces what annotations say about names. */
    declare(declarations: ReadonlyMap<string, NameDeclarations>, before: Iterable<string>): void {
        for (const name of before) if (!declarations.has(name)) this.#touch(name).declared = UNDECLARED;
        for (const [name, declared] of declarations) this.#touch(name).declared = declared;
    }

    /** Replaces what documentation says to use instead of predicates. */
    deprecate(successors: ReadonlyMap<string, string>): void {
        for (const name of [...this.#successors.keys(), ...successors.keys()]) this.#touch(name);
        this.#successors = successors;
    }

    /** The rules whose items have to be read again, because names in them became or ceased to be those of predicates. */
    introduce(): Set<ClauseState> {
        const rules = new Set<ClauseState>();
        for (const entry of this.#touched) {
            const introduced = isIntroduced({ definitions: entry.definitions, broken: entry.broken > 0 }, entry.declared);
            if (introduced !== entry.introduced) for (const asker of entry.askers) rules.add(asker);
            entry.introduced = introduced;
        }
        return rules;
    }

    /** Counts the atoms among the items of a rule's body, or forgets them. */
    countUses(items: readonly ReadItem[], step: 1 | -1): void {
        for (const item of items) {
            if (item.kind !== 'literal') continue;
            const entry = this.#entry(item.atom.predicate);
            const count = countUse(entry, item.atom.arguments.length, step);
            if (count === 0 || count === step) this.#touched.add(entry);
        }
    }

    /** Gathers the facts about touched names anew. */
    *settle(): Steps<SettledNames> {
        const touched = [...this.#touched];
        this.#touched.clear();
        const redefined = new Set<string>();
        const newlyUndefined = new Set<string>();
        yield* withEach(touched, entry => {
            const before = (entry.facts?.arities.length ?? 0) > 0;
            const facts = isForgotten(entry) ? undefined : this.#facts(entry);
            entry.facts = facts;
            entry.predicates = predicatesOf(entry, facts);
            const after = (facts?.arities.length ?? 0) > 0;
            if (after && !before) this.#defined.add(entry.name);
            if (before && !after) this.#defined.delete(entry.name);
            if (before !== after) redefined.add(entry.name);
            const asked = entry.uses.size > 0 || entry.wholeReads > 0;
            if (facts !== undefined && isUndefined(facts, asked)) {
                if (!this.#undefined.has(entry.name)) newlyUndefined.add(entry.name);
                this.#undefined.add(entry.name);
            } else if (this.#undefined.delete(entry.name)) newlyUndefined.add(entry.name);
        });
        for (const entry of touched) if (entry.facts === undefined) this.#entries.delete(entry.name);
        const searched = newlyUndefined.size > 0 || redefined.size > 0 ? this.#search(redefined) : [];
        const meant = new Map<NameEntry, NameMeaning | undefined>();
        yield* withEach(new Set([...touched, ...searched]), entry => {
            const { facts, meaning } = entry;
            const found = facts && meaningOf(facts, this.#nearest.get(entry.name), this.#successors.get(entry.name));
            if (found !== undefined && meaning !== undefined && sameMeaning(found, meaning)) return;
            entry.meaning = found;
            meant.set(entry, meaning);
        });
        return { touched, meant };
    }

    #facts(entry: NameEntry): NameFacts {
        const { name, definitions, uses, broken, wholeReads, declared } = entry;
        const use = {
            name,
            definitions,
            used: uses.size > 0,
            largestUse: () => Math.max(0, ...uses.keys()),
            broken: broken > 0,
            mentioned: wholeReads > 0 || this.#words.has(name),
        };
        return nameFacts(use, declared, this.#schemas);
    }

    /** Looks for the names that undefined ones were meant for; gives those for which the answer changed. */
    #search(redefined: ReadonlySet<string>): NameEntry[] {
        const known = this.#nearest;
        const wanted = [...this.#undefined].sort().slice(0, MOST_SEARCHES);
        const changed = [...redefined];
        this.#nearest = new Map(
            wanted.map(name => {
                const before = known.get(name);
                const holds =
                    known.has(name) &&
                    (before === undefined || !redefined.has(before)) &&
                    !changed.some(other => this.#defined.isSimilar(name, other));
                return [name, holds ? before : this.#defined.nearest(name)];
            }),
        );
        const names = new Set([...known.keys(), ...this.#nearest.keys()]);
        return [...names].flatMap(name => (known.get(name) === this.#nearest.get(name) ? [] : (this.#entries.get(name) ?? [])));
    }
}

/** The names whose facts were gathered anew, and those that mean something else to rules, with what they meant before. */
export interface SettledNames {
    readonly touched: readonly NameEntry[];
    readonly meant: ReadonlyMap<NameEntry, NameMeaning | undefined>;
}
