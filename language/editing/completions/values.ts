import type { OpenDocument } from '#language/document/open-document.ts';
import { printString } from '#language/program/print-constant.ts';
import { say } from '#language/program/say.ts';
import { type Completion, plain } from '../completion.ts';
import type { OpenCall } from '../completion-context.ts';
import type { TextsOf } from '../completion-options.ts';
import { predicateMeant } from '../predicates-named.ts';

/** Facts that are looked at, and values that are offered. */
const LOOKED_AT = 5000;
const OFFERED = 100;

/** Texts to offer. `isPending` if the last run has not answered yet. */
interface FoundValues {
    readonly items: readonly Completion[];
    readonly isPending: boolean;
}

/**
 * The texts that the last run, facts and the file of the predicate have in the column of a term, inside its quotes. Those of the run come
 * first, the most frequent before others.
 */
export function valueCompletions(
    { analysed }: OpenDocument,
    { name, index }: OpenCall,
    begun: string,
    textsOf: TextsOf = () => [],
): FoundValues {
    const predicate = predicateMeant(analysed, name, index + 1);
    if (predicate === undefined) return { items: [], isPending: false };
    const column = predicate.columns[index];
    const ran = textsOf(predicate.key, index, begun);
    const values = new Map<string, string>();
    const add = (value: string, detail: string): void => {
        if (values.size < OFFERED && !values.has(value)) values.set(value, detail);
    };
    for (const value of ran ?? []) add(value, say`in the last run`);
    const often = values.size;
    for (const { atom } of predicate.facts.slice(0, LOOKED_AT)) {
        const term = atom.arguments[index];
        if (term?.kind === 'string') add(term.value, say`in facts of ${name}`);
    }
    const isRead = column?.cast !== true || column.type.kind === 'string';
    for (const value of (isRead && column?.examples) || []) add(value, say`in the file of ${name}`);
    const items = Array.from(values, ([value, detail], at): Completion => {
        const rank = at < often ? at / OFFERED : 1;
        return { label: value, kind: 'value', insert: plain(printString(value).slice(1, -1)), rank, detail };
    });
    return { items, isPending: ran === undefined };
}
