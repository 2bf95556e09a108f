import type { AnalysedRule, Predicate } from '#language/program/analysed-program.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import { nodeAt } from '../node-at.ts';
import { openingAfter, termsInside } from '../quick-fixes/clause-parts.ts';
import { type ArgumentChange, argumentEdits } from './argument-change.ts';
import { type AtomPlace, type PredicatePlaces, predicatePlaces } from './predicate-places.ts';
import type { Refactoring, RefactoringRequest } from './refactoring.ts';
import { atomsIn, contributes, createsNulls, dependsOnCutting, headVariables, isPlain, termVariables } from './rule-parts.ts';

/** The argument at the cursor goes, or moves by one, wherever the predicate is written. */
export function* changeArguments(request: RefactoringRequest): Iterable<Refactoring> {
    const found = argumentAt(request);
    const changeable = found && changeablePredicate(request, found.name);
    if (found === undefined || changeable === undefined) return;
    const { predicate, places } = changeable;
    const { name, column } = found;
    if (column > 0)
        yield* changed(places, name, { kind: 'swap', column: column - 1 }, `Move argument ${column + 1} of '${name}' to the left`);
    if (column + 1 < predicate.arity) {
        yield* changed(places, name, { kind: 'swap', column }, `Move argument ${column + 1} of '${name}' to the right`);
    }
    if (predicate.arity > 1 && isNotNeeded(places, predicate, column)) {
        yield* changed(places, name, { kind: 'remove', column }, `Remove argument ${column + 1} of '${name}'`);
    }
}

/** The variable at the cursor becomes an argument of the head, unknown in what else gives the predicate rows. */
export function* addArgument(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, range, rule, clause } = request;
    const node = nodeAt(document, range.start);
    if (rule === undefined || node?.mention.kind !== 'variable' || node.clause !== clause) return;
    const { name: variable } = node.mention;
    const [head, ...others] = rule.heads;
    if (head === undefined || others.length > 0 || !rule.bound.has(variable) || headVariables(rule.rule).has(variable)) return;
    if (!isPlain(rule.rule) || createsNulls(rule) || dependsOnCutting(document.analysed)) return;
    const name = head.atom.predicate;
    const changeable = changeablePredicate(request, name);
    if (changeable === undefined) return;
    const { predicate, places } = changeable;
    const recursive = document.analysed.strata.some(stratum => stratum.recursive && stratum.predicates.includes(predicate.key));
    const fits = places.atoms.every(place => {
        if (place.role === 'fact' || place.clause === clause) return true;
        return place.role === 'head' ? !recursive && hasPlainRule(place) : place.role === 'negated' || hasPlainRule(place);
    });
    if (!fits) return;
    const term = (place: AtomPlace): string => {
        if (place.role === 'head') return place.clause === clause ? variable : 'null';
        return place.role === 'fact' ? 'null' : '_';
    };
    yield* changed(places, name, { kind: 'append', column: predicate.arity, term }, `Add '${variable}' to the arguments of '${name}'`);
}

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

interface Changeable {
    readonly predicate: Predicate;
    readonly places: PredicatePlaces;
}

/** A predicate of one arity whose columns have a place in nothing but facts, rules and annotations of these programs. */
function changeablePredicate({ workspace, document }: RefactoringRequest, name: string): Changeable | undefined {
    const [predicate, ...others] = document.analysed.predicatesNamed(name);
    if (predicate === undefined || others.length > 0) return undefined;
    const places = predicatePlaces(workspace, document, name);
    const fit = places?.atoms.every(({ atom, clause, role }) => {
        if (clause.kind === 'rule' && clause.body.kind !== 'items') return false;
        const count = atom.arguments.length;
        return role === 'fact' || role === 'head' ? count === predicate.arity : count <= predicate.arity;
    });
    return places !== undefined && fit === true ? { predicate, places } : undefined;
}

/** No rule needs the column, and rules that have it or leave it give the same otherwise. */
function isNotNeeded({ atoms, documents }: PredicatePlaces, { aggregatedColumns }: Predicate, column: number): boolean {
    if (aggregatedColumns.length > 0 || documents.some(({ analysed }) => dependsOnCutting(analysed))) return false;
    return atoms.every(place => leavesColumn(place, column));
}

function leavesColumn(place: AtomPlace, column: number): boolean {
    const term = place.atom.arguments[column];
    switch (place.role) {
        case 'fact':
            return true;
        case 'head':
            return hasPlainRule(place) && keepsFrontier(place, column);
        case 'negated':
        case 'positive':
            if (place.role === 'positive' && !hasPlainRule(place)) return false;
            return term === undefined || term.kind === 'anonymous' || (term.kind === 'variable' && isOnly(place, term.name));
    }
}

function hasPlainRule(place: AtomPlace): boolean {
    const rule = ruleOf(place);
    return rule !== undefined && isPlain(rule.rule) && !contributes(place.document.analysed, rule);
}

function ruleOf({ document, clause }: AtomPlace): AnalysedRule | undefined {
    return document.analysed.rules.find(({ rule }) => isSame(rule, clause));
}

function isSame(a: Clause, b: Clause): boolean {
    return a === b;
}

/** The nulls that the rule creates belong to the bound variables of its head (D-27): none of them goes. */
function keepsFrontier(place: AtomPlace, column: number): boolean {
    const rule = ruleOf(place);
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
