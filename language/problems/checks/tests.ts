import type { ProgramFacts } from '#language/analysis/declarations.ts';
import type { NameFacts } from '#language/analysis/program-facts.ts';
import { type Expectation, isTestFile, type TestCase, type TestFile, testCases } from '#language/analysis/test-cases.ts';
import { EXPECTATIONS, TEST_ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { problem, withMeant, withRelated, withWritten } from '../catalogue.ts';

type TestFacts = Pick<ProgramFacts, 'annotations' | 'clauses' | 'file' | 'nameFacts' | 'meaningOf'>;

/** Test cases, and their annotations in other files: RL6081 to RL6088. */
export function* checkTests(facts: TestFacts): Iterable<Problem> {
    const { annotations, clauses, file } = facts;
    for (const { annotation, place } of annotations) {
        if (TEST_ANNOTATIONS.has(annotation.name) && !isTestFile(place.file))
            yield problem('RL6081', place, annotation.nameSpan, annotation.name);
    }
    if (!isTestFile(file)) return;
    const read = testCases({ clauses });
    yield* checkPlaces(read);
    const expected = new Set(read.cases.flatMap(({ expectations }) => expectations.flatMap(one => one.facts)));
    for (const { expectations } of read.cases) {
        for (const expectation of expectations) {
            yield* checkForm(expectation);
            yield* checkPredicate(expectation, expected, facts);
        }
    }
}

function* checkPlaces({ cases, misplaced }: TestFile): Iterable<Problem> {
    for (const { clause, place, span, expected } of misplaced) {
        if (expected !== undefined && clause.kind === 'fact') yield problem('RL6085', place, span, clause.atom.predicate, expected);
        else {
            const name = clause.annotations.find(annotation => annotation.span === span)?.name;
            if (name !== undefined) yield problem('RL6086', place, span, name);
        }
    }
    const seen = new Map<string, TestCase>();
    for (const one of cases) {
        const earlier = seen.get(one.name);
        seen.set(one.name, earlier ?? one);
        if (earlier === undefined) continue;
        const related = [{ place: earlier.place, span: earlier.annotation.span, message: say`stands here first` }];
        yield withRelated(problem('RL6087', one.place, one.annotation.span, one.name), related);
    }
}

function* checkForm({ annotation, place, predicate, kind, count, facts }: Expectation): Iterable<Problem> {
    const word = annotation.arguments[1];
    if (word?.kind === 'string') {
        const isKnown = EXPECTATIONS.some(known => known === word.value);
        if (!isKnown) {
            const nearest = nearestName(word.value, EXPECTATIONS);
            yield withWritten(problem('RL6082', place, word.span, word.value), nearest === undefined ? undefined : `"${nearest}"`);
        } else if ((kind === 'count') !== (count !== undefined)) yield problem('RL6082', place, word.span, word.value);
    }
    const [first] = facts;
    if (first !== undefined && (kind === 'empty' || kind === 'count'))
        yield problem('RL6088', first.place, first.atom.span, predicate, kind);
}

function* checkPredicate(
    { annotation, place, predicate, facts }: Expectation,
    expected: ReadonlySet<object>,
    { nameFacts, meaningOf }: TestFacts,
): Iterable<Problem> {
    const name = nameFacts(predicate);
    const arities = name === undefined ? new Set<number>() : givenArities(name, expected);
    const isKnown = arities.size > 0 || (name !== undefined && isDefinedElsewhere(name));
    const argument = annotation.arguments[0];
    if (!isKnown && argument !== undefined) {
        yield withMeant(problem('RL6083', place, argument.span, predicate), meaningOf(predicate)?.nearest);
        return;
    }
    if (arities.size === 0 || name?.openColumns === true || name?.possiblyDefined === true) return;
    for (const fact of facts) {
        const count = fact.atom.arguments.length;
        if (!arities.has(count)) yield problem('RL6084', fact.place, fact.atom.span, predicate, [...arities].join(' or '), count);
    }
}

/** The numbers of columns that the name has but for what is expected of it. */
function givenArities({ definitions }: NameFacts, expected: ReadonlySet<object>): Set<number> {
    const found = [...definitions].filter(([, { rules, facts }]) => rules.length > 0 || facts.some(fact => !expected.has(fact)));
    return new Set(found.map(([arity]) => arity));
}

function isDefinedElsewhere({ binds, used, input, model, possiblyDefined, mentioned }: NameFacts): boolean {
    return binds.length > 0 || used || input !== undefined || model !== undefined || possiblyDefined || mentioned;
}
