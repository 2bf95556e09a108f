import type { Predicate, PredicateKey } from '#language/program/analysed-program.ts';
import { type ClausePlace, compareLocations, comparePlaces, type Location } from '#language/program/span.ts';
import { MIXED } from '#language/program/types.ts';
import { variableNames } from '#language/program/variable-names.ts';
import type { RunOptions } from '../contracts/run-options.ts';
import type { Origin } from '../explain/explanation.ts';
import { originOf } from '../explain/origin.ts';
import { factsKey } from '../plan/facts-relation.ts';
import type { PlanLiteral, PlanRule } from '../plan/plan.ts';
import { planVariant } from '../plan/planner.ts';
import type { PassName } from '../plan/program-passes.ts';
import { type FailedMatch, isOfValues, type MatchFact, type Report, RunStopped, withMatch } from '../reports/reports.ts';
import { nullLabels } from '../results/listing.ts';
import { factText } from '../values/fact-text.ts';
import { type NullLabel, termText } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { FailedCast } from './casts.ts';
import { Checkpoint } from './checkpoint.ts';
import { compileVariant } from './compile-rule.ts';
import { compileExpression } from './expression.ts';
import type { Registers } from './registers.ts';
import { constantScope, plannerInput, planOf, type RunContext, relationOf } from './run-context.ts';

/** Matches that are counted at most: one to be told, and these. */
const COUNTED = 1001;
/** Batches of rows that are looked at for them: more where the run has ended anyway. */
const BATCHES = { error: 2000, warning: 200 };
/** Rows of a relation that a warning may have looked at, or an index made of. */
const ROWS_FOR_WARNING = 1_000_000;

/** The passes by which something is computed before a match is complete, or for other matches than those of the rule as it is written. */
const EARLY_PASSES: readonly PassName[] = [
    'early-arithmetic',
    'first-match',
    'helper-relations',
    'threshold-firing',
    'runs',
    'batches',
    'parts',
    'magic-sets',
    'multiway-join',
    'shared-prefixes',
];

/** Ends a search for matches that has counted, or looked at, enough. */
class SearchEnded extends Error {}

/**
 * The report of a failure with the matches for which a rule has ended the run, over the relations as they are by now: the first
 * one, in the order of the facts that its atoms match, and how many there are. Undefined where none is found in which all else holds.
 */
export function withFailedMatch(failure: Report, run: RunContext): Report | undefined {
    const { location } = failure;
    if (location === undefined) return undefined;
    for (const rule of rulesAt(location, run)) {
        if (!isWhole(rule, run) || (failure.severity !== 'error' && !isSmall(rule, run))) continue;
        const { first, ...counts } = search(rule, failure, run);
        if (first !== undefined) return withMatch(first.failure, { ...matchTold(rule, first, run), ...counts });
    }
    return undefined;
}

/** Whether an error comes from single matches of rules, not from a fact or from all that a group has got. */
export function isOfMatches({ code, location }: Report, run: RunContext): boolean {
    if (location === undefined || rulesAt(location, run).length === 0) return false;
    if (code !== 'RT010') return true;
    const aggregates = [...run.plan.relations.values()].flatMap(({ groups }) => groups?.aggregates ?? []);
    return !aggregates.some(aggregate => compareLocations(aggregate, location) === 0);
}

/** Every pass by which something is computed early is off, besides those that are off anyway. */
export function withoutEarlyPasses(disabled: ReadonlySet<PassName> = new Set()): ReadonlySet<PassName> {
    return new Set([...disabled, ...EARLY_PASSES]);
}

/** The registers of a match: the rows of its positive literals, in their order, and the values of its variables. */
interface FoundMatch extends MatchValues {
    readonly failure: Report;
}

interface MatchValues {
    readonly rows: readonly number[];
    readonly values: readonly ValueId[];
}

/** The match that the registers of a rule hold. */
export function matchIn(rule: PlanRule, registers: Registers, failure: Report): FoundMatch {
    const rows = rule.literals.flatMap(({ negated }, index) => (negated ? [] : [registers.values[registers.rowOf(index)]!]));
    return { failure, rows, values: namedVariables(rule).map(name => registers.values[registers.slot(name)]!) };
}

