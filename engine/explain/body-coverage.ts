import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { printExpression } from '#language/program/print.ts';
import type { Span } from '#language/program/span.ts';
import type { Database } from '../contracts/database.ts';
import { compileCondition } from '../evaluate/expression.ts';
import type { Scope } from '../evaluate/scope.ts';
import { isOfValues, RunStopped } from '../reports/reports.ts';
import type { ValueId } from '../values/value-id.ts';
import { inBodyOrder, itemSpan, itemText } from './body-order.ts';
import { type GroupMatch, groupRegisters } from './group-values.ts';
import {
    atomItem,
    bindRow,
    isBound,
    matchingRows,
    type RuleBody,
    type RuleItem,
    rowsMatching,
    ruleBody,
    slotsOf,
    unbind,
    valuesOf,
} from './rule-body.ts';
import { compileHead, UNBOUND } from './rule-scope.ts';
import { Steps } from './steps.ts';

/** What an item of a body did among the final rows. Items are taken as they are written, a test as soon as its variables have values. */
export interface ItemCoverage {
    readonly text: string;
    readonly span: Span;
    /** It refuses some matches; an atom that only gives variables their values refuses none, unless it has no rows. */
    readonly tests: boolean;
    /** What stands before it had a match. */
    reached: boolean;
    /** It held for one of these. */
    held: boolean;
    /** It did not hold for one of these. */
    failed: boolean;
}

export interface BodyCoverage {
    /** In text order. Left out is what chance decides, and what is asked of groups that are not computed again. */
    readonly items: readonly ItemCoverage[];
    /** There were too many matches to look through, so that what is not noted may have been. */
    readonly cutShort: boolean;
}

/** Rows looked at for one rule, about. */
const STEPS = 200_000;

/** What the items of a rule's body did over finished relations; undefined where these are not known, or a function, query or script is the body. */
export function bodyCoverage(database: Database, rule: AnalysedRule, checkpoint: () => void): BodyCoverage | undefined {
    if (rule.rule.body.kind !== 'items' || rule.literals.some(({ predicate }) => database.relation(predicate) === undefined))
        return undefined;
    return new Walk(database, rule, new Steps(STEPS, checkpoint)).coverage();
}

class Walk {
    readonly #database: Database;
    readonly #rule: AnalysedRule;
    readonly #steps: Steps;
    readonly #body: RuleBody;
    readonly #items: readonly RuleItem[];
    readonly #noted: readonly ItemCoverage[];
    readonly #registers: Int32Array;
    /** The matches by group, where something is asked of groups. */
    readonly #groups: Map<string, GroupMatch[]> | undefined;
    readonly #keyOf: () => string;
    readonly #rows = new Map<RuleItem, number>();
    #open: number;

