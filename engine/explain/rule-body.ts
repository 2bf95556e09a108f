import { explodedCollection } from '#language/library/exploded-collection.ts';
import type { AnalysedRule, Assignment, Condition, Literal } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Expression } from '#language/program/program.ts';
import type { Database } from '../contracts/database.ts';
import type { Evaluate, Scope, Test } from '../evaluate/scope.ts';
import type { Rows } from '../relations/rows.ts';
import type { Dictionary } from '../values/dictionary.ts';
import type { ValueId } from '../values/value-id.ts';
import { decidedByChance } from './decided-by-chance.ts';
import { compileLeniently, testLeniently } from './lenient-expression.ts';
import { type BodyTerm, compileTerm, ruleScope, UNBOUND } from './rule-scope.ts';
import type { Steps } from './steps.ts';

/** A part of a rule that a match has to satisfy. */
export type RuleItem = AtomItem | ConditionItem | AssignmentItem;

/** A positive or negated literal of a rule. */
export interface AtomItem {
    readonly kind: 'atom' | 'negation';
    readonly literal: Literal;
    readonly rows: Rows | undefined;
    readonly terms: readonly ItemTerm[];
}

export interface ConditionItem {
    readonly kind: 'condition';
    readonly condition: Condition;
    readonly test: Test;
    readonly needs: readonly number[];
}

export interface AssignmentItem {
    readonly kind: 'assignment';
    readonly assignment: Assignment;
    readonly slot: number;
    readonly value: Evaluate;
    readonly needs: readonly number[];
    /** The variable gets each element of the collection, equal ones too (D-55). */
    readonly exploded: boolean;
    readonly byChance: boolean;
}

export interface ItemTerm {
    readonly term: BodyTerm;
    readonly expression: Expression;
    readonly needs: readonly number[];
}

/** The terms of an atom by column; an argument that may have any value has none. */
export type ItemTerms = readonly (ItemTerm | undefined)[];

/** The body of a rule made ready for matches over finished relations. */
export interface RuleBody {
    readonly scope: Scope;
    readonly slots: ReadonlyMap<string, number>;
    /** Literals, then conditions, then assignments; not what needs an aggregate's result, and no conditions on what chance has decided. */
    readonly items: readonly RuleItem[];
    readonly byChance: (expression: Expression) => boolean;
    /** The registers that `dom(*)` keeps free of unknown values. */
    readonly constants: readonly number[];
    /** Whether `dom(*)` admits a row; it shuts out unknown values in columns without a variable too. */
    readonly admits: (rows: Rows, row: number) => boolean;
}

export function ruleBody(database: Database, rule: AnalysedRule): RuleBody {
    const { scope, slots } = ruleScope(database, rule);
    const byChance = decidedByChance(rule, database.program.libraryPrefixes);
    const needsOf = (expression: Expression): number[] => variablesOf(expression).map(scope.slot);
    const literals = rule.literals
        .filter(({ afterAggregation }) => !afterAggregation)
        .map((literal): RuleItem => atomItem(literal, database, scope));
    const conditions = rule.conditions
        .filter(({ afterAggregation, expression }) => !afterAggregation && !byChance(expression))
        .map((condition): RuleItem => {
            const { expression } = condition;
            return { kind: 'condition', condition, test: testLeniently(expression, scope), needs: needsOf(expression) };
        });
    const assignments = rule.assignments
        .filter(({ afterAggregation }) => !afterAggregation)
        .map((assignment): RuleItem => {
            const { variable, value } = assignment;
            const collection = explodedCollection(value, scope.libraryPrefixes);
            return {
                kind: 'assignment',
                assignment,
                slot: scope.slot(variable.name),
                value: compileLeniently(collection ?? value, scope),
                needs: needsOf(value),
                exploded: collection !== undefined,
                byChance: byChance(value),
            };
        });
    const { dictionary } = database;
    return {
        scope,
        slots,
        items: [...literals, ...conditions, ...assignments],
        byChance,
        constants: rule.constantsOnly ? [...rule.bound].map(scope.slot) : [],
        admits: ({ columns }, row) => !rule.constantsOnly || columns.every(column => !dictionary.isNull(column[row]!)),
    };
}

