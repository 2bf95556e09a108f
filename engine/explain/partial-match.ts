import type { AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Database } from '../contracts/database.ts';
import type { Scope } from '../evaluate/scope.ts';
import type { ValueId } from '../values/value-id.ts';
import type { FactRow, HeadPattern } from './match-rule.ts';
import { type AtomItem, type ItemTerms, isBound, matchingRows, type RuleItem, ruleBody, termValue, valuesOf } from './rule-body.ts';
import { bindHead, compileHead, type HeadTerm, UNBOUND } from './rule-scope.ts';
import type { Steps } from './steps.ts';
import { walkBody } from './walk-body.ts';

/**
 * One thing that a rule could do without: the smallest weakening of a rule under which it gives an absent fact says what the fact
 * lacks (query refinement: Tran and Chan, "How to ConQueR why-not questions", SIGMOD 2010).
 */
export type Suspect =
    | { readonly kind: 'item'; readonly item: RuleItem }
    /** An argument of an atom, which may have any other value; without an item, of the head. */
    | { readonly kind: 'argument'; readonly item?: AtomItem; readonly column: number }
    /** Two arguments of an atom that change places; without an item, of the head. */
    | { readonly kind: 'exchange'; readonly item?: AtomItem; readonly columns: readonly [number, number] };

/** Registers that have a value before a match. */
export type BoundRegisters = readonly (readonly [slot: number, value: ValueId])[];

/** One way in which what is left of a rule holds. */
export interface PartialMatch {
    /** A copy of the registers; `UNBOUND` where nothing gives a variable its value. */
    readonly registers: Int32Array;
    /** The facts of the positive atoms that are not skipped, in body order. */
    readonly facts: ReadonlyMap<AtomItem, FactRow>;
}

/** A rule that can be matched with parts of it left out, over finished relations. */
export interface PartialMatcher {
    readonly items: readonly RuleItem[];
    readonly head: readonly HeadTerm[];
    readonly scope: Scope;
    readonly slots: ReadonlyMap<string, number>;
    /** The matches without some of the rule, of which one argument and one exchange at most, until `found` returns false or no steps are left. */
    run(
        pattern: HeadPattern,
        without: readonly Suspect[],
        steps: Steps,
        found: (match: PartialMatch) => boolean,
        bound?: BoundRegisters,
    ): void;
    /** The value of an argument of an atom, or `UNBOUND`. */
    argument(item: AtomItem, column: number, registers: Int32Array): ValueId;
    /** The rows that an atom matches under these registers. */
    matching(item: AtomItem, registers: Int32Array): Iterable<number>;
    /** Whether an item that was skipped holds after all; `undefined` where its variables have no value. */
    holds(item: RuleItem, registers: Int32Array): boolean | undefined;
}

/** A rule made ready for matches that leave some of it out. What chance has decided is no part of it, and neither are Skolem terms. */
export function partialMatcher(database: Database, rule: AnalysedRule, head: ResolvedAtom): PartialMatcher {
    const { dictionary } = database;
    const body = ruleBody(database, rule);
    const { scope, slots } = body;
    const items = body.items.filter(item => item.kind !== 'assignment' || !(item.byChance || item.assignment.value.kind === 'skolem'));
    const made = new Set(rule.existential);
    for (const { variable, value } of rule.assignments) if (value.kind === 'skolem') made.add(variable.name);
    const headTerms = compileHead(
        head,
        rule,
        database,
        scope,
        term => body.byChance(term) || variablesOf(term).some(name => made.has(name)),
    );

    return {
        items,
        head: headTerms,
        scope,
        slots,
        argument: (item, column, registers) => termValue(item.terms[column]!, registers),
        matching: (item, registers) => matchingRows(item.rows, item.terms, registers),
        holds(item, registers) {
            switch (item.kind) {
                case 'atom':
                case 'negation': {
                    const [any] = matchingRows(item.rows, item.terms, registers);
                    return (any !== undefined) === (item.kind === 'atom');
                }
                case 'condition':
                    return isBound(item.needs, registers) ? item.test(registers) : undefined;
                case 'assignment':
                    if (!isBound([...item.needs, item.slot], registers)) return undefined;
                    return [...valuesOf(item, dictionary, registers)].includes(registers[item.slot]!);
            }
        },
        run(pattern, suspects, steps, found, bound = []) {
            const skipped = new Set(suspects.map(suspect => (suspect.kind === 'item' ? suspect.item : undefined)));
            const opened = suspects.find(suspect => suspect.kind === 'argument');
            const exchanged = suspects.find(suspect => suspect.kind === 'exchange');
            const registers = new Int32Array(slots.size).fill(UNBOUND);
            for (const [slot, value] of bound) registers[slot] = value;
            const placed = exchanged === undefined || exchanged.item !== undefined ? pattern : withExchanged(pattern, exchanged.columns);
            const asked = opened === undefined || opened.item !== undefined ? placed : without(placed, opened.column);
            const checks = bindHead(headTerms, asked, registers);
            if (checks === undefined) return;
            walkBody({
                body,
                items: items.filter(item => !skipped.has(item)),
                dictionary,
                registers,
                termsOf: item => {
                    const terms: ItemTerms = opened?.item === item ? without(item.terms, opened.column) : item.terms;
                    return exchanged?.item === item ? withExchanged(terms, exchanged.columns) : terms;
                },
                agrees: () => false,
                steps,
                found: rows => {
                    const isFound =
                        body.constants.every(slot => registers[slot] === UNBOUND || !dictionary.isNull(registers[slot]!)) &&
                        checks.every(({ expected, value, needs }) => !isBound(needs, registers) || value(registers) === expected);
                    if (!isFound) return true;
                    const facts = [...rows].map(([item, row]) => [item, { predicate: item.literal.predicate, row }] as const);
                    return found({ registers: registers.slice(), facts: new Map(facts) });
                },
            });
        },
    };
}

function without<T>(all: readonly T[], column: number): (T | undefined)[] {
    return all.map((one, at) => (at === column ? undefined : one));
}

function withExchanged<T>(all: readonly T[], [first, second]: readonly [number, number]): T[] {
    return all.with(first, all[second]!).with(second, all[first]!);
}
