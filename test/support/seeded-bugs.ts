import type { Atom, Expression, Fact, Rule } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { partsOf } from '#language/program/subexpressions.ts';
import { readProgram } from '#language/read-program.ts';

export const BUG_KINDS = [
    'constant changed',
    'threshold changed',
    'comparison flipped',
    'columns exchanged',
    'wrong variable',
    'negation added',
    'fact missing',
    'fact misspelt',
    'fact with columns exchanged',
] as const;

/** A program with one mistake that an author could have made, and where it is. */
export interface SeededBug {
    readonly kind: (typeof BUG_KINDS)[number];
    readonly text: string;
    /** Offset of the clause in the text with the mistake; -1 for a fact that is gone. */
    readonly clause: number;
    /** The literal, condition or head with the mistake, in the text with the mistake. */
    readonly from: number;
    readonly to: number;
    /** The fact as it was, where a fact was changed. */
    readonly fact?: Fact;
}

interface Edit {
    readonly kind: SeededBug['kind'];
    readonly span: Span;
    readonly replacement: string;
    /** The literal, condition or head around it. */
    readonly around: Span;
}

/** Every mistake that can be made in one place of the program. */
export function seededBugs(text: string, random: () => number): SeededBug[] {
    const { clauses } = readProgram(text, 'seeded').value;
    return clauses.flatMap(clause => {
        const { offset } = clause.place;
        const source = text.slice(offset);
        const edits =
            clause.kind === 'rule'
                ? [...ruleEdits(clause, source, random)]
                : clause.kind === 'fact'
                  ? [...factEdits(clause, source, random)]
                  : [];
        return edits.map(({ kind, span, replacement, around }): SeededBug => {
            const changed = text.slice(0, offset + span.start) + replacement + text.slice(offset + span.end);
            const grown = replacement.length - (span.end - span.start);
            const place = { from: offset + around.start, to: offset + around.end + grown };
            return {
                kind,
                text: changed,
                clause: kind === 'fact missing' ? -1 : offset,
                ...place,
                ...(clause.kind === 'fact' ? { fact: clause } : {}),
            };
        });
    });
}

function* ruleEdits(rule: Rule, source: string, random: () => number): Iterable<Edit> {
    const variables = variablesIn(rule);
    if (rule.head.kind === 'atoms') {
        for (const atom of rule.head.atoms) {
            yield* exchanges(atom, source, 'columns exchanged');
            for (const argument of atom.arguments) yield* constantEdits(argument, atom.span, source, random, 'constant changed');
        }
    }
    if (rule.body.kind !== 'items') return;
    for (const item of rule.body.items) {
        if (item.kind === 'atom') {
            yield* exchanges(item.atom, source, 'columns exchanged');
            for (const argument of item.atom.arguments) {
                yield* constantEdits(argument, item.span, source, random, 'constant changed');
                if (argument.kind === 'variable') {
                    const others = variables.filter(name => name !== argument.name);
                    const other = others[Math.floor(random() * others.length)];
                    if (other !== undefined) yield { kind: 'wrong variable', span: argument.span, replacement: other, around: item.span };
                }
            }
            if (!item.negated)
                yield {
                    kind: 'negation added',
                    span: { start: item.span.start, end: item.span.start },
                    replacement: 'not ',
                    around: item.span,
                };
        } else if (item.kind === 'expression' && item.expression.kind === 'binary') {
            const { expression } = item;
            const flipped = FLIPPED.get(expression.operator);
            if (flipped === undefined) continue;
            yield { kind: 'comparison flipped', span: expression.operatorSpan, replacement: flipped, around: item.span };
            for (const side of [expression.left, expression.right])
                yield* constantEdits(side, item.span, source, random, 'threshold changed');
        }
    }
}

const FLIPPED: ReadonlyMap<string, string> = new Map([
    ['>', '<'],
    ['<', '>'],
    ['>=', '<='],
    ['<=', '>='],
    ['==', '!='],
    ['!=', '=='],
]);

function* factEdits(fact: Fact, source: string, random: () => number): Iterable<Edit> {
    const { atom, span } = fact;
    yield { kind: 'fact missing', span, replacement: '', around: span };
    for (const edit of exchanges(atom, source, 'fact with columns exchanged')) yield { ...edit, around: span };
    for (const argument of atom.arguments) {
        if (argument.kind === 'string' && argument.value.length > 3)
            yield {
                kind: 'fact misspelt',
                span: argument.span,
                replacement: JSON.stringify(misspelt(argument.value, random)),
                around: span,
            };
    }
}

function* exchanges({ arguments: terms, span: around }: Atom, source: string, kind: Edit['kind']): Iterable<Edit> {
    for (const [i, first] of terms.entries()) {
        for (const second of terms.slice(i + 1)) {
            if (first.kind === 'anonymous' && second.kind === 'anonymous') continue;
            const [a, b] = [first, second].map(({ span }) => source.slice(span.start, span.end));
            if (a === b) continue;
            const span = { start: first.span.start, end: second.span.end };
            yield { kind, span, replacement: `${b}${source.slice(first.span.end, second.span.start)}${a}`, around };
        }
    }
}

function* constantEdits(expression: Expression, around: Span, source: string, random: () => number, kind: Edit['kind']): Iterable<Edit> {
    const { span } = expression;
    switch (expression.kind) {
        case 'string':
            if (expression.value.length > 0)
                yield { kind, span, replacement: JSON.stringify(random() < 0.5 ? misspelt(expression.value, random) : 'other'), around };
            return;
        case 'integer':
        case 'double': {
            const value = Number(expression.value);
            const changed = [value + 1, value - 1, value * 2, Math.floor(value / 2), value * 10][Math.floor(random() * 5)] ?? value;
            if (changed === value || changed < 0) return;
            const text = source.slice(span.start, span.end).includes('.') && Number.isInteger(changed) ? `${changed}.0` : String(changed);
            yield { kind, span, replacement: text, around };
            return;
        }
        default:
            for (const part of partsOf(expression)) yield* constantEdits(part, around, source, random, kind);
    }
}

function misspelt(word: string, random: () => number): string {
    const at = Math.floor(random() * word.length);
    const letter = word[at] ?? '';
    const ways = [
        word.slice(0, at) + word.slice(at + 1),
        word.slice(0, at) + letter + word.slice(at),
        letter.toUpperCase() === letter ? `${word} ` : word.slice(0, at) + letter.toUpperCase() + word.slice(at + 1),
    ];
    return ways[Math.floor(random() * ways.length)] ?? `${word}x`;
}

function variablesIn(rule: Rule): string[] {
    const names = new Set<string>();
    const visit = (expression: Expression): void => {
        if (expression.kind === 'variable') names.add(expression.name);
        partsOf(expression).forEach(visit);
    };
    if (rule.body.kind === 'items') {
        for (const item of rule.body.items) {
            if (item.kind === 'atom') item.atom.arguments.forEach(visit);
            if (item.kind === 'expression') visit(item.expression);
        }
    }
    return [...names];
}
