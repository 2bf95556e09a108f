import { AGGREGATES } from '#language/program/aggregates.ts';
import { type AnalysedProgram, type AnalysedRule, predicateKey } from '#language/program/analysed-program.ts';
import type { Atom, Item } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { TextEdit } from '../format-edits.ts';
import { bodyEnd, removalOf } from '../quick-fixes/clause-parts.ts';
import { type ClauseEdit, inDocument, insertion } from '../quick-fixes/fix.ts';
import { freshVariable } from '../quick-fixes/fresh-variable.ts';
import { type ArgumentChange, argumentEdits } from './argument-change.ts';
import { type Changeable, changeablePredicate, isInPlainRule, leavesColumn } from './change-arguments.ts';
import type { Refactoring, RefactoringRequest } from './refactoring.ts';
import { bodyItems, createsNulls, dependsOnCutting, headVariables, isPlain, isRecursive } from './rule-parts.ts';

/** A predicate whose rows all come from the rule of the request. */
interface OnlyRule extends Changeable {
    readonly rule: AnalysedRule;
    readonly head: Atom;
}

/** The groups that a rule makes of its matches get their number as an argument of the head, which the rest of the program leaves. */
export function* countMatches(request: RefactoringRequest): Iterable<Refactoring> {
    const { clause, text, tokens, selection } = request;
    const only = onlyRule(request);
    if (only === undefined || !isPlain(only.rule.rule)) return;
    const { rule, head, arity, places, programs } = only;
    const given = headVariables(rule.rule);
    const isInHead = head.span.start <= selection.start && selection.end <= head.span.end;
    if (!isInHead || [...rule.bound].every(variable => given.has(variable))) return;
    if (!places.atoms.every(place => place.clause === clause || place.role === 'negated' || isInPlainRule(place, programs))) return;
    const variable = freshVariable(text, 'N');
    const title = say`Count the matches for each row of '${head.predicate}'`;
    yield* changed(
        request,
        only,
        {
            kind: 'append',
            column: arity,
            term: place => (place.clause === clause ? variable : '_'),
            field: { name: variable.toLowerCase(), type: 'int' },
        },
        { title, madeUp: variable },
        insertion(bodyEnd(tokens), `, ${variable} = count()`),
    );
}

/** The number of matches, which nothing reads, goes; the groups stay. */
export function* removeCount(request: RefactoringRequest): Iterable<Refactoring> {
    const { clause, tokens, selection } = request;
    const only = onlyRule(request);
    if (only === undefined) return;
    const { rule, head, arity, places, programs } = only;
    const items = bodyItems(rule, tokens) ?? [];
    const [count, ...others] = items.filter(({ item }) => isCount(item));
    if (count?.equates === undefined || others.length > 0) return;
    const variable = count.equates;
    const column = head.arguments.findIndex(term => term.kind === 'variable' && term.name === variable);
    const term = head.arguments[column];
    const isSelected = [count.span, term?.span].some(span => span && span.start <= selection.start && selection.end <= span.end);
    const isElsewhere = tokens.filter(token => token.kind === 'variable' && token.text === variable).length !== 2;
    const removal = removalOf(tokens, count.span);
    if (column < 0 || arity < 2 || !isSelected || isElsewhere || removal === undefined) return;
    if (!places.atoms.every(place => place.clause === clause || leavesColumn(place, programs, column))) return;
    const title = say`Remove argument ${column + 1} of '${head.predicate}', the number of matches`;
    yield* changed(request, only, { kind: 'remove', column }, { title }, removal);
}

/** `V = count()`, which has a value for every group. */
function isCount(item: Item): boolean {
    if (item.kind !== 'expression' || item.expression.kind !== 'binary') return false;
    const { right } = item.expression;
    return (
        right.kind === 'aggregate' && AGGREGATES[right.name].family === 'mcount' && right.arguments.every(({ kind }) => kind === 'integer')
    );
}

/** Finds the rule of the request where it alone gives a predicate its rows, and not by way of them. */
function onlyRule(request: RefactoringRequest): OnlyRule | undefined {
    const { rule, clause } = request;
    const [head, ...others] = rule?.heads ?? [];
    if (rule === undefined || head === undefined || others.length > 0 || createsNulls(rule)) return undefined;
    const changeable = changeablePredicate(request, head.atom.predicate);
    // What holds when rows are counted changes with the values that rules make equal later.
    if (changeable === undefined || dependsOnCutting(changeable.programs) || changeable.programs.some(makesEqual)) return undefined;
    const { arity, places, programs } = changeable;
    const key = predicateKey(head.atom.predicate, arity);
    const isOnly = places.atoms.every(({ role, clause: other }) => (role !== 'fact' && role !== 'head') || other === clause);
    const isGiven = places.annotations.some(({ annotation }) => GIVEN.has(annotation.name));
    return isRecursive(programs, key) || !isOnly || isGiven ? undefined : { ...changeable, rule, head: head.atom };
}

const makesEqual = ({ rules }: AnalysedProgram): boolean => rules.some(({ rule }) => rule.head.kind === 'equality');

/** Annotations by which a predicate has rows from elsewhere. */
const GIVEN: ReadonlySet<string> = new Set(['input', 'bind', 'qbind']);

/** Changes the columns of a predicate, and one place in the body of its rule. */
function* changed(
    { document, clause }: RefactoringRequest,
    { places, head: { predicate } }: OnlyRule,
    change: ArgumentChange,
    described: { readonly title: string; readonly madeUp?: string },
    inBody: ClauseEdit,
): Iterable<Refactoring> {
    if (argumentEdits({ ...places, atoms: [] }, predicate, change) === undefined) return;
    const edits = (): ReadonlyMap<string, readonly TextEdit[]> => {
        const found = new Map(argumentEdits(places, predicate, change));
        return found.set(document.file, [...(found.get(document.file) ?? []), inDocument(clause, inBody)]);
    };
    yield { kind: 'rewrite', ...described, edits };
}
