import type { OpenDocument } from '#language/document/open-document.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import type { Completion } from '../completion.ts';
import { callInsertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';

export function keyword(label: string, rank: number): Completion {
    return { label, kind: 'keyword', insert: plain(label === 'not' || label === 'in' ? `${label} ` : label), rank };
}

/** `?name` or `${name}`, as it was begun. */
export function* parameterCompletions({ analysed, text }: OpenDocument, { prefix, range }: CompletionContext): Iterable<Completion> {
    const braced = prefix.startsWith('$');
    const closed = text.charAt(range.end) === '}';
    for (const { name } of analysed.parameters.values()) {
        const label = braced ? `\${${name}}` : `?${name}`;
        yield { label, kind: 'parameter', insert: plain(braced && closed ? label.slice(0, -1) : label), rank: 3 };
    }
}

/** Completions behind `#`: the truth values, and relation functions if they can be the whole body. */
export function* hashCompletions({ text }: OpenDocument, { range }: CompletionContext, wholeBody: boolean): Iterable<Completion> {
    const called = text.charAt(range.end) === '(';
    if (wholeBody) {
        for (const { name, columns, documentation } of RELATION_FUNCTIONS) {
            const insert = called ? plain(`#${name}`) : callInsertion(`#${name}`, ['relation']);
            yield { label: `#${name}`, kind: 'relation-function', insert, rank: 1, detail: `→ ${columns}`, documentation };
        }
    }
    yield keyword('#T', 2);
    yield keyword('#F', 2);
}
