import type { OpenDocument } from '#language/document/open-document.ts';
import { typeNamed } from '#language/library/type-names.ts';
import { type AnalysedProgram, type AnalysedRule, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { openingAfter, termsInside } from '../quick-fixes/clause-parts.ts';
import { annotationInTheWay } from './argument-annotations.ts';
import { type ArgumentChange, argumentEdits } from './argument-change.ts';
import { type AnnotationPlace, type AtomPlace, type PredicatePlaces, predicatePlaces } from './predicate-places.ts';
import { type Refactoring, type RefactoringRequest, type RefusedRefactoring, selectedNode } from './refactoring.ts';
import {
    atomsIn,
    contributes,
    createsNulls,
    dependsOnCutting,
    headVariables,
    isAggregated,
    isPlain,
    isRecursive,
    ruleOf,
    termVariables,
} from './rule-parts.ts';

/** The argument at the cursor goes, or moves by one, wherever the predicate is written. */
export function* changeArguments(request: RefactoringRequest): Iterable<Refactoring> {
    const found = argumentAt(request);
    const changeable = found && changeablePredicate(request, found.name);
    if (found === undefined || changeable === undefined) return;
    const { arity, places } = changeable;
    const { name, column } = found;
    if (column > 0) yield* changed(places, name, swap(arity, column - 1), say`Move argument ${column + 1} of '${name}' to the left`);
    if (column + 1 < arity) yield* changed(places, name, swap(arity, column), say`Move argument ${column + 1} of '${name}' to the right`);
    if (arity > 1 && isNotNeeded(changeable, predicateKey(name, arity), column)) {
        yield* changed(places, name, { kind: 'remove', column }, say`Remove argument ${column + 1} of '${name}'`);
    }
}

/** A column and the next one change places. */
function swap(arity: number, column: number): ArgumentChange {
    const order = Array.from({ length: arity }, (_, at) => (at === column ? column + 1 : at === column + 1 ? column : at));
    return { kind: 'reorder', order };
}

/** A predicate whose arguments can change places, with a word for each of them. */
export interface ReorderablePredicate {
    readonly name: string;
    readonly columns: readonly string[];
}

/** The predicate at the cursor, where its arguments can be put into any order. */
export function reorderablePredicate(request: RefactoringRequest): ReorderablePredicate | undefined {
    const name = argumentAt(request)?.name;
    const changeable = name === undefined ? undefined : changeablePredicate(request, name);
    if (name === undefined || changeable === undefined || changeable.arity < 2) return undefined;
    const { arity, places } = changeable;
    if (annotationInTheWay(places, { kind: 'reorder', order: rotated(arity) }) !== undefined) return undefined;
    const { columns } = request.document.analysed.predicates.get(predicateKey(name, arity)) ?? { columns: [] };
    return { name, columns: Array.from({ length: arity }, (_, at) => columns[at]?.name ?? `${at + 1}`) };
}

/** An order in which every column has another place. */
function rotated(arity: number): readonly number[] {
    return Array.from({ length: arity }, (_, at) => (at + 1) % arity);
}

/** The arguments of the predicate at the cursor in an order: for each column, the zero-based one that comes there. */
export function reorderedArguments(request: RefactoringRequest, order: readonly number[]): Refactoring | undefined {
    const found = reorderablePredicate(request);
    const changeable = found && changeablePredicate(request, found.name);
    if (found === undefined || changeable === undefined || !isOrder(order, changeable.arity)) return undefined;
    const title = say`Reorder the arguments of '${found.name}'`;
    const [refactoring] = changed(changeable.places, found.name, { kind: 'reorder', order }, title);
    return refactoring;
}

function isOrder(order: readonly number[], arity: number): boolean {
    return order.length === arity && new Set(order).size === arity && order.every(column => column >= 0 && column < arity);
}

/** Why the argument at the cursor can neither go nor move, where it cannot. */
export function refusedArgumentChange(request: RefactoringRequest): RefusedRefactoring | undefined {
    const found = argumentAt(request);
    if (found === undefined) return undefined;
    const { name, column } = found;
    const title = say`Move argument ${column + 1} of '${name}'`;
    const changeable = changeablePredicate(request, name);
    if (changeable === undefined) {
        const reason = say`'${name}' has another number of columns elsewhere, or a query, a graph function, a model or an unreadable clause mentions it`;
        return { kind: 'rewrite', title, reason };
    }
    if (changeable.arity < 2) return undefined;
    const inTheWay = annotationInTheWay(changeable.places, swap(changeable.arity, Math.min(column, changeable.arity - 2)));
    return inTheWay && { kind: 'rewrite', title, reason: reasonOf(inTheWay, name) };
}

function reasonOf({ annotation, document }: AnnotationPlace, name: string): string {
    const plain = say`'@${annotation.name}' says what the columns of '${name}' are by their place`;
    if (annotation.name !== 'bind') return plain;
    const bind = document.analysed.binds.find(found => found.annotation === annotation);
    if (bind?.direction === 'output') return say`${plain}, and who reads what is written relies on it`;
    return say`${plain}; a single CSV file with 'useHeaders=true' that can be read would be read by the names of its columns`;
}

/** The variable at the cursor becomes an argument of the head, unknown in what else gives the predicate rows. */
export function* addArgument(request: RefactoringRequest): Iterable<Refactoring> {
    const { rule, clause } = request;
    const node = selectedNode(request);
    if (rule === undefined || node?.mention.kind !== 'variable') return;
    const { name: variable } = node.mention;
    const [head, ...others] = rule.heads;
    if (head === undefined || others.length > 0 || !rule.bound.has(variable) || headVariables(rule.rule).has(variable)) return;
    if (!isPlain(rule.rule) || createsNulls(rule) || dependsOnCutting(request.programs)) return;
    const name = head.atom.predicate;
    const changeable = changeablePredicate(request, name);
    if (changeable === undefined) return;
    const { arity, places, programs } = changeable;
    const key = predicateKey(name, arity);
    const recursive = isRecursive(programs, key);
    const hasPlainRule = (place: AtomPlace): boolean => isInPlainRule(place, programs);
    const fits = places.atoms.every(place => {
        if (place.role === 'fact' || place.clause === clause) return true;
        return place.role === 'head' ? !recursive && hasPlainRule(place) : place.role === 'negated' || hasPlainRule(place);
    });
    if (!fits) return;
    const term = (place: AtomPlace): string => {
        if (place.role === 'head') return place.clause === clause ? variable : 'null';
        return place.role === 'fact' ? 'null' : '_';
    };
    const field = fieldOf(rule, variable);
    yield* changed(
        places,
        name,
        { kind: 'append', column: arity, term, ...(field && { field }) },
        say`Add '${variable}' to the arguments of '${name}'`,
    );
}

/** The field of a model for a variable whose values have a type that a model can say. */
function fieldOf({ types }: AnalysedRule, variable: string): { readonly name: string; readonly type: string } | undefined {
    const type = types.get(variable);
    const written = type && printType(type);
    if (written === undefined || typeNamed(written)?.kind !== type?.kind || !SCALAR.has(written)) return undefined;
    return { name: variable.toLowerCase(), type: written };
}

const SCALAR: ReadonlySet<string> = new Set(['int', 'double', 'string', 'boolean', 'date', 'timestamp']);

function* changed(places: PredicatePlaces, name: string, change: ArgumentChange, title: string): Iterable<Refactoring> {
    const withoutAtoms = argumentEdits({ ...places, atoms: [] }, name, change);
    if (withoutAtoms === undefined) return;
    yield { kind: 'rewrite', title, edits: () => argumentEdits(places, name, change) ?? new Map() };
}

/** The predicate and the column of the term at the start of the selection. */
function argumentAt({ clause, tokens, selection }: RefactoringRequest): { readonly name: string; readonly column: number } | undefined {
    const found = atomsIn(clause).find(({ atom: { span } }) => span.start <= selection.start && selection.end <= span.end);
    const open = found && openingAfter(tokens, found.atom.nameSpan.start);
    const spans = open === undefined ? [] : (termsInside(tokens, open)?.spans ?? []);
    const column = spans.findIndex(({ start, end }) => start <= selection.start && selection.end <= end);
    return found === undefined || column < 0 ? undefined : { name: found.atom.predicate, column };
}

export interface Changeable {
    readonly arity: number;
    readonly places: PredicatePlaces;
    /** Analyses of the programs that contain some of the places. */
    readonly programs: readonly AnalysedProgram[];
}

/** A predicate that facts and heads give one arity and whose columns have a place in nothing but atoms and annotations about it. */
export function changeablePredicate({ workspace, document }: RefactoringRequest, name: string): Changeable | undefined {
    const places = predicatePlaces(workspace, document, name);
    const arity = places && arityOf(document, places, name);
    if (places === undefined || arity === undefined) return undefined;
    const fit = places.atoms.every(({ atom, clause, role }) => {
        if (clause.kind === 'rule' && clause.body.kind !== 'items') return false;
        const count = atom.arguments.length;
        return role === 'fact' || role === 'head' ? count === arity : count <= arity;
    });
    return fit ? { arity, places, programs: places.documents.map(({ analysed }) => analysed) } : undefined;
}

/** As many columns as facts and heads write; else as many as the program knows of what comes from a source. */
function arityOf(document: OpenDocument, { atoms }: PredicatePlaces, name: string): number | undefined {
    const defining = atoms.find(({ role }) => role === 'fact' || role === 'head');
    const [known, ...others] = defining === undefined ? document.analysed.predicatesNamed(name) : [];
    return defining?.atom.arguments.length ?? (others.length === 0 ? known?.arity : undefined);
}

/** No rule needs the column, and rules that have it or leave it give the same otherwise. */
function isNotNeeded({ places, programs }: Changeable, key: PredicateKey, column: number): boolean {
    if (isAggregated(programs, key) || dependsOnCutting(programs)) return false;
    return places.atoms.every(place => leavesColumn(place, programs, column));
}

export function leavesColumn(place: AtomPlace, programs: readonly AnalysedProgram[], column: number): boolean {
    const term = place.atom.arguments[column];
    switch (place.role) {
        case 'fact':
            return true;
        case 'head':
            return isInPlainRule(place, programs) && keepsFrontier(place, column);
        case 'negated':
        case 'positive':
            if (place.role === 'positive' && !isInPlainRule(place, programs)) return false;
            return term === undefined || term.kind === 'anonymous' || (term.kind === 'variable' && isOnly(place, term.name));
    }
}

export function isInPlainRule(place: AtomPlace, programs: readonly AnalysedProgram[]): boolean {
    const rule = ruleOf(place.document.analysed, place.clause);
    return rule !== undefined && isPlain(rule.rule) && !contributes(programs, rule);
}

/** The nulls that the rule creates belong to the bound variables of its head (D-27): none of them goes. */
function keepsFrontier(place: AtomPlace, column: number): boolean {
    const rule = ruleOf(place.document.analysed, place.clause);
    if (rule === undefined || !createsNulls(rule)) return rule !== undefined;
    const { atom } = place;
    const kept = new Set(
        rule.heads.flatMap(({ atom: head }) =>
            head === atom
                ? termVariables({ ...atom, arguments: atom.arguments.filter((_, index) => index !== column) })
                : termVariables(head),
        ),
    );
    return termVariables({ ...atom, arguments: atom.arguments.slice(column, column + 1) }).every(
        name => kept.has(name) || !rule.bound.has(name),
    );
}

/** The variable stands nowhere else in its clause. */
function isOnly({ document, clause }: AtomPlace, name: string): boolean {
    return tokenize(clauseText(document, clause)).filter(({ kind, text }) => kind === 'variable' && text === name).length === 1;
}
