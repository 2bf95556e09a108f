import { textOf } from '#language/analysis/annotation-arguments.ts';
import type { Clause } from '#language/program/program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { type OpenDocument, rangeOf, type TextRange } from './open-document.ts';

export interface OutlineItem {
    readonly name: string;
    readonly detail: string;
    readonly kind: 'predicate' | 'facts' | 'rule' | 'constraint' | 'annotation';
    /** All of it. */
    readonly range: TextRange;
    /** What to select, inside the range. */
    readonly selection: TextRange;
    readonly children: readonly OutlineItem[];
}

/** The clauses in text order; neighbours with the same head predicate are one item, with its rules below it. */
export function outline(document: OpenDocument): readonly OutlineItem[] {
    const items: OutlineItem[] = [];
    const { clauses } = document.analysed.program;
    for (let start = 0; start < clauses.length; ) {
        const first = clauses[start];
        if (first === undefined) break;
        const head = headOf(first);
        let end = start + 1;
        if (head !== undefined) while (sameHead(headOf(clauses[end]), head)) end++;
        items.push(...(head === undefined ? leaves(document, first) : [group(document, clauses.slice(start, end), head)]));
        start = end;
    }
    return items;
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
    const counted = `${clauses.length} ${kind === 'facts' ? 'fact' : 'rule'}${clauses.length === 1 ? '' : 's'}`;
    const children = kind === 'facts' || clauses.length === 1 ? [] : clauses.map(clause => rule(document, clause));
    return { name: `${name}/${arity}`, detail: counted, kind, range, selection, children };
}

function rule(document: OpenDocument, clause: Clause): OutlineItem {
    const range = rangeOf(clause);
    return { name: shortened(clauseText(document, clause)), detail: '', kind: 'rule', range, selection: range, children: [] };
}

/** Constraints, equality rules, annotations; a clause that cannot be read is left out. */
function leaves(document: OpenDocument, clause: Clause): OutlineItem[] {
    if (clause.kind === 'rule') return [{ ...rule(document, clause), kind: 'constraint' }];
    if (clause.kind !== 'annotation') return [];
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
    return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
