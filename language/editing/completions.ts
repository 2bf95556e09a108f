import type { Candidate, Completion, Completions } from './completion.ts';
import { type CompletionContext, completionContext } from './completion-context.ts';
import { argumentCompletions, textCompletions } from './completions/annotation-texts.ts';
import { annotationCompletions } from './completions/annotations.ts';
import { aggregateCompletions, functionCompletions } from './completions/functions.ts';
import { atomCompletions, headCompletions, inputCompletions } from './completions/predicates.ts';
import { queryCompletions } from './completions/queries.ts';
import { termCompletions, variableCompletions } from './completions/variables.ts';
import { hashCompletions, keyword, parameterCompletions } from './completions/words.ts';
import { fitOf } from './fuzzy-fit.ts';
import type { OpenDocument, TextRange } from './open-document.ts';

/** Names the files that a path can go on to: those whose path begins with the prefix. A folder ends with `/`. */
export type ListFiles = (prefix: string) => readonly string[];

export interface CompletionOptions {
    readonly listFiles?: ListFiles;
    /** The greatest number of items. */
    readonly limit: number;
}

/** What may be written at the offset, whatever the state of the clause around it. */
export function completions(document: OpenDocument, offset: number, options: CompletionOptions): Completions | undefined {
    const context = completionContext(document, offset);
    if (context === undefined) return undefined;
    const { items, range, prefix } = itemsFor(document, offset, context, options);
    const fitting: { readonly item: Completion | Candidate; readonly rank: number }[] = [];
    for (const item of items) {
        const fit = fitOf(prefix, item.label);
        if (fit !== undefined) fitting.push({ item, rank: fit * 10 + item.rank });
    }
    fitting.sort((a, b) => a.rank - b.rank || (a.item.label < b.item.label ? -1 : a.item.label > b.item.label ? 1 : 0));
    const shown = fitting.slice(0, options.limit).map(({ item }) => ('build' in item ? item.build() : item));
    return { range, items: shown, incomplete: fitting.length > options.limit };
}

interface Found {
    readonly items: readonly (Completion | Candidate)[];
    readonly range: TextRange;
    readonly prefix: string;
}

function itemsFor(document: OpenDocument, offset: number, context: CompletionContext, options: CompletionOptions): Found {
    const { place, range, prefix } = context;
    const found = (...items: readonly Iterable<Completion | Candidate>[]): Found => ({
        items: items.flatMap(part => [...part]),
        range,
        prefix,
    });
    switch (place.kind) {
        case 'head':
            return found(headCompletions(document, context), prefix === '' ? annotationCompletions(document, context) : []);
        case 'item':
            return found(
                atomCompletions(document, context),
                functionCompletions(document, context),
                place.negated ? [] : later(variableCompletions(document, offset, context)),
                place.negated ? [] : [keyword('not', 1)],
                place.negated ? [] : [keyword('dom(*)', 6)],
            );
        case 'operand':
            return found(
                variableCompletions(document, offset, context),
                place.assigned ? aggregateCompletions(context) : [],
                functionCompletions(document, context),
                parameterCompletions(document, context),
                [keyword('null', 6), keyword('#T', 6), keyword('#F', 6)],
            );
        case 'term':
            return found(
                termCompletions(document, offset, context, place.call),
                variableCompletions(document, offset, context),
                parameterCompletions(document, context),
                [keyword('null', 6), keyword('#T', 6), keyword('#F', 6)],
            );
        case 'after-operand':
            return found([keyword('in', 1)]);
        case 'annotation-name':
            return found(annotationCompletions(document, context));
        case 'argument':
            return found(argumentCompletions(document, context, place));
        case 'text':
            return textCompletions(document, offset, context, place, options.listFiles ?? NO_FILES);
        case 'query':
            return found(queryCompletions(document, offset, context));
        case 'relation-input':
            return found(inputCompletions(document, context));
        case 'parameter':
            return found(parameterCompletions(document, context));
        case 'hash':
            return found(hashCompletions(document, context, place.wholeBody));
    }
}

/** Items mostly begin with predicates. */
function later(items: Iterable<Completion>): Completion[] {
    return [...items].map(item => ({ ...item, rank: item.rank + 3 }));
}

const NO_FILES: ListFiles = () => [];
