import { allClauses } from '#language/program/inclusion.ts';
import type { AnnotationArgument, Clause, Constant, Program } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import type { NamedAnnotation, PlacedAnnotation } from './program-facts.ts';

/** All annotations of the program and its modules; one that stands before a clause counts like a clause of its own. */
export function placedAnnotations(program: Program): PlacedAnnotation[] {
    return allClauses(program).flatMap(placedAnnotationsOf);
}

export function placedAnnotationsOf(clause: Clause): readonly PlacedAnnotation[] {
    if (clause.annotations.length === 0) return NO_ANNOTATIONS;
    return clause.annotations.map(annotation => ({ annotation, place: clause.place, clause }));
}

const NO_ANNOTATIONS: readonly PlacedAnnotation[] = [];

/** The text of a string argument; a bare name, which RL6005 refuses, is read as if it were quoted. */
export function textOf(argument: AnnotationArgument | undefined): string | undefined {
    if (argument?.kind === 'string') return argument.value;
    return argument?.kind === 'name' ? argument.name : undefined;
}

/** The annotations with these names whose first argument is a predicate name. */
export function namedAnnotations(annotations: readonly PlacedAnnotation[], ...names: readonly string[]): NamedAnnotation[] {
    return annotations.flatMap(placed => {
        const argument = placed.annotation.arguments[0];
        const predicate = textOf(argument);
        if (!names.includes(placed.annotation.name) || argument === undefined || predicate === undefined) return [];
        return [{ ...placed, predicate, argument }];
    });
}

/**
 * The span of a part of a string's value. Exact when the text holds no escapes and no doubled quotes; otherwise the
 * whole string.
 */
export function spanInText(argument: AnnotationArgument, start: number, end: number): Span {
    if (argument.kind !== 'string' || !isWrittenPlainly(argument)) return argument.span;
    const base = argument.span.start + 1;
    return { start: base + start, end: base + end };
}

/** The string says what is written, character by character. */
export function isWrittenPlainly(text: Extract<Constant, { kind: 'string' }>): boolean {
    return text.span.end - text.span.start === text.value.length + 2;
}
