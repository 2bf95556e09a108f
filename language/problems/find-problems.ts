import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { Declarations, ProgramFacts } from '#language/analysis/declarations.ts';
import type { AnalysisOptions, Meanings, NameFacts, PlacedAnnotation, RuleFacts } from '#language/analysis/program-facts.ts';
import type { ColumnTypes } from '#language/analysis/rule-types.ts';
import { readSourceText } from '#language/analysis/source-text.ts';
import type { TypeEnvironment } from '#language/library/expression-type.ts';
import type { Problem } from '#language/program/problem.ts';
import type { Clause } from '#language/program/program.ts';
import { compareLocations } from '#language/program/span.ts';
import { checkAggregateArguments } from './checks/aggregate-arguments.ts';
import { checkAggregatePlaces } from './checks/aggregate-places.ts';
import { checkAggregateUse } from './checks/aggregate-use.ts';
import { checkAnnotationShape } from './checks/annotation-shapes.ts';
import { checkAnonymousValues } from './checks/anonymous-values.ts';
import { checkAssignmentForms } from './checks/assignment-forms.ts';
import { checkAssignmentOrder, checkLongRules } from './checks/assignment-order.ts';
import { checkAtomArity } from './checks/atom-arity.ts';
import { checkAtomConstants } from './checks/atom-constants.ts';
import { checkAtomTerms } from './checks/atom-terms.ts';
import { checkBindOptions } from './checks/bind-options.ts';
import { checkBindUse } from './checks/bind-use.ts';
import { checkBoundVariables } from './checks/bound-variables.ts';
import { checkCartesianProducts } from './checks/cartesian-products.ts';
import { checkConstantConditions } from './checks/constant-conditions.ts';
import { checkContradictoryAtoms } from './checks/contradictory-atoms.ts';
import { checkDates } from './checks/dates.ts';
import { checkDeprecatedPredicates } from './checks/deprecated-predicates.ts';
import { checkDivisionByZero } from './checks/division-by-zero.ts';
import { checkDuplicateClauses } from './checks/duplicate-clauses.ts';
import { checkEndpointTypes } from './checks/endpoint-types.ts';
import { checkTrivialEquality } from './checks/equality-heads.ts';
import { checkFactVariables } from './checks/fact-variables.ts';
import { checkFactCalls, checkFunctionCalls } from './checks/function-calls.ts';
import { checkHeadVariables } from './checks/head-variables.ts';
import { checkImpliedRules } from './checks/implied-rules.ts';
import { checkInputs } from './checks/inputs.ts';
import { checkItemForms } from './checks/item-forms.ts';
import { checkJoinTypes } from './checks/join-types.ts';
import { checkKeyedWrites } from './checks/keyed-writes.ts';
import { checkLibraries } from './checks/libraries.ts';
import { checkMappings } from './checks/mappings.ts';
import { checkMaxcountAlone } from './checks/maxcount-alone.ts';
import { checkMixedUse } from './checks/mixed-numbers.ts';
import { checkModelCycles } from './checks/model-cycles.ts';
import { checkModelFields } from './checks/model-fields.ts';
import { checkModelUse } from './checks/model-use.ts';
import { checkNothingNew } from './checks/nothing-new.ts';
import { checkNullTerms } from './checks/null-terms.ts';
import { checkOperandTypes } from './checks/operand-types.ts';
import { checkOutputs } from './checks/outputs.ts';
import { checkPostDirectives } from './checks/post-directives.ts';
import { checkPromptPlaceholders } from './checks/prompt-placeholders.ts';
import { checkExplainedPredicates, checkProvenance, checkProvenanceTargets } from './checks/provenance.ts';
import { checkOtherQueries, checkQueries } from './checks/queries.ts';
import { checkQueryParameters } from './checks/query-parameters.ts';
import { type ComponentColumns, checkRecursiveAggregates } from './checks/recursive-aggregates.ts';
import { checkRelationCallHeads } from './checks/relation-call-heads.ts';
import { checkRelationFunctions } from './checks/relation-functions.ts';
import { checkScriptAlone, checkScripts } from './checks/scripts.ts';
import { checkAmbiguousAnnotations, checkSeveralArities } from './checks/several-arities.ts';
import { checkSkolemPlaces } from './checks/skolem-places.ts';
import { checkQueryOrder } from './checks/text-order.ts';
import { checkUndefinedPredicates } from './checks/undefined-predicates.ts';
import { checkUnusedPredicates } from './checks/unused-predicates.ts';
import { checkVariableBounds } from './checks/variable-bounds.ts';
import { checkRepeatedAnonymous, checkSingletonVariables } from './checks/variable-use.ts';

/** Problems of a clause other than a rule. */
export function* problemsOfClause(clause: Clause, annotations: readonly PlacedAnnotation[], declarations: Declarations): Iterable<Problem> {
    for (const annotation of annotations) yield* problemsOfAnnotation(annotation);
    if (clause.kind !== 'fact') return;
    yield* checkFactVariables(clause);
    yield* checkFactCalls(clause, declarations);
}

