import { isNonDeterministic } from '#language/library/non-deterministic.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import type { Atom, Call, Clause, Expression, Item, Rule } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import type { Token } from '#language/syntax/token.ts';
import { tokenizeWithComments } from '#language/syntax/tokenize.ts';
import { splitAt } from '../quick-fixes/clause-parts.ts';

const RULES = new WeakMap<AnalysedProgram, ReadonlyMap<Clause, AnalysedRule>>();

/** Returns the analysed rule of a clause, if it is one. */
export function ruleOf(program: AnalysedProgram, clause: Clause): AnalysedRule | undefined {
    let rules = RULES.get(program);
    if (rules === undefined) {
        rules = new Map(program.rules.map(analysed => [analysed.rule, analysed]));
        RULES.set(program, rules);
    }
    return rules.get(clause);
}

/** A body item with what it says about variables. */
export interface BodyItem {
    readonly item: Item;
    /** The whole item as it is written, with parentheses around it. */
    readonly span: Span;
    /** Variables of a positive atom, which the item binds. */
    readonly binds: ReadonlySet<string>;
    /** The left side of `V = e`. */
    readonly equates?: string;
    /** Variables that have to be bound elsewhere: all but those of positive atoms and the left side of `V = e`. */
    readonly needs: ReadonlySet<string>;
    /** All variables of the item. */
    readonly variables: ReadonlySet<string>;
}

/** The items of a rule's body in text order; nothing where the text is not one item after the other. */
export function bodyItems({ rule, literals }: AnalysedRule, tokens: readonly Token[]): readonly BodyItem[] | undefined {
    if (rule.body.kind !== 'items') return undefined;
    const arrow = tokens.findIndex(({ kind }) => kind === 'arrow');
    const dot = tokens.findLastIndex(({ kind }) => kind === 'dot');
    const spans = splitAt(tokens.slice(arrow + 1, dot < 0 ? undefined : dot), isComma);
    const { items } = rule.body;
    if (arrow < 0 || spans.length !== items.length) return undefined;
    const atoms = new Set(literals.map(({ atom }) => atom));
    return items.flatMap((item, index) => {
        const span = spans[index];
        return span === undefined ? [] : [bodyItem(item, span, atoms)];
    });
}

function isComma({ kind, text }: Token): boolean {
    return kind === 'mark' && text === ',';
}

function bodyItem(item: Item, span: Span, atoms: ReadonlySet<Atom>): BodyItem {
    const variables = new Set(itemExpressions(item).flatMap(allVariables));
    if (item.kind === 'atom' && !item.negated && atoms.has(item.atom)) return { item, span, binds: variables, needs: NONE, variables };
    const equation = item.kind === 'expression' ? equationOf(item.expression) : undefined;
    if (equation !== undefined) {
        return { item, span, binds: NONE, equates: equation.variable, needs: new Set(allVariables(equation.value)), variables };
    }
    return { item, span, binds: NONE, needs: variables, variables };
}

const NONE: ReadonlySet<string> = new Set();

/** `V = e` taken apart. */
function equationOf(expression: Expression): { readonly variable: string; readonly value: Expression } | undefined {
    if (expression.kind !== 'binary' || expression.operator !== '=' || expression.left.kind !== 'variable') return undefined;
    return { variable: expression.left.name, value: expression.right };
}

function itemExpressions(item: Item): readonly Expression[] {
    switch (item.kind) {
        case 'atom':
            return item.atom.arguments;
        case 'expression':
            return [item.expression];
        case 'domain':
            return [];
    }
}

/** The variables of an expression, contributors of aggregates among them. */
function allVariables(expression: Expression): readonly string[] {
    const names = variablesOf(expression);
    visitExpression(expression, part => {
        if (part.kind === 'aggregate') names.push(...(part.contributors ?? []).map(({ name }) => name));
    });
    return names;
}

/** A part of the item may stop a run for some values: what keeps these away has to stay beside it (RT010, RT011). */
export function divides({ item }: BodyItem): boolean {
    let found = false;
    for (const expression of itemExpressions(item)) {
        visitExpression(expression, part => {
            found ||= part.kind === 'binary' && part.operator === '/';
        });
    }
    return found;
}