/** A literal made ready to be matched. */
export function atomItem(literal: Literal, database: Database, scope: Scope): AtomItem {
    return {
        kind: literal.negated ? 'negation' : 'atom',
        literal,
        rows: database.relation(literal.predicate),
        terms: literal.atom.arguments.map(expression => ({
            term: compileTerm(expression, scope),
            expression,
            needs: variablesOf(expression).map(scope.slot),
        })),
    };
}

/** The positive atoms. */
export function atomsOf(items: readonly RuleItem[]): AtomItem[] {
    return items.flatMap(item => (item.kind === 'atom' ? [item] : []));
}

/** The values that an assignment gives its variable. */
export function* valuesOf({ value, exploded }: AssignmentItem, dictionary: Dictionary, registers: Int32Array): Iterable<ValueId> {
    const id = value(registers);
    if (!exploded) yield id;
    else if (['list', 'set'].includes(dictionary.kind(id))) yield* dictionary.membersOf(id);
}

export function isBound(needs: readonly number[], registers: Int32Array): boolean {
    return needs.every(index => registers[index] !== UNBOUND);
}

/** The value of a term, or `UNBOUND`. */
export function termValue({ term, needs }: ItemTerm, registers: Int32Array): ValueId {
    if (term === undefined) return UNBOUND;
    if ('slot' in term) return registers[term.slot]!;
    return isBound(needs, registers) ? term.constant(registers) : UNBOUND;
}

/** Rows found through an index for one step, as a power of two. */
const INDEXED = 3;

/** The rows that agree with an atom's terms as far as these have values; a variable may still be repeated. */
export function rowsMatching(rows: Rows | undefined, terms: ItemTerms, registers: Int32Array, steps?: Steps): Iterable<number> {
    if (rows === undefined) return [];
    const columns: number[] = [];
    const values: ValueId[] = [];
    for (let column = 0; column < terms.length; column++) {
        const term = terms[column];
        const value = term === undefined ? UNBOUND : termValue(term, registers);
        if (value === UNBOUND) continue;
        columns.push(column);
        values.push(value);
    }
    if (columns.length === 0) return allRows(rows);
    const matched: number[] = [];
    rows.match(columns, values, row => matched.push(row), steps?.pause);
    // Walking an index is quick beside looking at what it finds.
    steps?.take(matched.length >> INDEXED);
    return matched;
}

function* allRows({ count }: Rows): Iterable<number> {
    for (let row = 0; row < count; row++) yield row;
}

/** Gives the variables of an atom the values of a row, where they agree; tells which it set. */
export function bindRow(rows: Rows, terms: ItemTerms, row: number, registers: Int32Array): readonly number[] | undefined {
    const set: number[] = [];
    for (let column = 0; column < terms.length; column++) {
        const term = terms[column]?.term;
        if (term === undefined || !('slot' in term)) continue;
        const value = rows.columns[column]![row]!;
        const { slot } = term;
        if (registers[slot] === UNBOUND) {
            registers[slot] = value;
            set.push(slot);
        } else if (registers[slot] !== value) {
            unbind(set, registers);
            return undefined;
        }
    }
    return set;
}

export function unbind(slots: readonly number[], registers: Int32Array): void {
    for (const slot of slots) registers[slot] = UNBOUND;
}

/** The rows that an atom with these terms matches; its variables do not keep their values. */
export function* matchingRows(rows: Rows | undefined, terms: ItemTerms, registers: Int32Array, steps?: Steps): Iterable<number> {
    for (const row of rowsMatching(rows, terms, registers, steps)) {
        const set = bindRow(rows!, terms, row, registers);
        if (set !== undefined) {
            unbind(set, registers);
            yield row;
        }
        if (steps?.take() === false) return;
    }
}

export function slotsOf(terms: ItemTerms): number[] {
    return terms.flatMap(one => (one?.term !== undefined && 'slot' in one.term ? [one.term.slot] : []));
}

/** The atom with the largest share of arguments that have a value; among equals the one with fewer facts. */
export function mostBound(atoms: readonly AtomItem[], bound: ReadonlySet<number>): AtomItem | undefined {
    const share = ({ terms }: AtomItem): number =>
        terms.filter(({ term, needs }) => term !== undefined && needs.every(slot => bound.has(slot))).length / Math.max(1, terms.length);
    let best: AtomItem | undefined;
    let most = -1;
    for (const atom of atoms) {
        const own = share(atom);
        if (own < most || (own === most && (atom.rows?.count ?? 0) >= (best?.rows?.count ?? 0))) continue;
        best = atom;
        most = own;
    }
    return best;
}
