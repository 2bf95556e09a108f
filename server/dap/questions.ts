import { BUILTINS } from '#engine/evaluate/builtins/table.ts';
import { compileExpression } from '#engine/evaluate/expression.ts';
import type { Scope } from '#engine/evaluate/scope.ts';
import { askedValues, findFacts } from '#engine/explain/find-facts.ts';
import { testLeniently } from '#engine/explain/lenient-expression.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { patternRows } from '#engine/explain/pattern-rows.ts';
import type { Replay } from '#engine/explain/replay.ts';
import { RunStopped } from '#engine/reports/reports.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Atom, Expression, Item } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { ClausePlace } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { MIXED } from '#language/program/types.ts';
import { readProgram } from '#language/read-program.ts';
import { refuse } from '#server/notices/refusal.ts';
import { type AskedFact, questionProblem, readFact } from '#server/runs/asked-fact.ts';
import type { MatchView } from './match-view.ts';

/** The state behind a question: before a step is made, with its match if there is one. */
export interface Moment {
    readonly step: number;
    readonly match: MatchView | undefined;
}

/** The meaning of an expression in a watch. */
export type Answer =
    /** Rows that are there, of one predicate: those of an atom in listing order, all of them as they came. */
    | { readonly kind: 'rows'; readonly predicate: PredicateKey; readonly count: number; readonly at: (index: number) => FactRow }
    | { readonly kind: 'value'; readonly text: string };

/**
 * Answers an atom with the rows that are there and fit it, the name of a predicate with all that are there, a variable or another
 * expression with its value in the match, and a condition with whether it holds there.
 */
export function answer(replay: Replay, text: string, moment: Moment): Answer {
    const written = text.trim().replace(/[.?]$/u, '');
    const { database } = replay;
    const named = [...database.program.predicates.values()].filter(({ name, key }) => name === written || key === written);
    const [only] = named;
    if (only !== undefined && !moment.match?.values.has(written)) {
        if (named.length > 1) refuse(say`Which one: ${named.map(({ key }) => key).join(', ')}?`);
        const rows = replay.rowsBefore(only.key, moment.step);
        return { kind: 'rows', predicate: only.key, count: rows.count, at: index => ({ predicate: only.key, row: rows.at(index) }) };
    }
    const asked = readFact(written);
    const isPredicate = asked !== undefined && [...database.program.predicates.values()].some(({ name }) => name === asked.atom.predicate);
    if (asked !== undefined && isPredicate) {
        const problem = questionProblem(database.program, asked);
        if (problem !== undefined) refuse(problem);
        const predicate = predicateKey(asked.atom.predicate, asked.atom.arguments.length);
        const fits = factTest(replay, asked);
        const found = findFacts(database, asked.atom, asked.place);
        const facts = found.kind === 'found' ? found.facts.filter(fact => fits(fact) && replay.isThere(fact, moment.step)) : [];
        return { kind: 'rows', predicate, count: facts.length, at: index => facts[index] ?? { predicate, row: -1 } };
    }
    const value = readValue(written);
    if (value === undefined) return { kind: 'value', text: condition(replay, written)(moment) ? '#T' : '#F' };
    return { kind: 'value', text: valueIn(replay, value.expression, value.place)(moment) };
}

/** Whether a row fits an atom: its constants, the labels of its nulls, and variables that it repeats. */
export function factTest(replay: Replay, { atom, place, labels }: AskedFact): (fact: FactRow) => boolean {
    const { database, label } = replay;
    const predicate = predicateKey(atom.predicate, atom.arguments.length);
    const pattern = askedValues(database, atom, place);
    const columns = database.relation(predicate)?.columns ?? [];
    const repeated = atom.arguments.flatMap((term, column) => {
        const first = term.kind !== 'variable' ? -1 : atom.arguments.findIndex(one => one.kind === 'variable' && one.name === term.name);
        return first < 0 || first === column ? [] : [[first, column] as const];
    });
    const at = (column: number, row: number): ValueId | undefined => columns[column]?.[row];
    return ({ predicate: own, row }) =>
        own === predicate &&
        pattern.every((value, column) => value === undefined || at(column, row) === value) &&
        repeated.every(([left, right]) => at(left, row) === at(right, row)) &&
        labels.every(([column, text]) => {
            const value = at(column, row);
            return value !== undefined && database.dictionary.isNull(value) && label(value) === text;
        });
}

/** A condition over the variables of a match, as the body of a rule has it: expressions, and atoms of which some row has to be there, or none. */
export type Condition = (moment: Moment) => boolean;

/** Reads a condition; a `Refusal` says what is wrong with it. */
export function condition(replay: Replay, text: string): Condition {
    const { value, problems } = readProgram(`q(1) <- ${text.trim().replace(/\.$/u, '')}.`, 'condition');
    const [clause, ...others] = value.clauses;
    const [problem] = problems;
    if (problem !== undefined) refuse(problem.message);
    if (clause?.kind !== 'rule' || clause.body.kind !== 'items' || others.length > 0) refuse(say`This is no condition`);
    const { place } = clause;
    const tests = clause.body.items.map(item => itemTest(replay, item, place));
    return moment => tests.every(test => test(moment));
}

