import type { AnalysedRule, Condition, Literal, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printAtomText } from '#language/program/print.ts';
import type { Atom, BinaryOperator, Expression } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { variableNames } from '#language/program/variable-names.ts';

/** One small change of a rule: what an author may have written otherwise. */
export interface Repair {
    readonly kind: 'exchanged' | 'variable' | 'negation' | 'constant' | 'comparison' | 'dropped';
    /** The rule as it would be. */
    readonly rule: AnalysedRule;
    /** The literal, condition or head that is changed. */
    readonly span: Span;
    readonly from: Atom | Expression;
    /** What stands there instead; absent where it is left out. */
    readonly to?: Atom | Expression;
    /** The columns of an atom that are exchanged, or the one that changes. */
    readonly columns: readonly number[];
    /** How much less odd the rule is. */
    readonly relief: number;
}

const OPPOSITES: ReadonlyMap<BinaryOperator, BinaryOperator> = new Map<BinaryOperator, BinaryOperator>([
    ['<', '>'],
    ['>', '<'],
    ['<=', '>='],
    ['>=', '<='],
    ['==', '!='],
    ['=', '!='],
    ['!=', '=='],
]);

/**
 * The rules that differ from a rule by one slip of the pen: these are the usual operators of mutation testing, which undo
 * themselves (Debroy and Wong, "Using mutation to automatically suggest fixes for faulty programs", ICST 2010).
 */
export function* ruleRepairs(
    rule: AnalysedRule,
    constantsAt: (head: ResolvedAtom, column: number) => readonly Expression[],
): Iterable<Repair> {
    const before = oddness(rule);
    for (const repair of allRepairs(rule, constantsAt)) {
        const relief = before - oddness(repair.rule);
        const isLikely = repair.kind !== 'variable' || (isHead(rule, repair) ? relief > 0 : relief >= 0);
        if (isLikely) yield { ...repair, relief };
    }
}

function isHead({ heads }: AnalysedRule, { span }: Pick<Repair, 'span'>): boolean {
    return heads.some(({ atom }) => atom.span === span);
}

/** Variables that occur once, atoms that have one variable twice, literals that occur twice: what people seldom write on purpose. */
function oddness(rule: AnalysedRule): number {
    const occurrences = new Map<string, number>();
    const count = (expressions: readonly Expression[]): void => {
        for (const name of expressions.flatMap(one => variablesOf(one))) occurrences.set(name, (occurrences.get(name) ?? 0) + 1);
    };
    for (const { atom } of [...rule.heads, ...rule.literals]) count(atom.arguments);
    count(rule.conditions.map(({ expression }) => expression));
    for (const { variable, value, aggregates } of rule.assignments)
        count([variable, value, ...aggregates.flatMap(({ contributors = [] }) => contributors)]);
    const single = [...occurrences.values()].filter(times => times === 1).length;
    const twice = rule.literals.filter(({ atom }) => {
        const names = variableNames(atom.arguments);
        return new Set(names).size < names.length;
    }).length;
    const texts = rule.literals.map(({ atom, negated }) => `${negated} ${printAtomText(atom)}`);
    return single + twice + texts.length - new Set(texts).size;
}

function* allRepairs(
    rule: AnalysedRule,
    constantsAt: (head: ResolvedAtom, column: number) => readonly Expression[],
): Iterable<Omit<Repair, 'relief'>> {
    const variables = variablesIn(rule);
    const late = new Set(
        rule.assignments.filter(one => one.afterAggregation || one.aggregates.length > 0).map(({ variable }) => variable.name),
    );
    const early = variables.filter(name => !late.has(name));
    for (const [index, literal] of rule.literals.entries()) {
        const { span } = literal.atom;
        const withLiterals = (literals: readonly Literal[]): AnalysedRule | undefined => checked(rule, { ...rule, literals });
        const withAtom = (atom: Atom): AnalysedRule | undefined => withLiterals(rule.literals.with(index, { ...literal, atom }));
        const toggled = withLiterals(rule.literals.with(index, { ...literal, negated: !literal.negated }));
        if (toggled !== undefined && !literal.afterAggregation)
            yield { kind: 'negation', rule: toggled, span, from: literal.atom, to: literal.atom, columns: [] };
        const dropped = withLiterals(rule.literals.filter(other => other !== literal));
        if (dropped !== undefined && dropped.literals.length > 0)
            yield { kind: 'dropped', rule: dropped, span, from: literal.atom, columns: [] };
        for (const { atom, kind, columns } of atomRepairs(literal.atom, literal.afterAggregation ? variables : early)) {
            const repaired = withAtom(atom);
            if (repaired !== undefined) yield { kind, rule: repaired, span, from: literal.atom, to: atom, columns };
        }
    }
    for (const [index, condition] of rule.conditions.entries()) {
        const { expression } = condition;
        const withCondition = (conditions: readonly Condition[]): AnalysedRule => ({ ...rule, conditions });
        if (expression.kind === 'binary') {
            const operator = OPPOSITES.get(expression.operator);
            if (operator !== undefined) {
                const to = { ...expression, operator };
                const repaired = withCondition(rule.conditions.with(index, { ...condition, expression: to }));
                yield { kind: 'comparison', rule: repaired, span: expression.span, from: expression, to, columns: [] };
            }
        }
        const rest = withCondition(rule.conditions.filter(other => other !== condition));
        yield { kind: 'dropped', rule: rest, span: expression.span, from: expression, columns: [] };
    }
    for (const [index, head] of rule.heads.entries()) {
        const { span } = head.atom;
        const withAtom = (atom: Atom): AnalysedRule | undefined =>
            checked(rule, { ...rule, heads: rule.heads.with(index, { ...head, atom }) });
        for (const { atom, kind, columns } of atomRepairs(head.atom, variables)) {
            if (kind === 'constant') continue;
            const repaired = withAtom(atom);
            if (repaired !== undefined) yield { kind, rule: repaired, span, from: head.atom, to: atom, columns };
        }
        for (const [column, term] of head.atom.arguments.entries()) {
            if (term.kind === 'variable' || term.kind === 'anonymous') continue;
            for (const constant of constantsAt(head, column)) {
                const atom = { ...head.atom, arguments: head.atom.arguments.with(column, constant) };
                const repaired = withAtom(atom);
                if (repaired !== undefined) yield { kind: 'constant', rule: repaired, span, from: head.atom, to: atom, columns: [column] };
            }
        }
    }
}

