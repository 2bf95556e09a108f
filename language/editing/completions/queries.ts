import type { OpenDocument } from '#language/document/open-document.ts';
import { say } from '#language/program/say.ts';
import { type Candidate, type Completion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import { nameCompletion } from './predicates.ts';

/** Names of predicates and of their columns, for the tables and columns of an embedded query. */
export function* queryCompletions(
    { analysed, text }: OpenDocument,
    offset: number,
    context: CompletionContext,
): Iterable<Completion | Candidate> {
    const query = text.slice(context.start, Math.max(offset, text.indexOf('.\n', offset)));
    const words = new Set(query.match(/[A-Za-z_]\w*/g) ?? []);
    const seen = new Set<string>();
    for (const { name } of analysed.predicateNames()) {
        yield nameCompletion(analysed, name, 2);
        if (!words.has(name) || name === context.prefix) continue;
        for (const column of analysed.predicatesNamed(name)[0]?.columns ?? []) {
            if (seen.has(column.name)) continue;
            seen.add(column.name);
            yield { label: column.name, kind: 'column', insert: plain(column.name), rank: 1, detail: say`column of ${name}` };
        }
    }
}
