import { type AtomItem, mostBound, slotsOf, termValue } from './rule-body.ts';
import { UNBOUND } from './rule-scope.ts';

/** What a match has to fulfil once the registers that it needs have values. */
export interface SearchedCheck {
    readonly needs: readonly number[];
    /** The register that it gives a value, where that has none yet. */
    readonly target?: number;
    readonly assign?: () => void;
    readonly holds: () => boolean;
}

export interface Search {
    /** The positive atoms of the body, in its order. */
    readonly atoms: readonly AtomItem[];
    readonly checks: readonly SearchedCheck[];
    /** Those that have a value have it in all matches; the others hold the values of the match that is found. */
    readonly registers: Int32Array;
    /** Whether a row of an atom can belong to a match at all. */
    readonly admits: Admits;
    /** What a match is judged by, the most important first: the greatest cost of its rows, which is to be small. */
    readonly costs: readonly Cost[];
    /** Which of two rows of an atom stands first, where costs do not decide; atoms count in the order of the body. */
    readonly compare: (atom: AtomItem, left: number, right: number) => number;
    /** Ends the search by an error once it has taken too long. */
    readonly checkpoint: () => void;
}

type Admits = (atom: AtomItem, row: number) => boolean;
type Cost = (atom: AtomItem, row: number) => number;

/** Atoms that are searched together, one of them first; `rest` is what is open once that one has a row. */
interface Part {
    readonly atom: AtomItem;
    /** The columns of terms that have a value before. */
    readonly columns: readonly number[];
    /** The registers that a row gives values, by column. */
    readonly binds: readonly { readonly column: number; readonly slot: number }[];
    /** The columns that have to agree with an earlier one. */
    readonly repeats: readonly { readonly column: number; readonly first: number }[];
    /** The registers with values from outside on which the matches of the part depend. */
    readonly shared: readonly number[];
    /** The atoms of the part, in the order of the body. */
    readonly all: readonly AtomItem[];
    readonly rest: Stage;
}

/** Checks in the order in which they can be made, and parts that have nothing to do with one another. */
interface Stage {
    readonly checks: readonly (() => boolean)[];
    readonly parts: readonly Part[];
    /** False where a check needs what nothing gives a value. */
    readonly isPossible: boolean;
}

type Found = ReadonlyMap<AtomItem, number>;

/**
 * The match of a rule body that comes first by its costs and then by its rows, one row per atom, without a look at all matches:
 * atoms that share no open variable are searched apart, and what a row leaves open is searched once for the values that it shares
 * with the rest, as in a join along a tree (Yannakakis 1981).
 */
export function leastMatch(search: Search): Found | undefined {
    const { registers, atoms, checks } = search;
    const given = new Set([...registers.keys()].filter(slot => registers[slot] !== UNBOUND));
    const stage = stageOf(atoms, checks, given);
    let { admits } = search;
    for (const cost of search.costs) {
        const least = new LeastCost(search, cost, admits).of(stage);
        if (least === undefined) return undefined;
        const before = admits;
        admits = (atom, row) => before(atom, row) && cost(atom, row) <= least;
    }
    const first = new FirstRows(search, admits);
    const found = first.of(stage);
    if (found !== undefined) first.fill(stage, found);
    return found;
}

function stageOf(atoms: readonly AtomItem[], checks: readonly SearchedCheck[], known: ReadonlySet<number>): Stage {
    const bound = new Set(known);
    const ready: (() => boolean)[] = [];
    let waiting = [...checks];
    for (let count = -1; count !== waiting.length; ) {
        count = waiting.length;
        waiting = waiting.filter(({ needs, target, assign, holds }) => {
            if (!needs.every(slot => bound.has(slot))) return true;
            const isGiven = assign === undefined || target === undefined || bound.has(target);
            if (isGiven) ready.push(holds);
            else {
                ready.push(() => {
                    assign();
                    return true;
                });
                bound.add(target);
            }
            return false;
        });
    }
    const groups = connected(atoms, waiting, bound);
    const isPossible = groups.every(group => group.atoms.length > 0 || group.checks.length === 0);
    return { checks: ready, parts: groups.flatMap(group => partOf(group, bound) ?? []), isPossible };
}

function partOf({ atoms, checks }: Group, bound: ReadonlySet<number>): Part | undefined {
    const atom = mostBound(atoms, bound);
    if (atom === undefined) return undefined;
    const columns: number[] = [];
    const binds: { column: number; slot: number }[] = [];
    const repeats: { column: number; first: number }[] = [];
    for (const [column, { term, needs }] of atom.terms.entries()) {
        if (term === undefined) continue;
        if (needs.every(slot => bound.has(slot))) columns.push(column);
        if (!('slot' in term) || bound.has(term.slot)) continue;
        const same = binds.find(({ slot }) => slot === term.slot);
        if (same === undefined) binds.push({ column, slot: term.slot });
        else repeats.push({ column, first: same.column });
    }
    const read = [...atoms.flatMap(one => slotsOf(one.terms)), ...checks.flatMap(slotsOfCheck)];
    const shared = [...new Set(read)].filter(slot => bound.has(slot));
    const here = new Set([...bound, ...slotsOf(atom.terms)]);
    const others = atoms.filter(other => other !== atom);
    return { atom, columns, binds, repeats, shared, all: atoms, rest: stageOf(others, checks, here) };
}

interface Group {
    readonly atoms: readonly AtomItem[];
    readonly checks: readonly SearchedCheck[];
}

