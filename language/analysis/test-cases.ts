import { EXPECTATIONS, TEST_ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import type { Annotation, Clause, Fact, Program } from '#language/program/program.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import { textOf } from './annotation-arguments.ts';

/** How the files of test cases end. */
export const TEST_ENDING = '.test.rulelang';

export function isTestFile(file: string): boolean {
    return file.endsWith(TEST_ENDING);
}

export type ExpectationKind = (typeof EXPECTATIONS)[number];

/** The expectation of a test case for one predicate. */
export interface Expectation {
    readonly predicate: string;
    readonly kind: ExpectationKind;
    readonly count: number | undefined;
    /** The facts below it. */
    readonly facts: readonly Fact[];
    readonly annotation: Annotation;
    readonly place: ClausePlace;
}

export interface ExpectedError {
    readonly code: string;
    readonly annotation: Annotation;
    readonly place: ClausePlace;
}

/** A test case of a file, in text order. */
export interface TestCase {
    readonly name: string;
    /** The `@test`. */
    readonly place: ClausePlace;
    readonly annotation: Annotation;
    /** Facts, rules and annotations that count in it, those before the first case included. */
    readonly clauses: readonly Clause[];
    /** The predicates that have the facts of the test and no others. */
    readonly given: ReadonlySet<string>;
    readonly expectations: readonly Expectation[];
    readonly errors: readonly ExpectedError[];
}

/** A fact below an expectation of another predicate, or an annotation of a case before the first one. */
export interface Misplaced {
    readonly place: ClausePlace;
    readonly span: Span;
    readonly clause: Clause;
    /** The predicate that the facts there are of; absent where no case has begun. */
    readonly expected?: string;
}

export interface TestFile {
    readonly cases: readonly TestCase[];
    readonly misplaced: readonly Misplaced[];
}

interface OpenCase {
    readonly name: string;
    readonly place: ClausePlace;
    readonly annotation: Annotation;
    readonly clauses: Clause[];
    readonly given: Set<string>;
    readonly expectations: (Expectation & { readonly facts: Fact[] })[];
    readonly errors: ExpectedError[];
}

/**
 * The cases of a test file. Facts are given, and after an `@expect` expected, up to the next annotation; what stands before the first
 * case counts in all of them.
 */
export function testCases({ clauses }: Pick<Program, 'clauses'>): TestFile {
    const shared: Clause[] = [];
    const sharedGiven = new Set<string>();
    const cases: OpenCase[] = [];
    const misplaced: Misplaced[] = [];
    let expected: OpenCase['expectations'][number] | undefined;
    const noteAnnotation = (annotation: Annotation, clause: Clause): void => {
        expected = undefined;
        const current = cases.at(-1);
        const { place } = clause;
        const [first, second, third] = annotation.arguments;
        const text = textOf(first);
        if (text === undefined) return;
        if (annotation.name === 'test') {
            const [own, given] = [[...shared], new Set(sharedGiven)];
            cases.push({ name: text, place, annotation, clauses: own, given, expectations: [], errors: [] });
        } else if (annotation.name === 'given') (current?.given ?? sharedGiven).add(text);
        else if (current === undefined) misplaced.push({ place, span: annotation.span, clause });
        else if (annotation.name === 'expectError') current.errors.push({ code: text, annotation, place });
        else {
            const kind = EXPECTATIONS.find(known => known === textOf(second)) ?? 'exact';
            const count = third?.kind === 'integer' ? Number(third.value) : undefined;
            expected = { predicate: text, kind, count, facts: [], annotation, place };
            current.expectations.push(expected);
        }
    };
    for (const clause of clauses) {
        const own = clause.annotations.filter(({ name }) => TEST_ANNOTATIONS.has(name));
        if (clause.annotations.length > own.length) expected = undefined;
        for (const annotation of own) noteAnnotation(annotation, clause);
        if (clause.kind === 'annotation' && own.length === clause.annotations.length) continue;
        if (clause.kind === 'fact' && expected !== undefined) {
            if (clause.atom.predicate === expected.predicate) expected.facts.push(clause);
            else misplaced.push({ place: clause.place, span: clause.atom.nameSpan, clause, expected: expected.predicate });
            continue;
        }
        const current = cases.at(-1);
        (current?.clauses ?? shared).push(clause);
        if (clause.kind === 'fact') (current?.given ?? sharedGiven).add(clause.atom.predicate);
    }
    return { cases, misplaced };
}
