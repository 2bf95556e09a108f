import type { NameFacts, ProgramFacts, RuleFacts } from '#language/analysis/program-facts.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Fact } from '#language/program/program.ts';
import { checkAggregateArguments } from './checks/aggregate-arguments.ts';
import { checkAggregatePlaces } from './checks/aggregate-places.ts';
import { checkAnnotationShape } from './checks/annotation-shapes.ts';
import { checkAssignmentForms } from './checks/assignment-forms.ts';
import { checkAtomArity } from './checks/atom-arity.ts';
import { checkAtomTerms } from './checks/atom-terms.ts';
import { checkBindOptions } from './checks/bind-options.ts';
import { checkBindUse } from './checks/bind-use.ts';
import { checkBoundVariables } from './checks/bound-variables.ts';
import { checkCartesianProducts } from './checks/cartesian-products.ts';
import { checkDeprecatedPredicates, deprecatedPredicates } from './checks/deprecated-predicates.ts';
import { checkDivisionByZero } from './checks/division-by-zero.ts';
import { checkFactVariables } from './checks/fact-variables.ts';
import { checkForbiddenRecursion } from './checks/forbidden-recursion.ts';
import { checkFactCalls, checkFunctionCalls } from './checks/function-calls.ts';
import { checkHeadVariables } from './checks/head-variables.ts';
import { checkInputs } from './checks/inputs.ts';
import { checkItemForms } from './checks/item-forms.ts';
import { checkMaxcountAlone } from './checks/maxcount-alone.ts';
import { checkMixedAggregation } from './checks/mixed-aggregation.ts';
import { checkModelCycles } from './checks/model-cycles.ts';
import { checkModelFields } from './checks/model-fields.ts';
import { checkModelUse } from './checks/model-use.ts';
import { checkNothingNew } from './checks/nothing-new.ts';
import { checkHasOutput, checkOutputs } from './checks/outputs.ts';
import { checkParameters } from './checks/parameters.ts';
import { checkPostDirectives } from './checks/post-directives.ts';
import { checkRecursiveAggregates } from './checks/recursive-aggregates.ts';
import { checkRelationCallHeads } from './checks/relation-call-heads.ts';
import { checkAmbiguousAnnotations, checkSeveralArities } from './checks/several-arities.ts';
import { checkSkolemPlaces } from './checks/skolem-places.ts';
import { checkUndefinedPredicates, definedNames } from './checks/undefined-predicates.ts';
import { checkUnusedPredicates } from './checks/unused-predicates.ts';
import { checkRepeatedAnonymous, checkSingletonVariables } from './checks/variable-use.ts';
import { nearestAmong } from './did-you-mean.ts';

/** Every problem that analysis can see, in text order. */
export function findProblems(facts: ProgramFacts): Problem[] {
    const found = [...everyProblem(facts)];
    return found.sort((a, b) => a.place.offset - b.place.offset || a.span.start - b.span.start || a.span.end - b.span.end);
}

function* everyProblem(facts: ProgramFacts): Iterable<Problem> {
    const nearest = nearestAmong(() => definedNames(facts));
    for (const annotation of facts.annotations) yield* checkAnnotationShape(annotation);
    yield* checkAmbiguousAnnotations(facts);
    yield* checkParameters(facts);
    yield* checkHasOutput(facts);
    yield* checkOutputs(facts, nearest);
    yield* checkInputs(facts);
    yield* checkPostDirectives(facts);
    for (const model of facts.models) yield* checkModelFields(model, facts);
    yield* checkModelCycles(facts);
    yield* checkModelUse(facts);
    for (const bind of facts.binds) yield* checkBindOptions(bind);
    const deprecated = deprecatedPredicates(facts);
    for (const name of facts.names.values()) {
        yield* checkUndefinedPredicates(name, facts, nearest);
        yield* problemsOfName(name, facts, deprecated);
    }
    for (const clause of facts.program.clauses) if (clause.kind === 'fact') yield* problemsOfFact(clause, facts);
    for (const rule of facts.rules) yield* problemsOfRule(rule, facts);
    for (const predicate of facts.predicates.values()) yield* checkMixedAggregation(predicate, facts);
    for (const cycle of facts.cycles) yield* checkForbiddenRecursion(cycle);
}

function* problemsOfName(name: NameFacts, facts: ProgramFacts, deprecated: ReadonlyMap<string, string>): Iterable<Problem> {
    yield* checkSeveralArities(name);
    yield* checkAtomArity(name);
    yield* checkUnusedPredicates(name, facts);
    yield* checkBindUse(name, facts);
    yield* checkDeprecatedPredicates(name, deprecated);
}

function* problemsOfFact(fact: Fact, facts: ProgramFacts): Iterable<Problem> {
    yield* checkFactVariables(fact);
    yield* checkFactCalls(fact, facts);
}

function* problemsOfRule(rule: RuleFacts, facts: ProgramFacts): Iterable<Problem> {
    yield* checkItemForms(rule);
    yield* checkAtomTerms(rule);
    yield* checkBoundVariables(rule);
    yield* checkAssignmentForms(rule);
    yield* checkHeadVariables(rule, facts);
    yield* checkSkolemPlaces(rule);
    yield* checkRelationCallHeads(rule);
    yield* checkNothingNew(rule);
    yield* checkAggregatePlaces(rule);
    yield* checkAggregateArguments(rule);
    yield* checkMaxcountAlone(rule);
    yield* checkRecursiveAggregates(rule, facts);
    yield* checkFunctionCalls(rule, facts);
    yield* checkDivisionByZero(rule);
    yield* checkSingletonVariables(rule);
    yield* checkRepeatedAnonymous(rule);
    yield* checkCartesianProducts(rule);
}
