import { printClause, printExpression } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { comparePlaces } from '#language/program/span.ts';

/** A clause that one of two programs has and the other has not, or has otherwise. */
export type ClauseEdit =
    | { readonly kind: 'added'; readonly after: Clause }
    | { readonly kind: 'removed'; readonly before: Clause }
    | { readonly kind: 'changed'; readonly before: Clause; readonly after: Clause };

/** Most pairs of clauses to compare in search of changed ones. Beyond that, all count as added and removed. */
const MOST_PAIRS = 40_000;
/** How much of what two clauses say has to be the same. */
const ALIKE = 0.4;

/**
 * Computes the edits that turn the clauses of one program into those of another, in text order. Clauses are compared as they print: order,
 * layout and comments do not count. A clause counts as changed if a similar one about the same subject takes its place.
 */
export function clauseDifference(before: readonly Clause[], after: readonly Clause[]): ClauseEdit[] {
    const [gone, come] = [without(before, after), without(after, before)];
    const groups = bySubject(come);
    const changed = new Map<Clause, Clause>();
    for (const [subject, own] of bySubject(gone)) pair(own, groups.get(subject) ?? [], changed);
    const taken = new Set(changed.values());
    const edits: ClauseEdit[] = [
        ...gone.map((clause): ClauseEdit => {
            const now = changed.get(clause);
            return now === undefined ? { kind: 'removed', before: clause } : { kind: 'changed', before: clause, after: now };
        }),
        ...come.filter(clause => !taken.has(clause)).map((clause): ClauseEdit => ({ kind: 'added', after: clause })),
    ];
    return edits.sort((left, right) => comparePlaces(placeOf(left), placeOf(right)));
}

/** Returns the subject of a clause: the predicate of its head, `=` or `#F` for other heads, or its annotation with the first argument. */
export function subjectOf(clause: Clause): string {
    switch (clause.kind) {
        case 'fact':
            return clause.atom.predicate;
        case 'rule':
            return clause.head.kind === 'atoms' ? (clause.head.atoms[0]?.predicate ?? '') : clause.head.kind === 'equality' ? '=' : '#F';
        case 'annotation': {
            const [annotation] = clause.annotations;
            const [named] = annotation?.arguments ?? [];
            const name = named === undefined ? '' : named.kind === 'name' ? named.name : printExpression(named);
            return `@${annotation?.name ?? ''}(${name})`;
        }
        case 'broken':
            return '';
    }
}

function bySubject(clauses: readonly Clause[]): Map<string, Clause[]> {
    const groups = new Map<string, Clause[]>();
    for (const clause of clauses) {
        const subject = subjectOf(clause);
        const group = groups.get(subject);
        if (group === undefined) groups.set(subject, [clause]);
        else group.push(clause);
    }
    return groups;
}

/** The clauses that others have not, each as often as it is too much. */
function without(clauses: readonly Clause[], others: readonly Clause[]): Clause[] {
    const left = new Map<string, number>();
    for (const clause of others) {
        const text = printClause(clause);
        left.set(text, (left.get(text) ?? 0) + 1);
    }
    return clauses.filter(clause => {
        const text = printClause(clause);
        const count = left.get(text) ?? 0;
        if (count > 0) left.set(text, count - 1);
        return text !== '' && count === 0;
    });
}

/** Pairs clauses about one subject, those that are most alike first. */
function pair(gone: readonly Clause[], come: readonly Clause[], changed: Map<Clause, Clause>): void {
    if (gone.length * come.length > MOST_PAIRS) return;
    const [old, now] = [gone, come].map(clauses => clauses.map(clause => wordsOf(printClause(clause)))) as [Words[], Words[]];
    const pairs = old.flatMap((words, from) => now.map((others, to) => ({ from, to, alike: likeness(words, others) })));
    pairs.sort((left, right) => right.alike - left.alike);
    const taken = new Set<number>();
    for (const { from, to, alike } of pairs) {
        const [was, is] = [gone[from], come[to]];
        if (alike < ALIKE || was === undefined || is === undefined || changed.has(was) || taken.has(to)) continue;
        changed.set(was, is);
        taken.add(to);
    }
}

type Words = ReadonlyMap<string, number>;

function wordsOf(text: string): Words {
    const words = new Map<string, number>();
    for (const word of text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []) words.set(word, (words.get(word) ?? 0) + 1);
    return words;
}

/** Between 0 and 1: twice what both have, by what there is (Dice). */
function likeness(left: Words, right: Words): number {
    let [common, all] = [0, 0];
    for (const [word, count] of left) {
        common += Math.min(count, right.get(word) ?? 0);
        all += count;
    }
    for (const count of right.values()) all += count;
    return all === 0 ? 0 : (2 * common) / all;
}

function placeOf(edit: ClauseEdit) {
    return edit.kind === 'removed' ? edit.before.place : edit.after.place;
}
