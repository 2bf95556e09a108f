import { ruleText } from '#language/analysis/duplicate-text.ts';
import type { NameFacts, RuleHead } from '#language/analysis/program-facts.ts';
import { printExpression } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Atom, Expression, Item, Rule } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { visitExpression } from '#language/program/subexpressions.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Rules with more items than this are not looked at as the more general ones: finding out takes exponential time. */
const MOST_ITEMS = 6;
/** More rules of one predicate than anyone writes by hand. */
const MOST_RULES = 100;

/** Rules that a more general rule of the same predicate implies (theta-subsumption, Plotkin 1970): RL1115. */
export function* checkImpliedRules({ definitions }: NameFacts): Iterable<Problem> {
    for (const { rules: all } of definitions.values()) {
        const rules = withoutDuplicates(all);
        if (rules.length < 2 || rules.length > MOST_RULES) continue;
        const shapes = rules.map(shapeOf);
        for (const [i, special] of shapes.entries()) {
            if (special === undefined) continue;
            const general = shapes.find(
                (other, j) =>
                    other !== undefined &&
                    j !== i &&
                    other.text !== special.text &&
                    subsumes(other, special) &&
                    (j < i || !subsumes(special, other)),
            );
            if (general === undefined || general.rule.place.file !== special.rule.place.file) continue;
            const related = [{ place: general.rule.place, span: general.rule.head.span, message: say`the more general rule` }];
            yield withRelated(problem('RL1115', special.rule.place, special.rule.head.span), related);
        }
    }
}

/**
 * Keeps one rule of those that are equal up to the names of variables; RL1113 reports the others. Stops one rule beyond `MOST_RULES`, which
 * is enough.
 */
function withoutDuplicates(rules: readonly RuleHead[]): readonly RuleHead[] {
    if (rules.length < 2) return rules;
    const seen = new Map<string, RuleHead>();
    for (const head of rules) {
        if (!hasOneHead(head)) continue;
        const text = `${head.rule.place.file} ${ruleText(head.rule)}`;
        if (!seen.has(text)) seen.set(text, head);
        if (seen.size > MOST_RULES) break;
    }
    return [...seen.values()];
}

function hasOneHead({ rule: { head } }: RuleHead): boolean {
    return head.kind === 'atoms' && head.atoms.length === 1;
}

/** An expression as text with its variables taken out, and these in order. */
interface Pattern {
    readonly text: string;
    readonly variables: readonly string[];
}

interface ItemShape {
    /** Items can only match where this is equal. */
    readonly kind: string;
    readonly negated: boolean;
    readonly terms: readonly Pattern[];
}

interface RuleShape {
    readonly rule: Rule;
    readonly text: string;
    readonly head: readonly Pattern[];
    readonly items: readonly ItemShape[];
}

/** Rules do not change, so that their shapes are made once. */
const SHAPES = new WeakMap<Rule, RuleShape | 'none'>();

function shapeOf({ rule, atom }: RuleHead): RuleShape | undefined {
    let shape = SHAPES.get(rule);
    if (shape === undefined) {
        shape = newShape(rule, atom) ?? 'none';
        SHAPES.set(rule, shape);
    }
    return shape === 'none' ? undefined : shape;
}

/** Nothing for rules that invent values, aggregate, or ask `not` about variables of its own. */
function newShape(rule: Rule, atom: Atom): RuleShape | undefined {
    if (rule.body.kind !== 'items') return undefined;
    const items = rule.body.items.map(itemShape);
    const head = atom.arguments.map(patternOf);
    const outside = new Set(items.filter(({ negated }) => !negated).flatMap(variablesOf));
    const asked = [...items.filter(({ negated }) => negated).flatMap(variablesOf), ...head.flatMap(({ variables }) => variables)];
    if (asked.some(name => !outside.has(name)) || head.some(({ text }) => text === '_')) return undefined;
    const expressions = rule.body.items.flatMap(item => (item.kind === 'expression' ? [item.expression] : []));
    if ([...expressions, ...atom.arguments].some(madeInMatches)) return undefined;
    const text = [head, ...items.map(({ terms }) => terms)].map(printed).join(';');
    return { rule, text, head, items };
}

function printed(terms: readonly Pattern[]): string {
    return terms.map(({ text, variables }) => `${text} ${variables.join()}`).join();
}

function variablesOf({ terms }: ItemShape): readonly string[] {
    return terms.flatMap(({ variables }) => variables);
}

function madeInMatches(expression: Expression): boolean {
    let found = false;
    visitExpression(expression, part => {
        found ||= part.kind === 'aggregate' || part.kind === 'skolem' || part.kind === 'null';
    });
    return found;
}

function itemShape(item: Item): ItemShape {
    switch (item.kind) {
        case 'atom':
            return {
                kind: `${item.negated ? 'not ' : ''}${item.atom.predicate}/${item.atom.arguments.length}`,
                negated: item.negated,
                terms: item.atom.arguments.map(patternOf),
            };
        case 'expression':
            return { kind: '', negated: false, terms: [patternOf(item.expression)] };
        case 'domain':
            return { kind: 'dom(*)', negated: false, terms: [] };
    }
}

function patternOf(expression: Expression): Pattern {
    if (expression.kind === 'variable') return { text: VARIABLE, variables: [expression.name] };
    if (expression.kind === 'anonymous') return { text: '_', variables: [] };
    const variables: string[] = [];
    const text = printExpression(expression).replace(/"(?:[^"\\]|\\.)*"|(?<![#?@$\w:])[A-Z]\w*/gu, found => {
        if (found.startsWith('"')) return found;
        variables.push(found);
        return VARIABLE;
    });
    return { text, variables };
}

const VARIABLE = '\u0001';

/** The terms of the special rule for variables of the general one: variables as they are, other terms behind a mark. */
type Substitution = ReadonlyMap<string, string>;

function subsumes(general: RuleShape, special: RuleShape): boolean {
    if (general.items.length > MOST_ITEMS || general.head.length !== special.head.length) return false;
    const start = matchTerms(general.head, special.head, new Map(), '', true);
    return start !== undefined && covers(general.items, 0, special.items, start);
}

function covers(items: readonly ItemShape[], next: number, given: readonly ItemShape[], known: Substitution): boolean {
    const item = items[next];
    if (item === undefined) return true;
    return given.some((other, i) => {
        if (other.kind !== item.kind) return false;
        const extended = matchTerms(item.terms, other.terms, known, `${i}`, item.negated || item.kind === '');
        return extended !== undefined && covers(items, next + 1, given, extended);
    });
}

/** `exact`: an anonymous variable matches only its like. Elsewhere it matches everything. */
function matchTerms(
    terms: readonly Pattern[],
    others: readonly Pattern[],
    known: Substitution,
    place: string,
    exact: boolean,
): Substitution | undefined {
    const extended = new Map(known);
    const stand = (name: string, value: string): boolean => {
        const before = extended.get(name);
        if (before === undefined) extended.set(name, value);
        return before === undefined || before === value;
    };
    for (const [i, term] of terms.entries()) {
        const other = others[i];
        if (other === undefined) return undefined;
        if (term.text === '_' && !exact) continue;
        const [only] = term.variables;
        if (term.text === VARIABLE && only !== undefined && other.text !== VARIABLE) {
            const value = other.text === '_' ? `_ ${place} ${i}` : `= ${other.text} ${other.variables.join()}`;
            if (!stand(only, value)) return undefined;
            continue;
        }
        if (term.text !== other.text) return undefined;
        if (!term.variables.every((name, at) => stand(name, other.variables[at] ?? ''))) return undefined;
    }
    return extended;
}
