import { textOf } from '#language/analysis/annotation-arguments.ts';
import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import { namesPredicate } from '#language/library/annotation-catalogue.ts';
import { counted } from '#language/program/count-text.ts';
import { cutText } from '#language/program/cut-text.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';

export interface OutlineItem {
    readonly name: string;
    readonly detail: string;
    readonly kind: 'predicate' | 'facts' | 'rule' | 'constraint' | 'annotation';
    /** All of it. */
    readonly range: TextRange;
    /** The range to select, inside `range`. */
    readonly selection: TextRange;
    readonly children: readonly OutlineItem[];
}

/**
 * The predicates in text order, with the annotations about each below it, and then what else there is to say. Neighbours with
 * the same head predicate are one item, with its rules below it.
 */
export function outline(document: OpenDocument): readonly OutlineItem[] {
    const items: OutlineItem[] = [];
    const annotations: OutlineItem[] = [];
    const { clauses } = document.analysed.program;
    for (let start = 0; start < clauses.length; ) {
        const first = clauses[start];
        if (first === undefined) break;
        const head = headOf(first);
        let end = start + 1;
        if (head !== undefined) while (sameHead(headOf(clauses[end]), head)) end++;
        if (head !== undefined) items.push(group(document, clauses.slice(start, end), head));
        else if (first.kind === 'annotation') annotations.push(...annotationItems(first));
        else if (first.kind === 'rule') items.push({ ...rule(document, first), kind: 'constraint' });
        start = end;
    }
    return withAnnotations(items, annotations);
}

/** An annotation stands below the first item of its predicate; predicates that have nothing else come behind the others. */
function withAnnotations(items: readonly OutlineItem[], annotations: readonly OutlineItem[]): readonly OutlineItem[] {
    const owned = new Map<string, OutlineItem[]>();
    const others = annotations.filter(item => {
        if (!isAboutPredicate(item)) return true;
        const name = predicateOf(item);
        owned.set(name, [...(owned.get(name) ?? []), item]);
        return false;
    });
    const named = items.map(item => {
        const name = item.name.slice(0, Math.max(0, item.name.lastIndexOf('/')));
        const own = item.kind === 'predicate' || item.kind === 'facts' ? (owned.get(name) ?? []) : [];
        owned.delete(name);
        return own.length === 0 ? item : { ...item, children: [...item.children, ...own] };
    });
    const alone = [...owned].flatMap(([name, [first, ...more]]): OutlineItem[] =>
        first === undefined ? [] : [{ ...first, name, detail: '', kind: 'predicate', children: [first, ...more] }],
    );
    return [...named, ...alone, ...others];
}

function isAboutPredicate({ name, detail }: OutlineItem): boolean {
    return detail !== '' && namesPredicate(name.slice(1));
}

/** A model may say which model it extends: `(parent)name`. */
function predicateOf({ detail }: OutlineItem): string {
    return /^\s*(?:\([^()]*\))?([^()]*)/.exec(detail)?.[1]?.trim() ?? detail;
}

interface HeadName {
    readonly name: string;
    readonly arity: number;
    readonly kind: 'facts' | 'predicate';
    readonly selection: TextRange;
}

function headOf(clause: Clause | undefined): HeadName | undefined {
    if (clause === undefined) return undefined;
    const atom =
        clause.kind === 'fact' ? clause.atom : clause.kind === 'rule' && clause.head.kind === 'atoms' ? clause.head.atoms[0] : undefined;
    if (atom === undefined) return undefined;
    const selection = rangeOf({ place: clause.place, span: atom.nameSpan });
    return { name: atom.predicate, arity: atom.arguments.length, kind: clause.kind === 'fact' ? 'facts' : 'predicate', selection };
}

function sameHead(a: HeadName | undefined, b: HeadName): boolean {
    return a !== undefined && a.name === b.name && a.arity === b.arity && a.kind === b.kind;
}

function group(document: OpenDocument, clauses: readonly Clause[], { name, arity, kind, selection }: HeadName): OutlineItem {
    const first = clauses[0];
    const last = clauses.at(-1);
    const range = { start: first === undefined ? 0 : rangeOf(first).start, end: last === undefined ? 0 : rangeOf(last).end };
    const detail = kind === 'facts' ? counted(clauses.length, 'fact') : counted(clauses.length, 'rule');
    const children = kind === 'facts' || clauses.length === 1 ? [] : clauses.map(clause => rule(document, clause));
    return { name: `${name}/${arity}`, detail, kind, range, selection, children };
}

function rule(document: OpenDocument, clause: Clause): OutlineItem {
    const range = rangeOf(clause);
    return { name: shortened(clauseText(document, clause)), detail: '', kind: 'rule', range, selection: range, children: [] };
}

function annotationItems(clause: Clause): OutlineItem[] {
    return clause.annotations.map(annotation => ({
        name: `@${annotation.name}`,
        detail: textOf(annotation.arguments[0]) ?? '',
        kind: 'annotation',
        range: rangeOf({ place: clause.place, span: annotation.span }),
        selection: rangeOf({ place: clause.place, span: annotation.nameSpan }),
        children: [],
    }));
}

const LONGEST = 80;

function shortened(text: string): string {
    const line = text.slice(0, 4 * LONGEST).replace(/\s+/g, ' ');
    return cutText(line, LONGEST);
}