function itemTest(replay: Replay, item: Item, place: ClausePlace): Condition {
    switch (item.kind) {
        case 'atom': {
            const { atom, negated } = item;
            const { predicates } = replay.database.program;
            if (predicates.has(predicateKey(atom.predicate, atom.arguments.length))) {
                const rows = atomRows(replay, atom, place);
                return moment => rows(moment) !== negated;
            }
            if (negated || [...predicates.values()].some(({ name }) => name === atom.predicate))
                refuse(say`The program has no predicate '${atom.predicate}' with ${atom.arguments.length} columns`);
            const { predicate: name, nameSpan, span } = atom;
            return test(replay, { kind: 'call', name, arguments: atom.arguments, nameSpan, span } as Expression, place);
        }
        case 'expression':
            return test(replay, item.expression, place);
        case 'domain':
            return refuse(say`A condition has no domain`);
    }
}

/** Whether some row is there that fits an atom whose variables have their values in the match; others leave their columns open. */
function atomRows(replay: Replay, atom: Atom, place: ClausePlace): Condition {
    const { database } = replay;
    const predicate = predicateKey(atom.predicate, atom.arguments.length);
    const pattern = askedValues(database, atom, place);
    return ({ step, match }) => {
        const values = atom.arguments.map((term, column) => (term.kind === 'variable' ? match?.values.get(term.name) : pattern[column]));
        const fits = factTest(replay, { kind: 'fact', atom, place, span: atom.span, annotations: [], labels: [] });
        return patternRows(database.relation(predicate), values).some(row => {
            const fact = { predicate, row };
            return fits(fact) && replay.isThere(fact, step);
        });
    };
}

/** A text with `{expression}` for values. */
export type Template = (moment: Moment) => string;

export function template(replay: Replay, text: string): Template {
    const parts = text.split(/\{([^{}]*)\}/u).map((part, index): Template => {
        if (index % 2 === 0) return () => part;
        return moment => {
            try {
                const found = answer(replay, part, moment);
                return found.kind === 'value' ? found.text : String(found.count);
            } catch (error) {
                if (!(error instanceof Error)) throw error;
                return `{${part}: ${error.message}}`;
            }
        };
    });
    return moment => parts.map(part => part(moment)).join('');
}

/** The expression that a text is. */
function readValue(text: string): { readonly expression: Expression; readonly place: ClausePlace } | undefined {
    const { value, problems } = readProgram(`q(V) <- V = ${text}.`, 'expression');
    const [clause, ...others] = value.clauses;
    if (problems.length > 0 || clause?.kind !== 'rule' || clause.body.kind !== 'items' || others.length > 0) return undefined;
    const [item, ...more] = clause.body.items;
    if (item?.kind !== 'expression' || more.length > 0 || item.expression.kind !== 'binary') return undefined;
    const { operator, left, right } = item.expression;
    return operator === '=' && left.kind === 'variable' ? { expression: right, place: clause.place } : undefined;
}

function valueIn(replay: Replay, expression: Expression, place: ClausePlace): (moment: Moment) => string {
    const { database, label } = replay;
    const { scope, registersOf } = freeScope(replay, expression, place);
    return moment => {
        const registers = registersOf(moment);
        if (typeof registers === 'string') return refuse(registers);
        const type = (expression.kind === 'variable' && moment.match?.rule.types.get(expression.name)) || MIXED;
        const value = refusing(() => compileExpression(expression, scope)(registers));
        return termText(database.dictionary, value, type, label);
    };
}

function test(replay: Replay, expression: Expression, place: ClausePlace): Condition {
    const { scope, registersOf } = freeScope(replay, expression, place);
    const holds = refusing(() => testLeniently(expression, scope));
    return moment => {
        const registers = registersOf(moment);
        return typeof registers !== 'string' && holds(registers);
    };
}

/** Turns the failure of an expression into an answer for its author. */
function refusing<T>(compute: () => T): T {
    try {
        return compute();
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        return refuse(error.report.message);
    }
}

/** Calls of models and aggregates have no value outside a run. */
function expectComputable(expression: Expression, prefixes: LibraryPrefixes | undefined): void {
    visitExpression(expression, part => {
        if (part.kind === 'aggregate') refuse(say`'${part.name}' has a value in its rule alone`);
        if (part.kind !== 'call') return;
        const entry = functionNamed(part.name, prefixes);
        if (entry === undefined) refuse(say`Unknown function '${part.name}'`);
        if (!BUILTINS.has(entry.name)) refuse(say`'${part.name}' has a value in its rule alone`);
    });
}

/** A scope that no rule has: an expression of its own over the variables of whatever match it is asked about. */
function freeScope({ database }: Replay, expression: Expression, place: ClausePlace) {
    const names = [...new Set(variablesOf(expression))];
    const { libraryPrefixes } = database.program;
    expectComputable(expression, libraryPrefixes);
    const scope: Scope = {
        dictionary: database.dictionary,
        place,
        slot: name => names.indexOf(name),
        type: () => MIXED,
        parameter: name => ({ value: database.parameters.get(name) ?? refuse(say`There is no parameter '${name}'`), type: MIXED }),
        report: () => undefined,
        ...(libraryPrefixes && { libraryPrefixes }),
    };
    /** The registers of a match, or the words that tell which variable has no value. */
    const registersOf = ({ match }: Moment): Int32Array | string => {
        const missing = names.find(name => match?.values.has(name) !== true);
        if (missing !== undefined) return say`'${missing}' has no value here`;
        return Int32Array.from(names, name => match?.values.get(name) ?? 0);
    };
    return { scope, registersOf };
}
