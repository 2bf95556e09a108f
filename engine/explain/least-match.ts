import type { Rows } from '../relations/rows.ts';
import type { ValueId } from '../values/value-id.ts';
import type { BodyTerm } from './rule-scope.ts';

/** A positive literal of a rule whose body is searched. */
export interface SearchedLiteral {
    readonly rows: Rows | undefined;
    readonly terms: readonly BodyTerm[];
}

/** What a match has to fulfil once the registers that it needs have values. */
export interface SearchedCheck {
    readonly needs: readonly number[];
    /** The register that it gives a value, where that has none yet. */
    readonly target?: number;
    readonly assign?: () => boolean;
    readonly holds: () => boolean;
}

export interface Search {
    readonly literals: readonly SearchedLiteral[];
    readonly checks: readonly SearchedCheck[];
    readonly registers: Int32Array;
    /** Whether a row of a literal can belong to a match at all. */
    readonly admits: (literal: number, row: number) => boolean;
    /** What a match is judged by, the most important first: the greatest cost of its rows, which is to be small. */
    readonly costs: readonly ((literal: number, row: number) => number)[];
    /** Which of two rows of a literal stands first, where costs do not decide; literals count in the order of the body. */
    readonly compare: (literal: number, left: number, right: number) => number;
    /** Ends the search by an error once it has taken too long. */
    readonly checkpoint: () => void;
}

/** Literals that are searched together, one of them first; `rest` is what is open once that one has a row. */
interface Part {
    readonly literal: number;
    readonly columns: readonly number[];
    /** Which registers the row gives values, and which columns have to repeat one. */
    readonly binds: readonly { readonly column: number; readonly slot: number }[];
    readonly repeats: readonly { readonly column: number; readonly slot: number }[];
    /** The registers with values from outside on which the matches of the part depend. */
    readonly shared: readonly number[];
    /** The literals of the part, in the order of the body. */
    readonly all: readonly number[];
    readonly rest: Stage;
}

/** Checks in the order in which they can be made, and parts that have nothing to do with one another. */
interface Stage {
    readonly checks: readonly (() => boolean)[];
    readonly parts: readonly Part[];
    /** False where a check needs what nothing gives a value. */
    readonly isPossible: boolean;
}

/** The rows of a part's literals, in the order of `all`. */
type Found = readonly number[];

/**
 * The match of a rule body that comes first by its costs and then by its rows, one row per literal, without a look at all matches:
 * literals that share no open variable are searched apart, and what a row leaves open is searched once for the values that it shares
 * with the rest, as in a join along a tree (Yannakakis 1981). Registers that have a value at the start are given; `open` is what others hold.
 */
export function leastMatch(search: Search, open: number): readonly number[] | undefined {
    const given = new Set([...search.registers.keys()].filter(slot => search.registers[slot] !== open));
    const literals = [...search.literals.keys()];
    const stage = stageOf(search, literals, [...search.checks], given);
    let { admits } = search;
    for (const cost of search.costs) {
        const least = new LeastCost(search, cost, admits).of(stage);
        if (least === undefined) return undefined;
        const before = admits;
        admits = (literal, row) => before(literal, row) && cost(literal, row) <= least;
    }
    return new FirstRows(search, admits).of(stage, literals);
}

function stageOf(search: Search, literals: readonly number[], checks: readonly SearchedCheck[], known: ReadonlySet<number>): Stage {
    const bound = new Set(known);
    const ready: (() => boolean)[] = [];
    let waiting = [...checks];
    for (let count = -1; count !== waiting.length; ) {
        count = waiting.length;
        waiting = waiting.filter(check => {
            if (!check.needs.every(slot => bound.has(slot))) return true;
            const { target, assign, holds } = check;
            const isGiven = target === undefined || bound.has(target);
            ready.push(isGiven ? holds : assign!);
            if (target !== undefined) bound.add(target);
            return false;
        });
    }
    const groups = connected(search, literals, waiting, bound);
    const isPossible = groups.every(group => group.literals.length > 0 || group.checks.length === 0);
    const parts = groups.flatMap(group => (group.literals.length === 0 ? [] : [partOf(search, group.literals, group.checks, bound)]));
    return { checks: ready, parts, isPossible };
}

function partOf(search: Search, literals: readonly number[], checks: readonly SearchedCheck[], bound: ReadonlySet<number>): Part {
    const literal = mostBound(search, literals, bound);
    const { terms } = search.literals[literal]!;
    const columns: number[] = [];
    const binds: { column: number; slot: number }[] = [];
    const repeats: { column: number; slot: number }[] = [];
    const here = new Set(bound);
    for (const [column, term] of terms.entries()) {
        if (term === undefined) continue;
        if (!('slot' in term) || bound.has(term.slot)) columns.push(column);
        else if (here.has(term.slot)) repeats.push({ column, slot: term.slot });
        else {
            here.add(term.slot);
            binds.push({ column, slot: term.slot });
        }
    }
    const others = literals.filter(other => other !== literal);
    const read = [...literals.flatMap(one => slotsOf(search.literals[one]!)), ...checks.flatMap(slotsOfCheck)];
    const shared = [...new Set(read)].filter(slot => bound.has(slot));
    return { literal, columns, binds, repeats, shared, all: literals, rest: stageOf(search, others, checks, here) };
}

interface Group {
    readonly literals: readonly number[];
    readonly checks: readonly SearchedCheck[];
}

