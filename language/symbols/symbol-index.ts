import type { Clause } from '#language/program/program.ts';
import type { SymbolMention } from './clause-symbols.ts';
import { isIntroducing } from './symbol-roles.ts';

/** A mention with the clause it stands in, which knows where the clause is now. */
export interface PlacedSymbol {
    readonly clause: Clause;
    readonly mention: SymbolMention;
}

/** Definitions and uses of the shared names of one document. Reading it never looks at the text. */
export interface SymbolIndex {
    /** Predicates and functions of this name, in text order. */
    named(name: string): readonly PlacedSymbol[];
    /** Declarations and uses of the parameter, in text order. */
    parameter(name: string): readonly PlacedSymbol[];
    /** A clause defines or uses a predicate or a function of this name. */
    mentions(name: string): boolean;
    /** A fact, a head, a bind, a declaration or a model introduces a predicate of this name (1.1). */
    introduces(name: string): boolean;
    /** Every name that something introduces as a predicate. */
    introduced(): Iterable<string>;
}

/** An index that is kept up to date clause by clause. A clause counts until it is removed with the same symbols. */
export interface MutableSymbolIndex extends SymbolIndex {
    add(clause: Clause, symbols: readonly SymbolMention[]): void;
    remove(clause: Clause, symbols: readonly SymbolMention[]): void;
}

export function symbolIndex(): MutableSymbolIndex {
    return new ClauseSymbolIndex();
}

class Entry {
    readonly byClause = new Map<Clause, SymbolMention[]>();
    introductions = 0;
}

class ClauseSymbolIndex implements MutableSymbolIndex {
    private readonly names = new Map<string, Entry>();
    private readonly parameters = new Map<string, Entry>();

    add(clause: Clause, symbols: readonly SymbolMention[]): void {
        for (const mention of symbols) {
            const table = this.tableOf(mention);
            let entry = table.get(mention.name);
            if (entry === undefined) {
                entry = new Entry();
                table.set(mention.name, entry);
            }
            const known = entry.byClause.get(clause);
            if (known === undefined) entry.byClause.set(clause, [mention]);
            else known.push(mention);
            if (isIntroducing(mention)) entry.introductions++;
        }
    }

    remove(clause: Clause, symbols: readonly SymbolMention[]): void {
        for (const mention of symbols) {
            const table = this.tableOf(mention);
            const entry = table.get(mention.name);
            if (entry === undefined) continue;
            entry.byClause.delete(clause);
            if (isIntroducing(mention)) entry.introductions--;
            if (entry.byClause.size === 0) table.delete(mention.name);
        }
    }

    named(name: string): readonly PlacedSymbol[] {
        return inTextOrder(this.names.get(name));
    }

    parameter(name: string): readonly PlacedSymbol[] {
        return inTextOrder(this.parameters.get(name));
    }

    mentions(name: string): boolean {
        return this.names.has(name);
    }

    introduces(name: string): boolean {
        return (this.names.get(name)?.introductions ?? 0) > 0;
    }

    *introduced(): Iterable<string> {
        for (const [name, entry] of this.names) if (entry.introductions > 0) yield name;
    }

    private tableOf(mention: SymbolMention): Map<string, Entry> {
        return mention.kind === 'parameter' ? this.parameters : this.names;
    }
}

function inTextOrder(entry: Entry | undefined): readonly PlacedSymbol[] {
    if (entry === undefined) return [];
    const clauses = [...entry.byClause];
    const ordered = clauses.every(([clause], index) => clause.place.offset >= (clauses[index - 1]?.[0].place.offset ?? 0));
    if (!ordered) clauses.sort(([a], [b]) => a.place.offset - b.place.offset);
    return clauses.flatMap(([clause, mentions]) => mentions.map(mention => ({ clause, mention })));
}