interface AtomRepair {
    readonly kind: 'exchanged' | 'variable' | 'constant';
    readonly atom: Atom;
    readonly columns: readonly number[];
}

function* atomRepairs(atom: Atom, variables: readonly string[]): Iterable<AtomRepair> {
    const terms = atom.arguments;
    const withTerms = (changed: readonly Expression[]): Atom => ({ ...atom, arguments: changed });
    for (const [i, first] of terms.entries()) {
        for (const [more, second] of terms.slice(i + 1).entries()) {
            const j = i + 1 + more;
            if (isSame(first, second)) continue;
            yield { kind: 'exchanged', atom: withTerms(terms.with(i, second).with(j, first)), columns: [i, j] };
        }
    }
    for (const [column, term] of terms.entries()) {
        if (term.kind === 'anonymous') continue;
        if (term.kind !== 'variable') {
            yield {
                kind: 'constant',
                atom: withTerms(terms.with(column, { kind: 'anonymous', name: '_', span: term.span })),
                columns: [column],
            };
            continue;
        }
        for (const name of variables) {
            if (name === term.name) continue;
            yield { kind: 'variable', atom: withTerms(terms.with(column, { ...term, name })), columns: [column] };
        }
    }
}

function isSame(left: Expression, right: Expression): boolean {
    if (left.kind === 'variable') return right.kind === 'variable' && left.name === right.name;
    return left.kind === 'anonymous' && right.kind === 'anonymous';
}

function variablesIn({ heads, literals, assignments, bound }: AnalysedRule): string[] {
    const atoms = [...heads, ...literals].flatMap(({ atom }) => atom.arguments.flatMap(term => variablesOf(term)));
    return [...new Set([...atoms, ...assignments.map(({ variable }) => variable.name), ...bound])];
}

/** The changed rule with its variables bound anew; undefined where one would have no value. */
export function checked(before: AnalysedRule, changed: AnalysedRule): AnalysedRule | undefined {
    const given = new Set<string>();
    for (const { atom, negated } of changed.literals)
        if (!negated) for (const term of atom.arguments) if (term.kind === 'variable') given.add(term.name);
    if (changed.assignments.some(({ variable }) => given.has(variable.name))) return undefined;
    const rule = withAssignments(changed, given);
    const bound = new Set([...given, ...rule.assignments.map(({ variable }) => variable.name)]);
    const collected = (expressions: readonly Expression[]): boolean =>
        expressions.flatMap(one => variablesOf(one)).every(name => bound.has(name));
    const isSafe =
        collected(rule.conditions.map(({ expression }) => expression)) &&
        collected(rule.assignments.map(({ value }) => value)) &&
        collected(rule.assignments.flatMap(({ aggregates }) => aggregates.flatMap(({ contributors = [] }) => contributors))) &&
        collected(rule.literals.filter(({ negated }) => negated).flatMap(({ atom }) => atom.arguments));
    if (!isSafe) return undefined;
    const open = new Set(
        rule.heads.flatMap(({ atom }) => atom.arguments.flatMap(term => variablesOf(term))).filter(name => !bound.has(name)),
    );
    if ([...open].some(name => !before.existential.includes(name))) return undefined;
    return { ...rule, bound, existential: [...open] };
}

/** `V = e` compares while an atom gives V its value, and gives it one otherwise (D-25). */
function withAssignments(rule: AnalysedRule, given: ReadonlySet<string>): AnalysedRule {
    const assignments = [...rule.assignments];
    const conditions = rule.conditions.filter(({ expression, afterAggregation }) => {
        if (expression.kind !== 'binary' || expression.operator !== '=' || afterAggregation) return true;
        const { left, right } = expression;
        if (left.kind !== 'variable' || given.has(left.name) || assignments.some(({ variable }) => variable.name === left.name))
            return true;
        assignments.unshift({ variable: left, value: right, aggregates: [], afterAggregation: false });
        return false;
    });
    return conditions.length === rule.conditions.length ? rule : { ...rule, assignments, conditions };
}
