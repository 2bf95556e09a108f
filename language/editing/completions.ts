import type { OpenDocument } from '#language/document/open-document.ts';
import type { Candidate, Completion, Completions } from './completion.ts';
import { type CompletionContext, completionContext } from './completion-context.ts';
import type { CompletionOptions, ListFiles, TablesOf } from './completion-options.ts';
import { argumentCompletions, textCompletions } from './completions/annotation-texts.ts';
import { annotationCompletions } from './completions/annotations.ts';
import type { FoundTexts } from './completions/found-texts.ts';
import { aggregateCompletions, conditionCompletions, functionCompletions } from './completions/functions.ts';
import { atomCompletions, headCompletions, inputCompletions } from './completions/predicates.ts';
import { predicateTables, queryCompletions } from './completions/queries.ts';
import { sourceQueryCompletions } from './completions/source-tables.ts';
import { valueCompletions } from './completions/values.ts';
import { callOfVariable, termCompletions, variableCompletions, wantedAt } from './completions/variables.ts';
import { hashCompletions, keyword, parameterCompletions } from './completions/words.ts';
import { fitOf } from './fuzzy-fit.ts';

/** Completions at the offset, whatever the state of the clause around it. */
export function completions(document: OpenDocument, offset: number, options: CompletionOptions): Completions | undefined {
    const context = completionContext(document, offset);
    if (context === undefined) return undefined;
    const { items, range, prefix, isPending = false } = itemsFor(document, offset, context, options);
    const best = new BestItems(options.limit);
    for (const item of items) {
        const fit = fitOf(prefix, item.label);
        if (fit !== undefined) best.add(item, fit * 10 + item.rank);
    }
    const shown = best.inOrder().map(({ item }) => ('build' in item ? item.build() : item));
    return { range, items: shown, incomplete: isPending || best.seen > options.limit };
}

interface Ranked {
    readonly item: Completion | Candidate;
    readonly rank: number;
}

function byRank(a: Ranked, b: Ranked): number {
    return comparedTo(b, a.item, a.rank);
}

/** Negative for an item that comes before another one. */
function comparedTo(other: Ranked, { label }: Completion | Candidate, rank: number): number {
    return rank - other.rank || (label < other.item.label ? -1 : label > other.item.label ? 1 : 0);
}

/** The first items of many in order; most of the others are never sorted. */
class BestItems {
    readonly #limit: number;
    #kept: Ranked[] = [];
    /** As many as are wanted come before it. */
    #bound: Ranked | undefined;
    seen = 0;

    constructor(limit: number) {
        this.#limit = limit;
    }

    add(item: Completion | Candidate, rank: number): void {
        this.seen++;
        if (this.#bound !== undefined && comparedTo(this.#bound, item, rank) >= 0) return;
        this.#kept.push({ item, rank });
        if (this.#kept.length < 2 * this.#limit) return;
        this.#kept = this.inOrder();
        this.#bound = this.#kept.at(-1);
    }

    inOrder(): Ranked[] {
        return this.#kept.sort(byRank).slice(0, this.#limit);
    }
}

function itemsFor(document: OpenDocument, offset: number, context: CompletionContext, options: CompletionOptions): FoundTexts {
    const { place, range, prefix } = context;
    const found = (...items: readonly Iterable<Completion | Candidate>[]): FoundTexts => ({ items: allOf(items), range, prefix });
    switch (place.kind) {
        case 'head':
            return found(headCompletions(document, context), prefix === '' ? annotationCompletions(document, context) : []);
        case 'item':
            return found(
                atomCompletions(document, offset, context),
                ...itemFunctions(document, context, place.sign),
                place.negated ? [] : later(variableCompletions(document, offset, context, {})),
                place.negated ? [] : [keyword('not', 1)],
                place.negated ? [] : [keyword('dom(*)', 6)],
            );
        case 'operand':
            return found(
                variableCompletions(document, offset, context, wantedAt(document, offset, context)),
                place.assigned ? aggregateCompletions(context) : [],
                functionCompletions(document, context, wantedAt(document, offset, context).class),
                parameterCompletions(document, context),
                [keyword('null', 6), keyword('#T', 6), keyword('#F', 6)],
            );
        case 'term':
            return found(
                termCompletions(document, offset, context, place.call),
                variableCompletions(document, offset, context, wantedAt(document, offset, context)),
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
            return textCompletions(document, offset, context, place, {
                listFiles: options.listFiles ?? NO_FILES,
                modules: options.modules ?? NO_MODULES,
                tablesOf: options.tablesOf ?? NO_TABLES,
                errors: options.errors ?? NO_ERRORS,
            });
        case 'value-text':
            return { ...valueCompletions(document, place.call, prefix, options.textsOf), range, prefix };
        case 'compared-text': {
            const call = callOfVariable(document, offset, context, place.variable);
            return call === undefined ? found() : { ...valueCompletions(document, call, prefix, options.textsOf), range, prefix };
        }
        case 'query':
            return found(queryCompletions(document, context, place, predicateTables(document)), parameterCompletions(document, context));
        case 'source-query':
            return sourceQueryCompletions(document, context, place, options.tablesOf ?? NO_TABLES);
        case 'relation-input':
            return found(inputCompletions(document, context));
        case 'parameter':
            return found(parameterCompletions(document, context));
        case 'hash':
            return found(hashCompletions(document, context, place.wholeBody));
    }
}

/** Behind `not` an atom is wanted; where nothing is typed yet, only functions that are a condition. */
function itemFunctions(document: OpenDocument, context: CompletionContext, sign: string | undefined): Iterable<Completion>[] {
    if (sign === 'not' || sign === '~') return [];
    return [context.prefix === '' || sign === '!' ? conditionCompletions(document, context) : functionCompletions(document, context)];
}

function* allOf<T>(parts: readonly Iterable<T>[]): Iterable<T> {
    for (const part of parts) yield* part;
}

/** Items mostly begin with predicates. */
function later(items: Iterable<Completion>): Completion[] {
    return [...items].map(item => ({ ...item, rank: item.rank + 3 }));
}

const NO_FILES: ListFiles = () => [];
const NO_TABLES: TablesOf = () => [];
const NO_ERRORS = (): readonly (readonly [string, string])[] => [];
const NO_MODULES = (): readonly string[] => [];
