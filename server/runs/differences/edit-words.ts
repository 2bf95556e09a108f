import type { FactRow } from '#engine/explain/match-rule.ts';
import { originOf, sourcePlace } from '#engine/explain/origin.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import { countText } from '#language/program/count-text.ts';
import { printClause } from '#language/program/print.ts';
import type { Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { LoadedProgram } from '../load-program.ts';
import { originText } from '../origin-text.ts';
import type { RunEdit } from '../run-difference.ts';
import { type Edit, type Side, type Sides, valuesIn } from './edits.ts';

/** A sentence about an edit, the text of the fact, rule or value that it is about, and where that stands. */
export interface EditWords {
    readonly kind: 'added' | 'removed' | 'changed' | 'parameter';
    readonly words: string;
    readonly text: string;
    readonly place?: string;
}

type Texts = Pick<LoadedProgram, 'texts'>;

/** Says what an edit does. */
export function editWords(edit: Edit, { before, after }: Sides, old: Texts, now: Texts): EditWords {
    if (edit.kind === 'run') return clauseWords(edit.edit, old, now);
    const [added, removed] = [edit.added[0], edit.removed[0]];
    const count = edit.added.length + edit.removed.length;
    if (count > 1) {
        const text = say`${countText(edit.added.length)} rows added, ${countText(edit.removed.length)} removed`;
        const place = sourceOf(added === undefined ? before : after, added ?? removed);
        return { kind: 'changed', words: say`${place} changed: ${text}`, text, place };
    }
    if (added !== undefined) {
        const [text, place] = [rowText(after, added), sourceOf(after, added)];
        return { kind: 'added', words: say`${place} adds ${text}`, text, place };
    }
    const [text, place] = [removed === undefined ? '' : rowText(before, removed), sourceOf(before, removed)];
    return { kind: 'removed', words: say`${place} had ${text}`, text, place };
}

function clauseWords({ change, clauses }: RunEdit, old: Texts, now: Texts): EditWords {
    if (change.kind === 'parameter') {
        const { name, before = '–', after = '–' } = change;
        return { kind: 'parameter', words: say`${name} is ${after} and was ${before}`, text: `${name} = ${after}` };
    }
    const [edit, ...more] = clauses;
    if (edit === undefined) return { kind: 'changed', words: '', text: '' };
    const place = 'after' in edit ? placeOf(edit.after, now) : placeOf(edit.before, old);
    const text = textOf('after' in edit ? edit.after : edit.before);
    if (more.length > 0)
        return { kind: 'changed', words: say`${place} and ${countText(more.length)} other clauses like ${text}`, text, place };
    switch (edit.kind) {
        case 'added':
            return { kind: 'added', words: say`${place} adds ${text}`, text, place };
        case 'removed':
            return { kind: 'removed', words: say`${place} had ${text}`, text, place };
        case 'changed':
            return { kind: 'changed', words: say`${place} has ${text}, which was ${textOf(edit.before)}`, text, place };
    }
}

function textOf(clause: Clause): string {
    return printClause(clause).replace(/\.$/u, '');
}

function placeOf({ place, span }: Clause, texts: Texts): string {
    return originText({ kind: 'clause', place, span }, texts);
}

function rowText({ database }: Side, { predicate, row }: FactRow): string {
    const [described, rows] = [database.program.predicates.get(predicate), database.relation(predicate)];
    if (described === undefined || rows === undefined) return '';
    return factText(database.dictionary, described, valuesIn(rows, row), nullLabels(database.dictionary));
}

/** `owns.csv:17`. */
function sourceOf({ database }: Side, fact: FactRow | undefined): string {
    const [described, rows] =
        fact === undefined ? [] : [database.program.predicates.get(fact.predicate), database.relation(fact.predicate)];
    const origin = described && rows && fact && originOf(described, rows, fact.row);
    return origin?.kind === 'source' ? sourcePlace(origin) : (described?.name ?? '');
}