/** Atoms and checks by the open registers that connect them. */
function connected(atoms: readonly AtomItem[], checks: readonly SearchedCheck[], bound: ReadonlySet<number>): Group[] {
    const groups: (Group & { readonly slots: ReadonlySet<number> })[] = [];
    const join = (slots: readonly number[], own: Group): void => {
        const open = slots.filter(slot => !bound.has(slot));
        const joined = groups.filter(({ slots: others }) => open.some(slot => others.has(slot)));
        for (const group of joined) groups.splice(groups.indexOf(group), 1);
        const all = [...joined, { ...own, slots: open }];
        const members = new Set(all.flatMap(group => group.atoms));
        groups.push({
            slots: new Set(all.flatMap(group => [...group.slots])),
            atoms: atoms.filter(atom => members.has(atom)),
            checks: all.flatMap(group => group.checks),
        });
    };
    for (const atom of atoms) join(slotsOf(atom.terms), { atoms: [atom], checks: [] });
    for (const check of checks) join(slotsOfCheck(check), { atoms: [], checks: [check] });
    return groups;
}

function slotsOfCheck({ needs, target }: SearchedCheck): number[] {
    return target === undefined ? [...needs] : [...needs, target];
}

/** Rows that a search may look at between two checkpoints. */
const BATCH = 1024;

/** More answers than this are not kept. */
const MOST_ANSWERS = 1 << 20;

/** Answers of the parts by the values that they share with the rest. */
abstract class PartSearch<Answer> {
    protected readonly search: Search;
    readonly #admits: Admits;
    readonly #answers = new Map<Part, Map<number | string, Answer | undefined>>();
    #kept = 0;
    #looked = 0;

    constructor(search: Search, admits: Admits) {
        this.search = search;
        this.#admits = admits;
    }

    protected partAnswer(part: Part): Answer | undefined {
        if (part.shared.length === 0) return this.searched(part);
        const { registers } = this.search;
        const key = part.shared.length === 1 ? registers[part.shared[0]!]! : part.shared.map(slot => registers[slot]).join();
        const answers = this.#answers.get(part) ?? new Map<number | string, Answer | undefined>();
        if (answers.has(key)) return answers.get(key);
        this.#answers.set(part, answers);
        const answer = this.searched(part);
        if (this.#kept++ < MOST_ANSWERS) answers.set(key, answer);
        return answer;
    }

    protected abstract searched(part: Part): Answer | undefined;

    /** Whether the checks hold that the registers decide. */
    protected holds(stage: Stage): boolean {
        return stage.isPossible && stage.checks.every(check => check());
    }

    /** The rows of the part's first atom that the registers leave, in no order. */
    protected rowsOf({ atom, columns, repeats }: Part): number[] {
        const { rows, terms } = atom;
        const { registers, checkpoint } = this.search;
        const found: number[] = [];
        rows?.match(
            columns,
            columns.map(column => termValue(terms[column]!, registers)),
            row => {
                if (++this.#looked % BATCH === 0) checkpoint();
                const isRepeated = repeats.every(({ column, first }) => rows.columns[first]![row] === rows.columns[column]![row]);
                if (isRepeated && this.#admits(atom, row)) found.push(row);
            },
        );
        return found;
    }

    protected bind({ atom, binds }: Part, row: number): void {
        const { columns } = atom.rows!;
        for (const { column, slot } of binds) this.search.registers[slot] = columns[column]![row]!;
    }
}

/** The smallest of the greatest costs that a match can have. */
class LeastCost extends PartSearch<number> {
    readonly #cost: Cost;

    constructor(search: Search, cost: Cost, admits: Admits) {
        super(search, admits);
        this.#cost = cost;
    }

    of(stage: Stage): number | undefined {
        if (!this.holds(stage)) return undefined;
        let greatest = 0;
        for (const part of stage.parts) {
            const least = this.partAnswer(part);
            if (least === undefined) return undefined;
            greatest = Math.max(greatest, least);
        }
        return greatest;
    }

    protected override searched(part: Part): number | undefined {
        let least: number | undefined;
        for (const row of this.rowsOf(part)) {
            const own = this.#cost(part.atom, row);
            if (least !== undefined && own >= least) continue;
            this.bind(part, row);
            const rest = this.of(part.rest);
            if (rest === undefined) continue;
            const both = Math.max(own, rest);
            if (least === undefined || both < least) least = both;
            if (least === 0) break;
        }
        return least;
    }
}

/** The rows that stand first, by the order of the body. */
class FirstRows extends PartSearch<Found> {
    of(stage: Stage): Found | undefined {
        if (!this.holds(stage)) return undefined;
        const rows = new Map<AtomItem, number>();
        for (const part of stage.parts) {
            const found = this.partAnswer(part);
            if (found === undefined) return undefined;
            for (const [atom, row] of found) rows.set(atom, row);
        }
        return rows;
    }

    /** Gives the registers the values of a match. */
    fill({ checks, parts }: Stage, rows: Found): void {
        for (const check of checks) check();
        for (const part of parts) {
            this.bind(part, rows.get(part.atom)!);
            this.fill(part.rest, rows);
        }
    }

    protected override searched(part: Part): Found | undefined {
        const { atom, all, rest } = part;
        let best: Found | undefined;
        for (const row of this.rowsOf(part)) {
            if (atom === all[0] && best !== undefined && this.search.compare(atom, row, best.get(atom)!) >= 0) continue;
            this.bind(part, row);
            const found = this.of(rest);
            if (found === undefined) continue;
            const match = new Map(found).set(atom, row);
            if (best === undefined || this.#compare(all, match, best) < 0) best = match;
        }
        return best;
    }

    #compare(atoms: readonly AtomItem[], left: Found, right: Found): number {
        for (const atom of atoms) {
            const order = this.search.compare(atom, left.get(atom)!, right.get(atom)!);
            if (order !== 0) return order;
        }
        return 0;
    }
}
