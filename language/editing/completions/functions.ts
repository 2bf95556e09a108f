import type { OpenDocument } from '#language/document/open-document.ts';
import { type ComparisonClass, comparisonClass } from '#language/library/comparison-class.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import type { FunctionEntry } from '#language/library/function-entry.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { translated } from '#language/program/say.ts';
import { type Completion, callInsertion, plain } from '../completion.ts';
import type { CompletionContext } from '../completion-context.ts';
import { aggregateSignature, functionSignature } from '../signatures.ts';

/** The functions that may be a condition by themselves. */
export function* conditionCompletions(document: OpenDocument, context: CompletionContext): Iterable<Completion> {
    yield* functionCompletions(document, context, 'boolean', ({ result }) => typeof result !== 'function' && result.kind === 'boolean');
}

/** Every function by its own name, and by the prefixes that the program declares; those later whose result is of another class. */
export function* functionCompletions(
    document: OpenDocument,
    { range }: CompletionContext,
    wanted?: ComparisonClass,
    isOffered: (entry: FunctionEntry) => boolean = () => true,
): Iterable<Completion> {
    const called = document.text.charAt(range.end) === '(';
    const prefixes = document.analysed.libraryPrefixes ?? new Map<string, string>();
    for (const entry of FUNCTIONS) {
        if (!isOffered(entry)) continue;
        const result = typeof entry.result === 'function' ? undefined : comparisonClass(entry.result);
        const later = wanted !== undefined && result !== undefined && result !== wanted ? 3 : 0;
        yield functionCompletion(entry, entry.name, called, later);
        const colon = entry.name.indexOf(':');
        for (const [prefix, library] of prefixes) {
            if (colon >= 0 && library === entry.name.slice(0, colon)) {
                yield functionCompletion(entry, `${prefix}:${entry.name.slice(colon + 1)}`, called, later);
            }
        }
    }
}

function functionCompletion(entry: FunctionEntry, name: string, called: boolean, later: number): Completion {
    const needed = entry.parameters.filter(({ optional }) => !optional).map(parameter => parameter.name);
    return {
        label: name,
        kind: 'function',
        insert: called ? plain(name) : callInsertion(name, needed),
        rank: (entry.name.includes(':') ? 5 : 4) + later,
        detail: functionSignature(entry, name).label,
        documentation: translated(entry.documentation),
    };
}

export function* aggregateCompletions({ prefix }: CompletionContext): Iterable<Completion> {
    for (const entry of Object.values(AGGREGATES)) {
        yield {
            label: entry.name,
            kind: 'aggregate',
            insert: callInsertion(entry.name, entry.least === 0 ? [] : ['Value']),
            rank: prefix === '' ? 3 : 1,
            detail: aggregateSignature(entry).label,
            documentation: translated(entry.documentation),
        };
    }
}
