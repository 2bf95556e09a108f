import type { Dictionary } from './dictionary.ts';
import { compareValues } from './order.ts';
import type { ValueId } from './value-id.ts';

/** The consequence of equating two values for a run (4.8); it may be open until all nulls are known. */
export type Equated = 'equal' | 'replaced' | 'different' | 'open';

/** Bytes of the entries of one replaced null in the maps below, by estimate. */
const BYTES_PER_REPLACEMENT = 120;
const BYTES_PER_HOLDER = 24;

/**
 * The values that labelled nulls turned out to be: a union-find whose classes are named by their constant, where they
 * have one, else by one of their nulls. What holds a replaced null becomes what it is with the new value: collections,
 * and also the nulls of functions, Skolem terms and rules, for whose arguments equality is a congruence.
 */
export class Equalities {
    readonly #dictionary: Dictionary;
    readonly #parents = new Map<ValueId, ValueId>();
    /** Of classes without a constant, by their names. */
    readonly #sizes = new Map<ValueId, number>();
    /** For each value that may be replaced, the values that it is a direct part of. */
    readonly #holders = new Map<ValueId, ValueId[]>();
    #holderCount = 0;
    /** Entries of the dictionary whose parts are in `#holders`. */
    #scanned = 0;
    /** Replaced since the last call of `settle`. */
    #replaced: ValueId[] = [];
    /** Pairs of collections that may become equal. */
    readonly #open: (readonly [ValueId, ValueId])[] = [];

    constructor(dictionary: Dictionary) {
        this.#dictionary = dictionary;
    }

    get bytes(): number {
        return this.#parents.size * BYTES_PER_REPLACEMENT + this.#holderCount * BYTES_PER_HOLDER;
    }

    /** Returns the current value. */
    resolve(id: ValueId): ValueId {
        const parents = this.#parents;
        let root = id;
        for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
        let passed = id;
        while (passed !== root) {
            const parent = parents.get(passed)!;
            parents.set(passed, root);
            passed = parent;
        }
        return root;
    }

    /**
     * Makes two values equal: lists and structs element by element. Sets and maps with nulls inside that are different so
     * far are looked at again by `settle`.
     */
    equate(left: ValueId, right: ValueId): Equated {
        const a = this.resolve(left);
        const b = this.resolve(right);
        if (a === b) return 'equal';
        const dictionary = this.#dictionary;
        const [isNullA, isNullB] = [dictionary.isNull(a), dictionary.isNull(b)];
        if (!isNullA && !isNullB) {
            return this.#equateConstants(a, b);
        }
        if (!isNullB) this.#replace(a, b);
        else if (!isNullA) this.#replace(b, a);
        else {
            const [sizeA, sizeB] = [this.#sizes.get(a) ?? 1, this.#sizes.get(b) ?? 1];
            const [kept, gone] = sizeA > sizeB || (sizeA === sizeB && a < b) ? [a, b] : [b, a];
            this.#sizes.set(kept, sizeA + sizeB);
            this.#replace(gone, kept);
        }
        return 'replaced';
    }

    #equateConstants(left: ValueId, right: ValueId): Equated {
        const dictionary = this.#dictionary;
        const kind = dictionary.kind(left);
        if (!(this.#mayChange(left) || this.#mayChange(right)) || kind !== dictionary.kind(right)) return 'different';
        if (kind === 'set' || kind === 'map') {
            this.#open.push([left, right]);
            return 'open';
        }
        const [a, b] = [dictionary.membersOf(left), dictionary.membersOf(right)];
        if (a.length !== b.length) return 'different';
        const parts = new Set(a.map((member, i) => this.equate(member, b[i]!)));
        return (['different', 'open', 'replaced'] as const).find(one => parts.has(one)) ?? 'equal';
    }

    /**
     * Carries replacements on to what holds the replaced values. Returns everything that was replaced since the last
     * call, or two values that cannot be equal and yet must be.
     */
    settle(): { readonly replaced: readonly ValueId[] } | { readonly different: readonly [ValueId, ValueId] } {
        for (let i = 0; i < this.#replaced.length; i++) {
            this.#findHolders();
            for (const holder of this.#holders.get(this.#replaced[i]!) ?? []) {
                const different = this.#renew(holder);
                if (different !== undefined) return { different };
            }
        }
        for (const [left, right] of this.#open.splice(0)) {
            const [a, b] = [this.resolve(left), this.resolve(right)];
            if (a !== b) return { different: [a, b] };
        }
        const replaced = this.#replaced;
        this.#replaced = [];
        return { replaced };
    }

    #replace(gone: ValueId, by: ValueId): void {
        this.#parents.set(gone, by);
        this.#replaced.push(gone);
    }

    #mayChange(id: ValueId): boolean {
        const dictionary = this.#dictionary;
        if (dictionary.isNull(id)) return true;
        return dictionary.isCollection(id) && dictionary.membersOf(id).some(member => this.#mayChange(member));
    }

    /** Gives a value that holds a replaced one its present form. */
    #renew(holder: ValueId): readonly [ValueId, ValueId] | undefined {
        const dictionary = this.#dictionary;
        if (dictionary.isNull(holder)) {
            const same = dictionary.renewedNull(holder);
            return this.equate(holder, same) === 'different' ? [this.resolve(holder), same] : undefined;
        }
        if (this.#parents.has(holder)) return undefined;
        const renewed = this.#renewed(holder);
        if (renewed !== holder) this.#replace(holder, renewed);
        return undefined;
    }

    #renewed(id: ValueId): ValueId {
        const dictionary = this.#dictionary;
        const members = dictionary.membersOf(id).map(member => {
            const resolved = this.resolve(member);
            return dictionary.isCollection(resolved) ? this.#renewed(resolved) : resolved;
        });
        switch (dictionary.kind(id)) {
            case 'list':
                return dictionary.list(members);
            case 'set':
                return dictionary.set([...new Set(members)].sort((a, b) => compareValues(dictionary, a, b)));
            case 'struct':
                return dictionary.struct(members);
            default:
                return dictionary.map(distinctKeys(members));
        }
    }

    /** Notes the parts of the values that the dictionary has got since the last time. */
    #findHolders(): void {
        const dictionary = this.#dictionary;
        const { size } = dictionary;
        for (let id = this.#scanned; id < size; id++) {
            const parts = dictionary.partsOf(id);
            for (let i = 0; i < parts.length; i++) {
                const part = parts[i]!;
                if (part < 0 || !(dictionary.isNull(part) || dictionary.isCollection(part))) continue;
                const holders = this.#holders.get(part);
                if (holders === undefined) this.#holders.set(part, [id]);
                else holders.push(id);
                this.#holderCount++;
            }
        }
        this.#scanned = size;
    }
}

/** Of entries of a map whose keys have become equal, the first stays. */
function distinctKeys(members: readonly ValueId[]): ValueId[] {
    const entries = new Map<ValueId, ValueId>();
    for (let i = 0; i < members.length; i += 2) if (!entries.has(members[i]!)) entries.set(members[i]!, members[i + 1]!);
    return [...entries].flat();
}
