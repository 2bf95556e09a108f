/** Numbers of things, handed out by their cost, and in their order where costs are equal: a binary heap. */
export class LeastFirst {
    readonly #things: number[] = [];
    readonly #costs: number[] = [];

    add(thing: number, cost = 0): void {
        let at = this.#things.length;
        while (at > 0) {
            const parent = (at - 1) >> 1;
            if (!isBefore(cost, thing, this.#costs[parent]!, this.#things[parent]!)) break;
            this.#move(parent, at);
            at = parent;
        }
        this.#things[at] = thing;
        this.#costs[at] = cost;
    }

    /** Takes out the first one. */
    next(): { readonly thing: number; readonly cost: number } | undefined {
        const [thing, cost] = [this.#things[0], this.#costs[0]];
        if (thing === undefined || cost === undefined) return undefined;
        const [last, lastCost] = [this.#things.pop()!, this.#costs.pop()!];
        const count = this.#things.length;
        if (count === 0) return { thing, cost };
        let at = 0;
        for (let child = 1; child < count; child = 2 * at + 1) {
            const other = child + 1;
            if (other < count && isBefore(this.#costs[other]!, this.#things[other]!, this.#costs[child]!, this.#things[child]!))
                child = other;
            if (!isBefore(this.#costs[child]!, this.#things[child]!, lastCost, last)) break;
            this.#move(child, at);
            at = child;
        }
        this.#things[at] = last;
        this.#costs[at] = lastCost;
        return { thing, cost };
    }

    #move(from: number, to: number): void {
        this.#things[to] = this.#things[from]!;
        this.#costs[to] = this.#costs[from]!;
    }
}

function isBefore(cost: number, thing: number, otherCost: number, other: number): boolean {
    return cost < otherCost || (cost === otherCost && thing < other);
}