/** The terms and conditions of a fact or rule, outermost ones, in text order. */
export function clauseExpressions(clause: Clause): readonly Expression[] {
    if (clause.kind === 'fact') return clause.atom.arguments;
    if (clause.kind !== 'rule') return [];
    const items = clause.body.kind === 'items' ? clause.body.items : [];
    return [...headExpressions(clause.head), ...items.flatMap(itemExpressions)];
}

/** The variables among the terms of an atom and inside them. */
export function termVariables(atom: Atom): readonly string[] {
    return atom.arguments.flatMap(allVariables);
}

/** A comment stands in the text. */
export function hasComment(text: string): boolean {
    return tokenizeWithComments(text).some(({ kind }) => kind === 'comment' || kind === 'foreign-comment');
}

/** The variables of the head. */
export function headVariables({ head }: Rule): ReadonlySet<string> {
    return new Set(headExpressions(head).flatMap(allVariables));
}

function headExpressions(head: Rule['head']): readonly Expression[] {
    switch (head.kind) {
        case 'atoms':
            return head.atoms.flatMap(atom => atom.arguments);
        case 'equality':
            return [head.left, head.right];
        case 'falsity':
            return [];
    }
}

/**
 * The rule gives a set of facts that depends on nothing but the set of its matches: no aggregate counts them, no `null`
 * and no function of chance gives each its own value, no `dom(*)` looks at all of its variables, and no prompt names some.
 */
export function isPlain(rule: Rule): boolean {
    const { body } = rule;
    if (body.kind !== 'items' || body.items.some(({ kind }) => kind === 'domain')) return false;
    let plain = true;
    for (const expression of clauseExpressions(rule)) {
        visitExpression(expression, part => {
            plain &&= part.kind !== 'null' && part.kind !== 'aggregate';
            plain &&= part.kind !== 'call' || !(isNonDeterministic(part) || isPrompting(part));
        });
    }
    return plain;
}

/** A call whose text may name variables of the rule. */
export function isPrompting({ name }: Call): boolean {
    return name === 'llm:generate' || name === 'ask';
}

/** The head has variables that nothing binds, or anonymous ones: the rule creates nulls. */
export function createsNulls({ rule, existential }: AnalysedRule): boolean {
    return existential.length > 0 || headExpressions(rule.head).some(({ kind }) => kind === 'anonymous');
}

/** True if cutting rules differently changes which nulls are kept: the chase of a program needs the test for isomorphic facts (D-29). */
export function dependsOnCutting(programs: readonly AnalysedProgram[]): boolean {
    return programs.some(({ chase }) => chase.createsNulls && !chase.weaklyAcyclic);
}

/** Some predicate of the head has values that are aggregated: each rule and each of its matches is a contribution. */
export function contributes(programs: readonly AnalysedProgram[], { heads }: AnalysedRule): boolean {
    return heads.some(({ predicate }) => isAggregated(programs, predicate));
}

/** Rules of the predicate aggregate values of it. */
export function isAggregated(programs: readonly AnalysedProgram[], predicate: PredicateKey): boolean {
    return programs.some(({ predicates }) => (predicates.get(predicate)?.aggregatedColumns.length ?? 0) > 0);
}

/** The predicate is derived by way of itself. */
export function isRecursive(programs: readonly AnalysedProgram[], predicate: PredicateKey): boolean {
    return programs.some(({ strata }) => strata.some(({ recursive, predicates }) => recursive && predicates.includes(predicate)));
}

/** Atoms of a clause whose terms are constants, variables and expressions as they are written. */
export function atomsIn(clause: Clause): readonly { readonly atom: Atom; readonly role: 'fact' | 'head' | 'positive' | 'negated' }[] {
    if (clause.kind === 'fact') return [{ atom: clause.atom, role: 'fact' }];
    if (clause.kind !== 'rule') return [];
    const heads = clause.head.kind === 'atoms' ? clause.head.atoms.map(atom => ({ atom, role: 'head' as const })) : [];
    const items = clause.body.kind === 'items' ? clause.body.items : [];
    return [
        ...heads,
        ...items.flatMap(item =>
            item.kind === 'atom' ? [{ atom: item.atom, role: item.negated ? ('negated' as const) : ('positive' as const) }] : [],
        ),
    ];
}
