import type { ProblemCode } from '#language/problems/catalogue.ts';
import type { Problem } from '#language/program/problem.ts';
import type { OpenDocument } from './open-document.ts';
import * as aggregates from './quick-fixes/aggregates.ts';
import * as annotations from './quick-fixes/annotations.ts';
import * as binds from './quick-fixes/binds.ts';
import * as conditions from './quick-fixes/conditions.ts';
import { type Fix, type FixFunction, fixRequest, writeMeantForm } from './quick-fixes/fix.ts';
import * as helpers from './quick-fixes/helpers.ts';
import { ignoringFixes, removeIgnoredCode } from './quick-fixes/ignores.ts';
import * as items from './quick-fixes/items.ts';
import * as literals from './quick-fixes/literals.ts';
import * as models from './quick-fixes/models.ts';
import * as modules from './quick-fixes/modules.ts';
import * as names from './quick-fixes/names.ts';
import * as nulls from './quick-fixes/nulls.ts';
import * as punctuation from './quick-fixes/punctuation.ts';
import * as relationFunctions from './quick-fixes/relation-functions.ts';
import * as splits from './quick-fixes/splits.ts';
import * as style from './quick-fixes/style.ts';
import * as terms from './quick-fixes/terms.ts';
import * as types from './quick-fixes/types.ts';
import * as variables from './quick-fixes/variables.ts';

