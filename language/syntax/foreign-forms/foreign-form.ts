import type { HelperPredicate, Instead } from '#language/program/problem.ts';

/** A form that another language has, and what stands for it here. */
export interface ForeignForm {
    /** Matched in the text of a clause that cannot be read; global. */
    readonly pattern: RegExp;
    /** Returns the replacement for a match; undefined if it is not this form after all. */
    readonly written: (match: RegExpMatchArray) => string | undefined;
    /** The form by its name, where the problem is that the language does not have it (RL0048). */
    readonly name?: string | ((match: RegExpMatchArray) => string);
    /** The predicate whose absence the form asks for; nothing where no rule of its own can derive it. */
    readonly helper?: (match: RegExpMatchArray) => HelperPredicate | undefined;
    /** Advice for a form without a replacement or a helper; the form stays then. */
    readonly words?: string | ((match: RegExpMatchArray) => string);
    /** Why nothing is written for the form, or the annotation that stands for it. */
    readonly instead?: Instead | ((match: RegExpMatchArray) => Instead);
}

/** A form that goes without anything in its place. */
export function leftOut(name: string, pattern: RegExp, instead: string): ForeignForm {
    return { name, pattern, written: () => '', instead };
}

/** The text before the arrow in the clause of a match, and the terms of the first atom there. */
export function headOf({ input = '' }: RegExpMatchArray): {
    readonly text: string;
    readonly name: string;
    readonly terms: readonly string[];
} {
    const text = /^([\s\S]*?)(?:<-|:-)/u.exec(input)?.[1]?.trim() ?? '';
    const [, name = '', terms = ''] = /^(\w+)\s*\(([^()]*)\)/u.exec(text) ?? [];
    return { text, name, terms: terms.split(',').map(term => term.trim()) };
}

/** Texts in single quotes with double ones. */
export function requoted(text: string): string {
    return text.replace(/'([^']*)'/gu, '"$1"');
}
