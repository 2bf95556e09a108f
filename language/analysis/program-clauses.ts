import { allClauses } from '#language/program/inclusion.ts';
import type { Clause, Program } from '#language/program/program.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { hasSqlQuery } from '#language/program/sql-reading.ts';
import { type ClauseState, clauseState, type RuleState } from './clause-state.ts';
import { commonEnds } from './common-ends.ts';
import { FileOrder } from './file-order.ts';
import { atomsOf } from './name-entry.ts';
import type { QueryOf } from './queries.ts';
import type { QueryHeads } from './query-heads.ts';
import { spliced } from './spliced.ts';
import { type Steps, withEach } from './steps.ts';

/** The clauses that a program has lost and gained, in text order. */
export interface Exchange {
    readonly removed: readonly ClauseState[];
    readonly added: readonly ClauseState[];
    /** Index of the first of them. */
    readonly start: number;
    /** All clauses between the first and the last of them. */
    readonly before: readonly ClauseState[];
    readonly now: readonly ClauseState[];
}

/** The clauses of a program that changes, each with what is known of it alone, in text order. */
export class ProgramClauses {
    readonly #queryOf: QueryOf;
    readonly #heads: QueryHeads | undefined;
    readonly #order = new FileOrder();
    #clauses: readonly Clause[] = [];
    #states: ClauseState[] = [];
    readonly #stateOf = new Map<ClausePlace, ClauseState>();
    /** How many clauses of the file itself have a syntax error. */
    #broken = 0;
    /** How many rules have a SQL query. */
    #queries = 0;

    /** `heads` completes the heads of rules with queries. */
    constructor(queryOf: QueryOf, heads: QueryHeads | undefined) {
        this.#queryOf = queryOf;
        this.#heads = heads;
    }

    get states(): readonly ClauseState[] {
        return this.#states;
    }

    get hasBroken(): boolean {
        return this.#broken > 0;
    }

    get hasSql(): boolean {
        return this.#queries > 0;
    }

    readonly compare = this.#order.compare;

    readonly stateAt = (place: ClausePlace): ClauseState | undefined => this.#stateOf.get(place);

    /** Clauses that stand where they stood, between others that did, keep their states. */
    *exchange(program: Program): Steps<Exchange> {
        this.#order.follow(program);
        const clauses = this.#heads?.complete(allClauses(program)) ?? allClauses(program);
        const states = this.#states;
        const before = this.#clauses;
        this.#clauses = clauses;
        const { start, tail } = commonEnds(before, clauses);
        const replaced = states.slice(start, states.length - tail);
        const between = clauses.slice(start, clauses.length - tail);
        const staying = stayingStates(replaced, between);
        yield;
        const current: ClauseState[] = [];
        yield* withEach(between, clause => void current.push(staying.get(clause) ?? clauseState(clause, this.#queryOf)));
        this.#states = spliced(states, start, replaced.length, current);
        const removed = replaced.filter(({ clause }) => !staying.has(clause));
        const added = current.filter(({ clause }) => !staying.has(clause));
        for (const { clause } of removed) this.#stateOf.delete(clause.place);
        yield* withEach(added, state => void this.#stateOf.set(state.clause.place, state));
        const isBroken = ({ clause }: ClauseState): boolean => clause.kind === 'broken' && clause.place.file === program.file;
        this.#broken += added.filter(isBroken).length - removed.filter(isBroken).length;
        this.#queries += added.filter(asksSql).length - removed.filter(asksSql).length;
        return { removed, added, start, before: replaced, now: current };
    }

    /** Tells rules which one stands before them; gives those for which it is another now. */
    relinkNeighbours({ start, now }: Exchange): RuleState[] {
        const states = this.#states;
        const changed: RuleState[] = [];
        let at = start - 1;
        while (at >= 0 && states[at]?.rule === undefined) at--;
        let previous = states[at]?.rule;
        for (at = start; at < states.length; at++) {
            const rule = states[at]?.rule;
            if (rule === undefined) continue;
            if (rule.previous !== previous) {
                rule.previous = previous;
                changed.push(rule);
            }
            if (at >= start + now.length) break;
            previous = rule;
        }
        return changed;
    }
}

export function rulesOf(states: readonly ClauseState[]): RuleState[] {
    return states.flatMap(({ rule }) => rule ?? []);
}

function asksSql({ clause }: ClauseState): boolean {
    return hasSqlQuery(clause);
}

/** At most one clause went, and one came in its place that defines the same predicates in the same order. */
export function isInPlace({ removed, added, before, now }: Exchange): boolean {
    if (before.length > 1 || now.length > 1) return false;
    const written = (states: readonly ClauseState[]): string =>
        states.flatMap(({ clause }) => atomsOf(clause).map(atom => `${atom.predicate}/${atom.arguments.length}`)).join();
    return written(removed) === written(added);
}

/** Of replaced states, those whose clauses are still there in the same order. */
function stayingStates(replaced: readonly ClauseState[], clauses: readonly Clause[]): Map<Clause, ClauseState> {
    if (replaced.length === 0) return new Map();
    const present = new Set(clauses);
    const staying = new Map(replaced.filter(({ clause }) => present.has(clause)).map(state => [state.clause, state] as const));
    const before = [...staying.keys()];
    const now = clauses.filter(clause => staying.has(clause));
    return before.every((clause, i) => clause === now[i]) ? staying : new Map();
}