/** Literals and checks by the open registers that connect them. */
function connected(search: Search, literals: readonly number[], checks: readonly SearchedCheck[], bound: ReadonlySet<number>): Group[] {
    const groups: { slots: Set<number>; literals: number[]; checks: SearchedCheck[] }[] = [];
    const join = (slots: readonly number[], own: Group): void => {
        const open = slots.filter(slot => !bound.has(slot));
        const joined = { slots: new Set(open), literals: [...own.literals], checks: [...own.checks] };
        for (const group of groups.filter(({ slots: others }) => open.some(slot => others.has(slot)))) {
            for (const slot of group.slots) joined.slots.add(slot);
            joined.literals.push(...group.literals);
            joined.checks.push(...group.checks);
            groups.splice(groups.indexOf(group), 1);
        }
        joined.literals.sort((left, right) => left - right);
        groups.push(joined);
    };
    for (const literal of literals) join(slotsOf(search.literals[literal]!), { literals: [literal], checks: [] });
    for (const check of checks) join(slotsOfCheck(check), { literals: [], checks: [check] });
    return groups;
}

function slotsOf({ terms }: SearchedLiteral): number[] {
    return terms.flatMap(term => (term !== undefined && 'slot' in term ? [term.slot] : []));
}

function slotsOfCheck({ needs, target }: SearchedCheck): number[] {
    return target === undefined ? [...needs] : [...needs, target];
}

/** The literal with the largest share of bound arguments; among equals the one with fewer facts. */
function mostBound(search: Search, literals: readonly number[], bound: ReadonlySet<number>): number {
    const boundTerms = (index: number): number =>
        search.literals[index]!.terms.filter(term => term !== undefined && (!('slot' in term) || bound.has(term.slot))).length;
    const count = (index: number): number => search.literals[index]!.rows?.count ?? 0;
    return literals.reduce((best, index) => {
        const difference = boundTerms(index) - boundTerms(best);
        return difference > 0 || (difference === 0 && count(index) < count(best)) ? index : best;
    });
}

/** Rows that a search may look at between two checkpoints. */
const BATCH = 1024;

/** More answers than this are not kept. */
const MOST_ANSWERS = 1 << 20;

/** Answers of the parts by the values that they share with the rest. */
abstract class PartSearch<Answer> {
    protected readonly search: Search;
    readonly #admits: (literal: number, row: number) => boolean;
    readonly #answers = new Map<Part, Map<number | string, Answer | undefined>>();
    #kept = 0;
    #looked = 0;

    constructor(search: Search, admits: (literal: number, row: number) => boolean) {
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

    /** The rows of the part's first literal that the registers leave, in no order. */
    protected rowsOf({ literal, columns, repeats }: Part): number[] {
        const { literals, registers } = this.search;
        const { rows, terms } = literals[literal]!;
        const values = columns.map((column): ValueId => {
            const term = terms[column]!;
            return 'slot' in term ? registers[term.slot]! : term.constant(registers);
        });
        const found: number[] = [];
        rows?.match(columns, values, row => {
            if (++this.#looked % BATCH === 0) this.search.checkpoint();
            if (!this.#admits(literal, row)) return;
            for (const { column, slot } of repeats) {
                const first = terms.findIndex(term => term !== undefined && 'slot' in term && term.slot === slot);
                if (rows.columns[first]![row] !== rows.columns[column]![row]) return;
            }
            found.push(row);
        });
        return found;
    }

    protected bind({ literal, binds }: Part, row: number): void {
        const { columns } = this.search.literals[literal]!.rows!;
        for (const { column, slot } of binds) this.search.registers[slot] = columns[column]![row]!;
    }
}

/** The smallest of the greatest costs that a match can have. */
class LeastCost extends PartSearch<number> {
    readonly #cost: (literal: number, row: number) => number;

    constructor(search: Search, cost: (literal: number, row: number) => number, admits: (literal: number, row: number) => boolean) {
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
            const own = this.#cost(part.literal, row);
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
    /** The rows of `literals`, which are those of the stage's parts. */
    of(stage: Stage, literals: readonly number[]): Found | undefined {
        if (!this.holds(stage)) return undefined;
        const rows = new Map<number, number>();
        for (const part of stage.parts) {
            const found = this.partAnswer(part);
            if (found === undefined) return undefined;
            for (const [i, literal] of part.all.entries()) rows.set(literal, found[i]!);
        }
        return literals.map(literal => rows.get(literal)!);
    }

    protected override searched(part: Part): Found | undefined {
        const { literal, all, rest } = part;
        const at = all.indexOf(literal);
        const others = all.filter(other => other !== literal);
        let best: Found | undefined;
        for (const row of this.rowsOf(part)) {
            if (at === 0 && best !== undefined && this.search.compare(literal, row, best[0]!) >= 0) continue;
            this.bind(part, row);
            const found = this.of(rest, others);
            if (found === undefined) continue;
            const match = [...found.slice(0, at), row, ...found.slice(at)];
            if (best === undefined || this.#compare(all, match, best) < 0) best = match;
        }
        return best;
    }

    #compare(literals: readonly number[], left: Found, right: Found): number {
        for (const [i, literal] of literals.entries()) {
            const order = this.search.compare(literal, left[i]!, right[i]!);
            if (order !== 0) return order;
        }
        return 0;
    }
}