function* problemsOfAnnotation(placed: PlacedAnnotation): Iterable<Problem> {
    yield* checkAnnotationShape(placed);
    yield* checkProvenance(placed);
    const { annotation } = placed;
    const [name, source] = annotation.arguments;
    const text = annotation.name === 'bind' || annotation.name === 'qbind' ? textOf(source) : undefined;
    if (text !== undefined && textOf(name) !== undefined) yield* checkBindOptions({ ...placed, text: readSourceText(text) });
}

/** Problems of a rule, as far as the rule and the names in it show them. */
export function* problemsOfRule(
    rule: RuleFacts,
    meaningOf: Meanings,
    declarations: Declarations,
    options: AnalysisOptions,
): Iterable<Problem> {
    yield* checkUndefinedPredicates(rule, meaningOf, declarations.openWorld);
    yield* checkAtomArity(rule, meaningOf);
    yield* checkDeprecatedPredicates(rule, meaningOf);
    yield* checkItemForms(rule);
    yield* checkAtomTerms(rule);
    yield* checkBoundVariables(rule, declarations.relaxedSafety);
    yield* checkAnonymousValues(rule, meaningOf);
    yield* checkAssignmentForms(rule);
    yield* checkHeadVariables(rule, meaningOf);
    yield* checkSkolemPlaces(rule);
    yield* checkTrivialEquality(rule);
    yield* checkRelationCallHeads(rule);
    yield* checkRelationFunctions(rule, meaningOf);
    yield* checkQueries(rule, meaningOf, options);
    yield* checkScripts(rule, declarations, options);
    yield* checkOtherQueries(rule, meaningOf);
    yield* checkNothingNew(rule);
    yield* checkQueryParameters(rule, meaningOf);
    yield* checkPromptPlaceholders(rule, declarations);
    yield* checkAggregatePlaces(rule);
    yield* checkAggregateArguments(rule);
    yield* checkMaxcountAlone(rule);
    yield* checkFunctionCalls(rule, declarations, meaningOf);
    yield* checkDivisionByZero(rule);
    yield* checkConstantConditions(rule);
    yield* checkDates(rule);
    yield* checkVariableBounds(rule);
    yield* checkContradictoryAtoms(rule);
    yield* checkAggregateUse(rule);
    yield* checkAssignmentOrder(rule);
    yield* checkLongRules(rule);
    yield* checkNullTerms(rule);
    yield* checkSingletonVariables(rule);
    yield* checkRepeatedAnonymous(rule);
    yield* checkCartesianProducts(rule, meaningOf);
}

/** Problems of the types in a rule, and of the predicates that it reads. */
export function* problemsOfTypes(rule: RuleFacts, environment: TypeEnvironment, columns: ColumnTypes): Iterable<Problem> {
    yield* checkOperandTypes(rule, environment);
    yield* checkQueryOrder(rule, columns);
    yield* checkJoinTypes(rule, columns);
    yield* checkMixedUse(rule, columns, environment);
    yield* checkAtomConstants(rule, columns);
    yield* checkEndpointTypes(rule, columns);
}

/** Problems of a name as a whole. */
export function* problemsOfName(name: NameFacts, declarations: Declarations, options: AnalysisOptions): Iterable<Problem> {
    yield* checkSeveralArities(name);
    yield* checkDuplicateClauses(name);
    yield* checkImpliedRules(name);
    yield* checkUnusedPredicates(name, declarations);
    yield* checkBindUse(name, declarations, options);
    yield* checkScriptAlone(name);
}

/** Problems of the annotations of a program, as far as the rest of the program shows them. */
export function* problemsOfDeclarations(facts: ProgramFacts): Iterable<Problem> {
    yield* checkLibraries(facts);
    yield* checkAmbiguousAnnotations(facts);
    yield* checkOutputs(facts);
    yield* checkInputs(facts);
    yield* checkPostDirectives(facts);
    for (const model of facts.models) yield* checkModelFields(model, facts);
    yield* checkModelCycles(facts);
    yield* checkExplainedPredicates(facts);
    yield* checkProvenanceTargets(facts);
    yield* checkModelUse(facts);
    yield* checkMappings(facts);
    yield* checkKeyedWrites(facts);
}

/** Problems of aggregates in the rules of a recursive component. */
export function* problemsOfRecursion(rules: readonly RuleFacts[], members: ComponentColumns): Iterable<Problem> {
    for (const rule of rules) yield* checkRecursiveAggregates(rule, members);
}

/** The problems in text order; of two at the same place, the one with the smaller code comes first. */
export function inTextOrder(problems: Iterable<Problem>): Problem[] {
    const found = [...problems];
    return found.length < 2 ? found : found.sort(byPlace);
}

function byPlace(a: Problem, b: Problem): number {
    const place = compareLocations(a, b);
    if (place !== 0) return place;
    return compared(a.code, b.code) || compared(a.message, b.message);
}

function compared(a: string, b: string): number {
    return a < b ? -1 : Number(a > b);
}
