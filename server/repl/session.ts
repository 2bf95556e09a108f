import { readProgram } from '#language/read-program.ts';

/** The name of what is typed, in places. */
export const SESSION = 'session';

/** The program that the user types: its clauses in order, with the comments above them. Each change can be taken back. */
export class Session {
    #clauses: readonly string[] = [];
    readonly #before: (readonly string[])[] = [];

    get text(): string {
        return textOf(this.#clauses);
    }

    /** The text with further clauses, which are not added yet. */
    with(clauses: readonly string[]): string {
        return textOf([...this.#clauses, ...clauses]);
    }

    add(clauses: readonly string[]): void {
        this.#change([...this.#clauses, ...clauses]);
    }

    /** Removes the clauses about a predicate or an included file, or the one in a line; tells how many there were. */
    drop(what: string): number {
        const line = /^\d+$/u.test(what) ? Number(what) : undefined;
        let next = 1;
        const left = this.#clauses.filter(text => {
            const first = next;
            next += text.split('\n').length;
            return line === undefined ? !namesIn(text).includes(what) : line < first || line >= next;
        });
        const dropped = this.#clauses.length - left.length;
        if (dropped > 0) this.#change(left);
        return dropped;
    }

    /** Takes back the last change; false where there is none. */
    undo(): boolean {
        const before = this.#before.pop();
        if (before !== undefined) this.#clauses = before;
        return before !== undefined;
    }

    #change(clauses: readonly string[]): void {
        this.#before.push(this.#clauses);
        this.#clauses = clauses;
    }
}

function textOf(clauses: readonly string[]): string {
    return clauses.map(text => `${text}\n`).join('');
}

/** Returns the names that a clause defines, or describes. */
function namesIn(text: string): string[] {
    return readProgram(text, SESSION).value.clauses.flatMap(clause => {
        const annotated = clause.annotations.flatMap(({ arguments: [first] }) => (first?.kind === 'string' ? [first.value] : []));
        if (clause.kind === 'fact') return [...annotated, clause.atom.predicate];
        if (clause.kind !== 'rule' || clause.head.kind !== 'atoms') return annotated;
        return [...annotated, ...clause.head.atoms.map(({ predicate }) => predicate)];
    });
}
