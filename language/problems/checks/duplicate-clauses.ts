import type { NameFacts } from '#language/analysis/program-facts.ts';
import { printAtomText, printRuleText } from '#language/program/print.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Expression, Fact, Rule } from '#language/program/program.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { problem, withRelated } from '../catalogue.ts';

/** Facts that stand twice in a file, RL1114, and rules that are the same up to the names of variables, RL1113. */
export function* checkDuplicateClauses({ definitions, name }: NameFacts): Iterable<Problem> {
    for (const { facts, rules } of definitions.values()) {
        // Each 'null' is another value, so that such facts differ.
        const known = facts.filter(({ atom }) => !atom.arguments.some(holdsNull));
        yield* repeated(known, 'RL1114', 'the same fact');
        const own = rules.filter(({ rule, atom }) => rule.head.kind === 'atoms' && rule.head.atoms[0] === atom && atom.predicate === name);
        yield* repeated(
            own.map(({ rule }) => rule),
            'RL1113',
            'the same rule',
        );
    }
}

function holdsNull(expression: Expression): boolean {
    return expression.kind === 'null' || partsOf(expression).some(holdsNull);
}

function* repeated(clauses: readonly (Fact | Rule)[], code: 'RL1113' | 'RL1114', message: string): Iterable<Problem> {
    if (clauses.length < 2) return;
    const seen = new Map<string, Fact | Rule>();
    for (const clause of clauses) {
        const text = duplicateText(clause);
        const first = seen.get(text);
        if (first === undefined) seen.set(text, clause);
        else if (first.place.file === clause.place.file) {
            const span = clause.kind === 'fact' ? clause.atom.span : clause.head.span;
            const related = { place: first.place, span: first.kind === 'fact' ? first.atom.span : first.head.span, message };
            yield withRelated(problem(code, clause.place, span), [related]);
        }
    }
}

/** Clauses do not change, so that their texts are made once. */
const TEXTS = new WeakMap<Fact | Rule, string>();

/** A text that clauses share which are the same up to the names of variables. */
export function duplicateText(clause: Fact | Rule): string {
    let text = TEXTS.get(clause);
    if (text === undefined) {
        text = clause.kind === 'fact' ? printAtomText(clause.atom) : withNumberedVariables(printRuleText(clause));
        TEXTS.set(clause, text);
    }
    return text;
}

/** Variables are numbered in the order in which they come; strings, `#F` and `?parameters` stay. */
function withNumberedVariables(text: string): string {
    const numbers = new Map<string, number>();
    return text.replace(/"(?:[^"\\]|\\.)*"|(?<![#?@$\w:])(?:[A-Z]\w*|_\w*)/gu, found => {
        if (found.startsWith('"')) return found;
        if (found.startsWith('_')) return '_';
        const number = numbers.get(found) ?? numbers.size;
        numbers.set(found, number);
        return `V${number}`;
    });
}