/** The variables of the program that the positive literals bind, or that stand for one that they bind. */
function namedVariables({ literals, assignments }: PlanRule): readonly string[] {
    const terms = literals.flatMap(literal => (literal.negated ? [] : literal.terms));
    const bound = new Set(variableNames(terms));
    const others = assignments.filter(({ value }) => value.kind === 'variable' && bound.has(value.name)).map(({ variable }) => variable);
    return [...new Set([...bound, ...others])].filter(name => !name.startsWith('$'));
}

interface Found extends Pick<FailedMatch, 'count' | 'isMore'> {
    readonly first: FoundMatch | undefined;
}

/** Runs a rule for nothing but the matches that have this failure; warnings end the computation of a value like errors. */
function search(rule: PlanRule, failure: Report, run: RunContext): Found {
    let first: FoundMatch | undefined;
    let count = 0;
    const isWhole = runOnce(rule, failure.severity === 'error' ? 'error' : 'warning', run, {
        careful: {
            isDry: true,
            isSought: other => isSame(other, failure) || isOfValues(other),
            found: (_, registers, found) => {
                if (!isSame(found, failure)) return;
                const match = matchIn(rule, registers, found);
                if (first === undefined || isBefore(match.rows, first.rows)) first = match;
                if (++count >= COUNTED) throw new SearchEnded();
            },
        },
        report: one => {
            if (isSame(one, failure)) throw new RunStopped(one);
        },
    });
    return { first, count, isMore: !isWhole };
}

const CONVERTED = 'converted' as PredicateKey;

/** A match in which a rule gave a column a value that cannot be converted; undefined where it was no rule, or none is found soon. */
export function matchOfCast({ relation, column, value }: FailedCast, run: RunContext): FailedMatch | undefined {
    for (const rule of allRules(run)) {
        const output = rule.outputs.find(one => one.kind === 'emit' && one.relation === relation.key);
        if (output?.kind !== 'emit' || !isWhole(rule, run) || !isSmall(rule, run)) continue;
        const terms = [...namedVariables(rule), output.terms[column]!];
        let match: Pick<FailedMatch, 'facts' | 'values'> | undefined;
        const matches = new Map(run.matches).set(CONVERTED, (values, rows) => {
            if (values[terms.length - 1] !== value) return;
            match = matchTold(rule, { rows: [...rows], values: [...values] }, run);
            throw new SearchEnded();
        });
        const report = (): void => {};
        runOnce({ ...rule, outputs: [{ kind: 'match', relation: CONVERTED, terms }] }, 'warning', run, { matches, report });
        if (match !== undefined) return { ...match, count: 1, isMore: false };
    }
    return undefined;
}

/** Runs a rule over all rows, as it is written, and for no more than some batches. Returns whether it came to its end. */
function runOnce(
    rule: PlanRule,
    severity: 'error' | 'warning',
    run: RunContext,
    instead: Pick<RunContext, 'report'> & Partial<Pick<RunContext, 'careful' | 'matches'>>,
): boolean {
    let batches = 0;
    const { progress: _, ...silent } = run.options;
    const options: RunOptions = {
        ...silent,
        disabledPasses: withoutEarlyPasses(run.options.disabledPasses),
        cancelled: () => {
            if (++batches > BATCHES[severity]) throw new SearchEnded();
            return run.options.cancelled();
        },
    };
    const checkpoint = new Checkpoint(options, { memory: run.memory, facts: () => 0, growing: () => undefined, filling: () => undefined });
    const context: RunContext = { ...run, ...instead, options, checkpoint };
    try {
        const read = [...new Set(rule.literals.map(({ relation }) => relation))].map(key => relationOf(run, key));
        for (const relation of read) {
            relation.from = 0;
            relation.to = relation.count;
        }
        const start = compileVariant(planVariant(rule, undefined, plannerInput(context)), 'failed matches', false, context);
        for (const relation of read) relation.extendIndexes(relation.count);
        start();
    } catch (thrown) {
        if (!(thrown instanceof SearchEnded) && !(thrown instanceof RunStopped)) throw thrown;
        return false;
    } finally {
        if (severity !== 'error') for (const { relation } of rule.literals) relationOf(run, relation).dropIndexes();
    }
    return true;
}

