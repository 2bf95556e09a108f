import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedRule } from '#language/program/analysed-program.ts';
import { isKnownConstant } from '#language/program/constants.ts';
import type { Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { clauseRemoval, inDocument } from '../quick-fixes/fix.ts';
import { type AtomPlace, type PredicatePlaces, predicatePlaces } from './predicate-places.ts';
import { inFile, lineBreakOf, type Refactoring, type RefactoringRequest, selectedNode } from './refactoring.ts';
import { bodyItems, contributes, createsNulls, dependsOnCutting, isPlain, ruleOf, termVariables } from './rule-parts.ts';
import { substituted, variableBeside } from './substitution.ts';

/** A use of a predicate is replaced by the bodies of its rules; or all uses are, and the rules go. */
export function* inlinePredicate(request: RefactoringRequest): Iterable<Refactoring> {
    const { document, workspace, clause } = request;
    const node = selectedNode(request);
    if (node?.mention.kind !== 'predicate' || dependsOnCutting(request.programs)) return;
    const { name, role, span } = node.mention;
    if (role !== 'item' && role !== 'head') return;
    const places = predicatePlaces(workspace, document, name);
    const rules = places && inlinableRules(document, name, places);
    if (places === undefined || rules === undefined) return;
    const uses = places.atoms.filter(place => place.role !== 'head');
    const here = uses.find(place => place.clause === clause && place.atom.nameSpan.start === span.start);
    const edit = here && inlined(request, here, rules);
    if (edit !== undefined) yield inFile(document, { kind: 'inline', title: say`Inline '${name}' here` }, [edit]);
    const everywhere = places.annotations.length > 0 ? undefined : inlinedEverywhere(request, uses, rules);
    if (everywhere !== undefined) {
        yield inFile(document, { kind: 'inline', title: say`Inline '${name}' everywhere and remove its rules` }, everywhere);
    }
}

/** The rules of a predicate that nothing but plain rules of this document defines, and that does not depend on itself. */
function inlinableRules(
    document: OpenDocument,
    name: string,
    { atoms, annotations }: PredicatePlaces,
): readonly AnalysedRule[] | undefined {
    const { analysed } = document;
    const [predicate, ...others] = analysed.predicatesNamed(name);
    if (predicate === undefined || others.length > 0 || annotations.some(({ annotation }) => annotation.name !== 'output'))
        return undefined;
    if (analysed.strata.some(({ recursive, predicates }) => recursive && predicates.includes(predicate.key))) return undefined;
    const definitions = atoms.filter(({ role }) => role === 'head' || role === 'fact');
    const rules = predicate.rules.flatMap(index => analysed.rules[index] ?? []);
    const plain = rules.every(rule => rule.heads.length === 1 && isPlain(rule.rule) && !createsNulls(rule));
    const own = definitions.every(place => place.role === 'head' && place.document === document);
    return plain && own && rules.length > 0 && rules.length === definitions.length ? rules : undefined;
}

function inlinedEverywhere(
    request: RefactoringRequest,
    uses: readonly AtomPlace[],
    rules: readonly AnalysedRule[],
): TextEdit[] | undefined {
    if (uses.length === 0 || new Set(uses.map(({ clause }) => clause)).size !== uses.length) return undefined;
    if (rules.some(({ rule }) => rule.annotations.length > 0 || rule.documentation !== undefined)) return undefined;
    const edits: TextEdit[] = [];
    for (const use of uses) {
        const edit = inlined(request, use, rules);
        if (edit === undefined) return undefined;
        edits.push(edit);
    }
    return [...edits, ...rules.map(({ rule }) => clauseRemoval(request.document, rule))];
}

/** The clause of a use once for each rule of the predicate. */
function inlined({ document, programs }: RefactoringRequest, use: AtomPlace, rules: readonly AnalysedRule[]): TextEdit | undefined {
    const user = ruleOf(document.analysed, use.clause);
    if (user === undefined || use.document !== document || use.role !== 'positive' || user.rule.head.kind === 'equality') return undefined;
    if (!isPlain(user.rule) || contributes(programs, user) || (rules.length > 1 && createsNulls(user))) return undefined;
    const text = clauseText(document, user.rule);
    const items = bodyItems(user, tokenize(text)) ?? [];
    const place = items.find(({ item }) => item.kind === 'atom' && item.atom === use.atom)?.span;
    const given = termVariables(use.atom);
    if (place === undefined || items.some(({ equates }) => equates !== undefined && given.includes(equates))) return undefined;
    const taken = new Set([...items.flatMap(({ variables }) => [...variables]), ...user.heads.flatMap(({ atom }) => termVariables(atom))]);
    const terms = use.atom.arguments.map(term => ({ term, text: text.slice(term.span.start, term.span.end) }));
    const bodies: string[] = [];
    for (const rule of rules) {
        const body = bodyFor(document, rule, terms, taken);
        if (body === undefined) return undefined;
        bodies.push(body);
    }
    const { start } = bodies.length === 1 ? place : user.rule.head.span;
    const end = bodies.length === 1 ? place.end : text.length;
    const copies = bodies.map(body => text.slice(start, place.start) + body + text.slice(place.end, end));
    return inDocument(user.rule, { start, end, text: copies.join(lineBreakOf(document.text)) });
}

interface Term {
    readonly term: Expression;
    readonly text: string;
}

/**
 * The body of a rule whose head is to have the given terms. The variables of its head become these terms, other variables are
 * renamed apart, and a term that meets anything else is compared with it: joins compare as `=` does.
 */
function bodyFor(document: OpenDocument, analysed: AnalysedRule, given: readonly Term[], taken: ReadonlySet<string>): string | undefined {
    const text = clauseText(document, analysed.rule);
    const items = bodyItems(analysed, tokenize(text)) ?? [];
    const [head, first, last] = [analysed.heads[0], items[0], items.at(-1)];
    if (head === undefined || first === undefined || last === undefined) return undefined;
    const replaced = new Map<string, string>();
    const compared: { readonly given: Term; readonly with: Term }[] = [];
    for (const [index, term] of head.atom.arguments.entries()) {
        const value = given[index];
        if (value === undefined || value.term.kind === 'anonymous') continue;
        if (!isSimple(value)) return undefined;
        if (term.kind === 'variable' && !replaced.has(term.name)) replaced.set(term.name, value.text);
        else compared.push({ given: value, with: { term, text: text.slice(term.span.start, term.span.end) } });
    }
    const own = new Set([...items.flatMap(({ variables }) => [...variables]), ...termVariables(head.atom)]);
    const names = new Set([...taken, ...own]);
    for (const name of own) {
        if (replaced.has(name)) continue;
        const apart = taken.has(name) ? variableBeside(names, name) : name;
        names.add(apart);
        replaced.set(name, apart);
    }
    if (items.some(({ equates }) => equates !== undefined && !isVariable(replaced.get(equates)))) return undefined;
    const conditions: string[] = [];
    for (const { given: value, with: other } of compared) {
        const right = substituted(other.text, replaced);
        if (right === value.text) continue;
        if (isKnownConstant(value.term) && isKnownConstant(other.term)) return undefined;
        conditions.push(value.term.kind === 'variable' ? `${value.text} = ${right}` : `${value.text} == ${right}`);
    }
    return [substituted(text.slice(first.span.start, last.span.end), replaced), ...conditions].join(', ');
}

/** It may stand wherever a variable may, but for the left side of `V = e`. */
function isSimple({ term, text }: Term): boolean {
    return term.kind === 'variable' || term.kind === 'parameter' || (isKnownConstant(term) && !text.startsWith('-'));
}

function isVariable(text: string | undefined): boolean {
    return text !== undefined && /^[A-Z]/.test(text);
}
