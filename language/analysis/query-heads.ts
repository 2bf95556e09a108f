import type { Clause, Rule, Variable } from '#language/program/program.ts';
import type { QueryColumn } from '#language/program/sql-reading.ts';

/** The columns of a query's result; undefined while they are not known, and for other rules. */
export type ResultOf = (rule: Rule) => readonly QueryColumn[] | undefined;

/**
 * Rules with a query and a head without terms, `p() <- SELECT …`, with a head that lists the columns of the query (10.3).
 * What a `*` stands for is known when the program has been analysed, so that such a rule may be completed anew then.
 */
export class QueryHeads {
    readonly #resultOf: ResultOf;
    readonly #completed = new WeakMap<Rule, Rule>();
    #open: readonly Rule[] = [];

    constructor(resultOf: ResultOf) {
        this.#resultOf = resultOf;
    }

    /** The clauses with such rules completed as far as their columns are known; a rule that stays as it was is the same object. */
    complete(clauses: readonly Clause[]): readonly Clause[] {
        this.#open = clauses.filter(clause => clause.kind === 'rule' && isOpen(clause)) as Rule[];
        return this.#open.length === 0
            ? clauses
            : clauses.map(clause => (clause.kind === 'rule' && isOpen(clause) ? this.#rule(clause) : clause));
    }

    /** Whether a rule would have another head by now. */
    isStale(): boolean {
        return this.#open.some(rule => this.#completed.get(rule) !== this.#rule(rule));
    }

    #rule(rule: Rule): Rule {
        const columns = this.#resultOf(rule);
        const before = this.#completed.get(rule) ?? rule;
        const completed = columns === undefined ? rule : withColumns(rule, columns);
        const now = headText(before) === headText(completed) ? before : completed;
        this.#completed.set(rule, now);
        return now;
    }
}

function isOpen({ head, body }: Rule): boolean {
    return (
        body.kind === 'query' &&
        body.language === 'sql' &&
        head.kind === 'atoms' &&
        head.atoms.length === 1 &&
        head.atoms[0]?.arguments.length === 0
    );
}

/** The head lists a variable for each column, called as the column is. */
function withColumns(rule: Rule, columns: readonly QueryColumn[]): Rule {
    const { head } = rule;
    const [atom] = head.kind === 'atoms' ? head.atoms : [];
    if (atom === undefined) return rule;
    const names = new Set<string>();
    const terms = columns.map(({ name }, i): Variable => {
        let distinct = name ?? `${atom.predicate}_${i}`;
        while (names.has(distinct)) distinct += `_${i}`;
        names.add(distinct);
        return { kind: 'variable', name: distinct, span: atom.nameSpan };
    });
    return { ...rule, head: { kind: 'atoms', atoms: [{ ...atom, arguments: terms }], span: head.span } };
}

function headText({ head }: Rule): string {
    return head.kind === 'atoms'
        ? JSON.stringify(head.atoms.map(atom => atom.arguments.map(term => (term.kind === 'variable' ? term.name : ''))))
        : '';
}