function isSame(one: Report, other: Report): boolean {
    return (
        one.code === other.code &&
        one.location !== undefined &&
        other.location !== undefined &&
        compareLocations(one.location, other.location) === 0
    );
}

function isBefore(rows: readonly number[], others: readonly number[]): boolean {
    const different = rows.findIndex((row, i) => row !== others[i]);
    return different >= 0 && rows[different]! < others[different]!;
}

/** The facts of a match; where a literal reads what only the plan knows, the values of the variables. */
export function matchTold(rule: PlanRule, { rows, values }: MatchValues, run: RunContext): Pick<FailedMatch, 'facts' | 'values'> {
    const { dictionary } = run;
    const label = nullLabels(dictionary);
    const positive = rule.literals.filter(({ negated }) => !negated);
    const isFacts = ({ relation }: PlanLiteral): boolean => {
        const { internal, predicate } = planOf(run, relation);
        return !internal || relation === factsKey(predicate.key);
    };
    if (!positive.every(isFacts)) {
        const terms = namedVariables(rule).map((name, i) => {
            return `${name} = ${cut(termText(dictionary, values[i]!, rule.types.get(name) ?? MIXED, label))}`;
        });
        return { facts: [], values: terms };
    }
    const facts = new Map(positive.map(({ relation }, i) => [`${relation} ${rows[i]}`, factAt(relation, rows[i]!, run, label)]));
    return { facts: [...facts.values()], values: [] };
}

function factAt(key: PredicateKey, row: number, run: RunContext, label: NullLabel): MatchFact {
    const { predicate } = planOf(run, key);
    const relation = relationOf(run, key);
    const values = relation.columns.map(column => column[row]!);
    const fact = cut(factText(run.dictionary, predicate, values, label));
    const origin = originOf(predicate, relation, row) ?? clauseOf(predicate, values, run);
    switch (origin?.kind) {
        case 'source':
            return { fact, source: { file: origin.file, ...(origin.line > 0 && { line: origin.line }) } };
        case 'clause':
            return { fact, location: { place: origin.place, span: origin.span } };
        default:
            return { fact };
    }
}

/** The clause that states a fact, where the run has not noted it. */
function clauseOf({ facts }: Predicate, values: readonly ValueId[], run: RunContext): Origin | undefined {
    const found = facts.find(({ atom, place }) =>
        values.every((value, column) => {
            const term = atom.arguments[column];
            return term !== undefined && compileExpression(term, constantScope(run, place))(new Int32Array(0)) === value;
        }),
    );
    return found === undefined ? undefined : { kind: 'clause', place: found.place, span: found.span };
}

/** Most characters of facts and values in reports. */
const LONGEST = 120;

function cut(text: string): string {
    return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}

/** The rules that an expression at a place is part of. */
function rulesAt(location: Location, run: Pick<RunContext, 'plan'>): readonly PlanRule[] {
    const places = ({ place, assignments }: PlanRule): ClausePlace[] => [place, ...assignments.flatMap(one => one.place ?? [])];
    return allRules(run).filter(rule => places(rule).some(place => comparePlaces(place, location.place) === 0));
}

function allRules({ plan }: Pick<RunContext, 'plan'>): readonly PlanRule[] {
    return [...plan.strata.flatMap(({ rules, equalities }) => [...rules, ...(equalities?.turns.flat() ?? [])]), ...plan.constraints];
}

function isSmall({ literals }: PlanRule, { relations }: RunContext): boolean {
    return literals.every(({ relation }) => (relations.get(relation)?.count ?? 0) <= ROWS_FOR_WARNING);
}

/** Whether the body of a rule is a whole body of the program, not a part that others go on from, and what it reads is still there. */
function isWhole({ outputs, literals }: PlanRule, { plan, relations }: RunContext): boolean {
    const isBody = outputs.every(({ kind, relation }) => {
        const filled = kind === 'match' ? undefined : plan.relations.get(relation);
        return filled === undefined || !filled.internal || filled.groups !== undefined;
    });
    return isBody && literals.every(({ relation }) => relations.get(relation)?.forgotten === 0);
}
