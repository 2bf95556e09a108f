import type { OpenDocument } from '#language/document/open-document.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import { type Completion, plain } from '../completion.ts';
import type { OpenCall } from '../completion-context.ts';
import { predicateMeant } from '../predicates-named.ts';

/** Facts that are looked at, and values that are offered. */
const LOOKED_AT = 5000;
const OFFERED = 100;

/** The texts that facts, and the file of the predicate, have in the column of a term, inside its quotes. */
export function* valueCompletions({ analysed }: OpenDocument, { name, index }: OpenCall): Iterable<Completion> {
    const predicate = predicateMeant(analysed, name, index + 1);
    const column = predicate?.columns[index];
    const values = new Map<string, string>();
    for (const { atom } of predicate?.facts.slice(0, LOOKED_AT) ?? []) {
        const term = atom.arguments[index];
        if (term?.kind === 'string') values.set(term.value, say`in facts of ${name}`);
        if (values.size === OFFERED) break;
    }
    const isRead = column?.cast !== true || column.type.kind === 'string';
    for (const value of (isRead && column?.examples) || []) {
        if (values.size < OFFERED && !values.has(value)) values.set(value, say`in the file of ${name}`);
    }
    for (const [value, detail] of values) {
        yield { label: value, kind: 'value', insert: plain(printString(value).slice(1, -1)), rank: 1, detail };
    }
}