/** The fixes of the codes that have a mechanical one (section 13). */
const FIXES: ReadonlyMap<string, FixFunction> = new Map<ProblemCode, FixFunction>([
    ['RL0001', punctuation.insertDot],
    ['RL0002', punctuation.insertComma],
    ['RL0003', punctuation.removeArrow],
    ['RL0004', punctuation.removeMark],
    ['RL0005', punctuation.insertExpected],
    ['RL0006', punctuation.closeBrackets],
    ['RL0008', punctuation.removeMark],
    ['RL0010', punctuation.removeMark],
    ['RL0011', literals.writeNumber],
    ['RL0012', literals.writeNumber],
    ['RL0014', literals.quoteNumber],
    ['RL0015', literals.separateArrow],
    ['RL0016', literals.writeNull],
    ['RL0020', literals.closeString],
    ['RL0021', literals.requote],
    ['RL0022', literals.doubleBackslash],
    ['RL0030', literals.replaceHash],
    ['RL0031', literals.replaceComment],
    ['RL0032', punctuation.replaceSemicolon],
    ['RL0040', conditions.writeNot],
    ['RL0041', conditions.writeExclamation],
    ['RL0042', conditions.splitAlternatives],
    ['RL0043', conditions.splitComparison],
    ['RL0044', conditions.writeDomain],
    ['RL0045', names.lowerPredicate],
    ['RL0046', names.readWord],
    ['RL0048', conditions.replaceOperator],
    ['RL0049', punctuation.splitFact],
    ['RL0050', names.writePlainWord],
    ['RL1101', names.defineName],
    ['RL1102', terms.removeTerms],
    ['RL1103', terms.padHeads],
    ['RL1104', terms.padAtom],
    ['RL1105', terms.padAtom],
    ['RL1106', helpers.renameOneArity],
    ['RL1107', variables.compareTerm],
    ['RL1110', names.useOrRemove],
    ['RL1111', helpers.showPredicate],
    ['RL1113', names.removeRule],
    ['RL1114', names.removeClause],
    ['RL1115', names.removeRule],
    ['RL1116', names.removeRule],
    ['RL1117', names.writeSimilarName],
    ['RL1210', names.renamePredicate],
    ['RL2001', variables.writeNearestVariable],
    ['RL2002', items.correctOrRemoveItem],
    ['RL2003', variables.quoteVariable],
    ['RL2004', helpers.bindByAtom],
    ['RL2005', conditions.writeAssignment],
    ['RL2006', conditions.swapSides],
    ['RL2010', helpers.extractCall],
    ['RL2012', variables.assignTerm],
    ['RL2102', annotations.keepCertainRows],
    ['RL2201', splits.mendWardedness],
    ['RL2203', nulls.joinConstants],
    ['RL2204', nulls.addBound],
    ['RL2301', nulls.writeConstraint],
    ['RL2302', names.removeRule],
    ['RL2402', items.removeItem],
    ['RL2403', names.removeRule],
    ['RL3001', aggregates.assignAggregate],
    ['RL3002', aggregates.moveAggregateToBody],
    ['RL3004', variables.writeNearestVariable],
    ['RL3005', items.removeContributor],
    ['RL3006', aggregates.removeContributors],
    ['RL3007', items.countRowsOrValues],
    ['RL3008', aggregates.writeExact],
    ['RL3009', helpers.splitMaxcount],
    ['RL3010', aggregates.writeMonotonic],
    ['RL3011', aggregates.moveIntoArgument],
    ['RL3014', aggregates.addContributor],
    ['RL3020', aggregates.wrapInAggregate],
    ['RL3030', aggregates.removeGroupList],
    ['RL3031', aggregates.changeHeadOrList],
    ['RL3032', items.removeItem],
    ['RL3033', aggregates.compareResult],
    ['RL4001', types.mendOperands],
    ['RL4002', types.castConstant],
    ['RL4003', types.castMarked],
    ['RL4005', types.writeSetOrComparison],
    ['RL4011', items.removeConditionOrRule],
    ['RL4012', items.swapBounds],
    ['RL4014', items.removeItem],
    ['RL4015', types.castMarked],
    ['RL4020', models.describeColumns],
    ['RL4021', models.changeField],
    ['RL4022', types.castJoin],
    ['RL4030', items.writeNullTest],
    ['RL4031', literals.requoteConstant],
    ['RL5001', names.writeMeantFunction],
    ['RL5002', types.removeArguments],
    ['RL5003', types.castMarked],
    ['RL5004', types.writeMeantText],
    ['RL5007', types.quoteFieldName],
    ['RL5008', types.removeField],
    ['RL5009', types.writeMeantText],
    ['RL5011', types.writeOne],
    ['RL5012', helpers.assignExploded],
    ['RL5013', types.writeLambdaArrow],
    ['RL5014', types.writeMeantWord],
    ['RL5016', types.writeMeantWord],
    ['RL6001', names.writeMeantName],
    ['RL6003', annotations.endAnnotation],
    ['RL6004', types.removeAnnotationArguments],
    ['RL6005', annotations.quoteArgument],
    ['RL6006', annotations.correctOrRemove],
    ['RL6010', names.writeNearestPredicate],
    ['RL6011', helpers.addCopyRule],
    ['RL6012', annotations.removeAnnotation],
    ['RL6013', annotations.addLastOutput],
    ['RL6014', annotations.removeInputOrOutput],
    ['RL6020', annotations.removeAnnotation],
    ['RL6022', annotations.removeAnnotation],
    ['RL6030', models.rewriteFields],
    ['RL6031', models.addFields],
    ['RL6032', models.writeType],
    ['RL6034', names.writeMeantName],
    ['RL6036', names.writeMeantName],
    ['RL6037', models.markKey],
    ['RL6038', models.removeKey],
    ['RL6039', annotations.removeAnnotation],
    ['RL6040', models.addModel],
    ['RL6050', annotations.addBind],
    ['RL6052', annotations.removeAnnotation],
    ['RL6060', annotations.writeBind],
    ['RL6061', annotations.addOutput],
    ['RL6066', annotations.removeAnnotation],
    ['RL6067', annotations.removeAnnotation],
    ['RL6070', annotations.addOutput],
    ['RL6071', annotations.writeDirective],
    ['RL6122', annotations.writeDirective],
    ['RL6073', annotations.addOrder],
    ['RL6074', annotations.removeGroupColumn],
    ['RL6080', annotations.removeFirstArgument],
    ['RL6100', binds.writeType],
    ['RL6101', names.writeMeantName],
    ['RL6102', binds.insertOptionComma],
    ['RL6103', binds.quoteValue],
    ['RL6104', names.writeMeantName],
    ['RL6105', binds.insertOption],
    ['RL6106', binds.removeOption],
    ['RL6107', binds.moveOptions],
    ['RL6110', binds.nameSecret],
    ['RL6111', names.writeMeantName],
    ['RL6113', models.mapColumns],
    ['RL6114', names.writeMeantName],
    ['RL6116', binds.insertDelimiter],
    ['RL6120', types.writeMeantText],
    ['RL7002', punctuation.insertDot],
    ['RL7101', helpers.writeResultColumns],
    ['RL7102', conditions.moveVariablesToHead],
    ['RL7103', relationFunctions.writeNearestOption],
    ['RL7104', relationFunctions.removeRepeatedOption],
    ['RL7106', relationFunctions.removeEitherOption],
    ['RL7107', helpers.insertOption],
    ['RL7109', helpers.addWeights],
    ['RL7111', relationFunctions.removeAllPaths],
    ['RL7113', names.writeMeantName],
    ['RL7120', relationFunctions.writeNearestPlaceholder],
    ['RL7121', relationFunctions.removeArgument],
    ['RL7124', relationFunctions.renumberPrompts],
    ['RL8001', annotations.declareParameter],
    ['RL8002', annotations.removeAnnotation],
    ['RL8003', annotations.removeAnnotation],
    ['RL8004', types.changeDefault],
    ['RL8010', modules.writeMeantModule],
    ['RL8014', modules.moveModuleUp],
    ['RL8015', annotations.removeAnnotation],
    ['RL9001', variables.prefixUnderscore],
    ['RL9003', style.moveRule],
    ['RL9004', variables.removeUnderscore],
    ['RL9012', style.startNewLine],
    ['RL9020', style.writeNegation],
    ['RL9021', style.addParentheses],
    ['RL9022', annotations.removeAnnotation],
    ['RL9024', conditions.writeComparison],
    ['RL9025', style.writeEquality],
    ['RL9026', items.moveAssignmentUp],
    ['RL9027', annotations.removeAnnotation],
    ['RL9029', style.removeNamespace],
    ['RL9030', annotations.writeNewerName],
    ['RL9031', style.unwrapArgument],
    ['RL9032', style.writeArrow],
    ['RL9034', splits.extractHalf],
]);

/** Comments that ignore a problem, for when it is to stay. */
export function ignores(document: OpenDocument, problem: Problem): readonly Fix[] {
    return [...ignoringFixes(document, problem)];
}

/** The changes that remove a problem of the document, the preferred one first. */
export function quickFixes(document: OpenDocument, problem: Problem): readonly Fix[] {
    if (IGNORE_CODES.has(problem.code)) return [...removeIgnoredCode(document, problem)];
    const fixesOf = FIXES.get(problem.code);
    const request = fixesOf && fixRequest(document, problem);
    if (fixesOf === undefined || request === undefined) return [];
    const form = [...writeMeantForm(request)];
    return form.length > 0 ? form : [...fixesOf(request)].sort((a, b) => Number(b.preferred) - Number(a.preferred));
}

/** Problems of the comments that ignore others, which stand in no clause. */
const IGNORE_CODES: ReadonlySet<string> = new Set<ProblemCode>(['RL9040', 'RL9041']);
