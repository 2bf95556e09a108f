import { Relation } from '../relations/relation.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { Memory } from '../values/memory.ts';
import type { ValueId } from '../values/value-id.ts';
import type { TreeSetId, TreeSets } from './derivation-trees.ts';

/** Stands for the first null of a form; the second is one less. No dictionary has so many entries. */
const FIRST_NULL: ValueId = 0x7fffffff;
/** Stands for the first collection with such nulls inside. */
const FIRST_COLLECTION: ValueId = 0x60000000;

/**
 * The forms of one predicate's facts in a tree. Two facts have one form if a one-to-one renaming of the nulls from rules makes them equal.
 */
export class TreeForms {
    readonly #dictionary: Dictionary;
    readonly #trees: TreeSets;
    readonly #copies: number;
    readonly #forms: Relation;
    /** Tree, form, and the number of the copy from 1. */
    readonly #held: Relation;
    readonly #form: Int32Array;
    readonly #nulls: ValueId[] = [];
    readonly #collections = new Map<string, ValueId>();

    constructor(arity: number, copies: number, trees: TreeSets, dictionary: Dictionary, memory: Memory) {
        this.#dictionary = dictionary;
        this.#trees = trees;
        this.#copies = copies;
        this.#forms = new Relation(arity, memory);
        this.#held = new Relation(3, memory);
        this.#form = new Int32Array(arity);
    }

    /** The form of a fact with nulls that come from rules, undefined for any other. */
    formOf(fact: ArrayLike<ValueId>): number | undefined {
        this.#nulls.length = 0;
        for (let i = 0; i < this.#form.length; i++) this.#form[i] = this.#renamed(fact[i]!);
        return this.#nulls.length === 0 ? undefined : this.#forms.add(this.#form);
    }

    /** Whether each of the trees holds as many copies of a form as are kept. */
    isFull(set: TreeSetId, form: number): boolean {
        for (const tree of this.#trees.treesOf(set)) if (this.#held.findKey([tree, form, this.#copies]) < 0) return false;
        return true;
    }

    /** Adds a copy of a form to the trees that have room for it. */
    add(set: TreeSetId, form: number): void {
        for (const tree of this.#trees.treesOf(set)) {
            for (let copy = 1; copy <= this.#copies; copy++) {
                const before = this.#held.count;
                if (this.#held.add3(tree, form, copy) === before) break;
            }
        }
    }

    dispose(): void {
        this.#forms.dispose();
        this.#held.dispose();
    }

    #renamed(value: ValueId): ValueId {
        if (value < 0) return value;
        const dictionary = this.#dictionary;
        switch (dictionary.kind(value)) {
            case 'null': {
                if (!dictionary.comesFromRule(value)) return value;
                const known = this.#nulls.indexOf(value);
                return FIRST_NULL - (known >= 0 ? known : this.#nulls.push(value) - 1);
            }
            case 'list':
            case 'set':
            case 'map':
            case 'struct': {
                const members = dictionary.membersOf(value);
                const renamed = members.map(member => this.#renamed(member));
                if (renamed.every((member, i) => member === members[i])) return value;
                const key = `${dictionary.kind(value)} ${renamed.join()}`;
                const known = this.#collections.get(key) ?? FIRST_COLLECTION + this.#collections.size;
                this.#collections.set(key, known);
                return known;
            }
            default:
                return value;
        }
    }
}