    constructor(database: Database, rule: AnalysedRule, steps: Steps) {
        this.#database = database;
        this.#rule = rule;
        this.#steps = steps;
        this.#body = ruleBody(database, rule);
        this.#items = inBodyOrder(
            this.#body.items.filter(item => item.kind !== 'assignment' || !(item.byChance || item.assignment.value.kind === 'skolem')),
        );
        const bound = new Set<number>();
        this.#noted = this.#items.map(item => {
            const tests = isTest(item, bound);
            for (const slot of item.kind === 'assignment' ? [item.slot] : item.kind === 'atom' ? slotsOf(item.terms) : []) bound.add(slot);
            return unnoted(itemText(item), itemSpan(item), tests);
        });
        this.#open = this.#noted.length;
        this.#groups = asksGroups(database, rule) ? new Map() : undefined;
        this.#keyOf = groupKey(database, rule, this.#body, () => this.#registers);
        this.#registers = new Int32Array(this.#body.slots.size).fill(UNBOUND);
    }

    coverage(): BodyCoverage {
        this.#go(0);
        const cutShort = this.#steps.left < 0;
        const ofGroups = cutShort || this.#groups === undefined ? [] : this.#ofGroups([...this.#groups.values()]);
        return { items: [...this.#noted, ...ofGroups].sort((a, b) => a.span.start - b.span.start), cutShort };
    }

    /** All that could be noted is, and nobody asks for the other matches. */
    get #isDone(): boolean {
        return this.#open === 0 && this.#groups === undefined;
    }

    #go(at: number): void {
        const item = this.#items[at];
        const noted = this.#noted[at];
        if (item === undefined || noted === undefined) {
            this.#match();
            return;
        }
        noted.reached = true;
        let holds = false;
        for (const _ of this.#extensions(item)) {
            holds = true;
            this.#note(noted, 'held');
            this.#go(at + 1);
            if (this.#isDone || this.#steps.left < 0) break;
        }
        // A search that was cut short has not seen that nothing holds.
        if (!holds && this.#steps.left >= 0) this.#note(noted, 'failed');
    }

    #note(noted: ItemCoverage, what: 'held' | 'failed'): void {
        if (noted[what]) return;
        noted[what] = true;
        if (noted.held && (noted.failed || !noted.tests)) this.#open--;
    }

    /** Each way in which an item holds beside what holds already; its variables have their values meanwhile. */
    *#extensions(item: RuleItem): Iterable<void> {
        const registers = this.#registers;
        if (!this.#steps.take()) return;
        switch (item.kind) {
            case 'condition':
                if (!isBound(item.needs, registers) || item.test(registers)) yield;
                return;
            case 'negation': {
                const [any] = matchingRows(item.rows, item.terms, registers, this.#steps);
                if (any === undefined) yield;
                return;
            }
            case 'assignment':
                yield* this.#assigned(item);
                return;
            case 'atom':
                for (const row of rowsMatching(item.rows, item.terms, registers, this.#steps)) {
                    if (!this.#steps.take()) return;
                    const set = this.#body.admits(item.rows!, row) ? bindRow(item.rows!, item.terms, row, registers) : undefined;
                    if (set === undefined) continue;
                    this.#rows.set(item, row);
                    yield;
                    unbind(set, registers);
                }
        }
    }

    *#assigned(item: Extract<RuleItem, { kind: 'assignment' }>): Iterable<void> {
        const registers = this.#registers;
        if (!isBound(item.needs, registers)) {
            yield;
            return;
        }
        const given = registers[item.slot]!;
        for (const value of valuesOf(item, this.#database.dictionary, registers)) {
            if (given !== UNBOUND && given !== value) continue;
            registers[item.slot] = value;
            yield;
        }
        registers[item.slot] = given;
    }

    #match(): void {
        if (this.#groups === undefined) return;
        const { dictionary } = this.#database;
        if (this.#body.constants.some(slot => dictionary.isNull(this.#registers[slot]!))) return;
        const key = this.#keyOf();
        const group = this.#groups.get(key) ?? [];
        this.#groups.set(key, group);
        group.push({ registers: this.#registers.slice(), facts: Array.from(this.#rows.values()).join() });
    }

    /** What the conditions and negations did that need the result of an aggregate; nothing where it is not computed again. */
    #ofGroups(groups: readonly (readonly GroupMatch[])[]): ItemCoverage[] {
        const { scope } = this.#body;
        const asked = askedOfGroups(this.#database, this.#rule, scope);
        try {
            for (const group of groups) {
                const registers = groupRegisters(this.#database, this.#rule, scope, group);
                if (registers === undefined) return [];
                for (const { noted, holds } of asked) {
                    noted.reached = true;
                    const isHeld = holds(registers);
                    noted[isHeld ? 'held' : 'failed'] = true;
                    if (!isHeld) break;
                }
            }
        } catch (error) {
            if (error instanceof RunStopped && isOfValues(error.report)) return [];
            throw error;
        }
        return asked.map(({ noted }) => noted);
    }
}

function unnoted(text: string, span: Span, tests: boolean): ItemCoverage {
    return { text, span, tests, reached: false, held: false, failed: false };
}

/** Whether a match can fail at an item for its values. */
function isTest(item: RuleItem, bound: ReadonlySet<number>): boolean {
    switch (item.kind) {
        case 'atom': {
            const slots = slotsOf(item.terms);
            const hasConstant = item.terms.some(({ term }) => term !== undefined && !('slot' in term));
            return hasConstant || new Set(slots).size < slots.length || slots.some(slot => bound.has(slot));
        }
        case 'assignment':
            return item.exploded || bound.has(item.slot);
        case 'condition':
        case 'negation':
            return true;
    }
}

/** Whether a rule asks something of its groups, and is alone in giving them values. */
function asksGroups({ program }: Database, rule: AnalysedRule): boolean {
    const isAsked = [...rule.conditions, ...rule.literals].some(({ afterAggregation }) => afterAggregation);
    const others = program.rules.filter(other => other !== rule && other.assignments.some(({ aggregates }) => aggregates.length > 0));
    const own = new Set(rule.heads.map(({ predicate }) => predicate));
    return isAsked && !others.some(({ heads }) => heads.some(({ predicate }) => own.has(predicate)));
}

/** Tells the values of the head terms that no aggregate has part in (D-34). */
function groupKey(database: Database, rule: AnalysedRule, { scope, byChance }: RuleBody, registersOf: () => Int32Array): () => string {
    const terms = rule.heads.flatMap(head => compileHead(head, rule, database, scope, byChance));
    return () => {
        const registers = registersOf();
        const idOf = (term: (typeof terms)[number]): ValueId => {
            if (term === undefined) return UNBOUND;
            if ('slot' in term) return registers[term.slot] ?? UNBOUND;
            return isBound(term.needs, registers) ? term.value(registers) : UNBOUND;
        };
        return terms.map(idOf).join();
    };
}

interface AskedOfGroups {
    readonly noted: ItemCoverage;
    readonly holds: (registers: Int32Array) => boolean;
}

function askedOfGroups(database: Database, rule: AnalysedRule, scope: Scope): AskedOfGroups[] {
    const conditions = rule.conditions
        .filter(({ afterAggregation }) => afterAggregation)
        .map(({ expression }): AskedOfGroups => {
            const noted = unnoted(printExpression(expression), expression.span, true);
            return { noted, holds: compileCondition(expression, scope) };
        });
    const negations = rule.literals
        .filter(({ afterAggregation }) => afterAggregation)
        .map((literal): AskedOfGroups => {
            const item = atomItem(literal, database, scope);
            const noted = unnoted(itemText(item), itemSpan(item), true);
            return {
                noted,
                holds: registers => {
                    const [any] = matchingRows(item.rows, item.terms, registers);
                    return any === undefined;
                },
            };
        });
    return [...conditions, ...negations].sort((a, b) => a.noted.span.start - b.noted.span.start);
}
