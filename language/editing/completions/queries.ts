import type { Completion } from '../completion.ts';
import { plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import type { OpenDocument } from '../open-document.ts';
import { predicatesByName } from '../predicates-named.ts';
import { predicateSignature } from '../signatures.ts';

/** Names of predicates and of their columns, for the tables and columns of an embedded query. */
export function* queryCompletions({ analysed, text }: OpenDocument, offset: number, context: CompletionContext): Iterable<Completion> {
    const query = text.slice(context.start, Math.max(offset, text.indexOf('.\n', offset)));
    const words = new Set(query.match(/[A-Za-z_]\w*/g) ?? []);
    const seen = new Set<string>();
    for (const [name, arities] of predicatesByName(analysed)) {
        const [predicate] = arities;
        if (predicate === undefined) continue;
        yield { label: name, kind: 'predicate', insert: plain(name), rank: 2, detail: predicateSignature(predicate).label };
        if (!words.has(name) || name === context.prefix) continue;
        for (const column of predicate.columns) {
            if (seen.has(column.name)) continue;
            seen.add(column.name);
            yield { label: column.name, kind: 'column', insert: plain(column.name), rank: 1, detail: `column of ${name}` };
        }
    }
}
