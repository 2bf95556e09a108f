import { MIXED, meet, type Type } from '#language/program/types.ts';

/** Types and their meet, which one that changes costs the logarithm of their number: a segment tree, `mixed` where nothing is yet. */
export class MetTypes {
    /** The meet of all at 1, of those below a node at `i` at `2 * i` and `2 * i + 1`, and the types from `#size` on. */
    #tree: Type[] = [MIXED, MIXED];
    #size = 1;
    #count = 0;

    /** Adds a type; gives its number. */
    add(type: Type): number {
        if (this.#count === this.#size) this.#grow();
        this.set(this.#count, type);
        return this.#count++;
    }

    #grow(): void {
        const types = this.#tree.slice(this.#size);
        this.#size *= 2;
        this.#tree = new Array<Type>(this.#size * 2).fill(MIXED);
        for (const [index, type] of types.entries()) this.set(index, type);
    }

    set(index: number, type: Type): void {
        let at = this.#size + index;
        this.#tree[at] = type;
        for (at >>= 1; at > 0; at >>= 1) this.#tree[at] = meet(this.#tree[2 * at] ?? MIXED, this.#tree[2 * at + 1] ?? MIXED);
    }

    get met(): Type {
        return this.#tree[1] ?? MIXED;
    }
}
