import { basename, dirname, resolve } from 'node:path';
import { explainFact } from '#engine/explain/explain.ts';
import type { DerivationNode, FactNode, Origin, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationText } from '#engine/explain/explanation-text.ts';
import { factText } from '#engine/explain/fact-text.ts';
import type { Listing } from '#engine/results/listing.ts';
import type { ClausePlace, Span } from '#language/program/span.ts';
import type { ProcessPlace } from '#server/protocol/run-process.ts';
import type { ExplainedDerivation, ExplainedFact, Explanation, WireRange } from '#server/protocol/runs.ts';
import { withParameters } from '#server/sources/bind-parameters.ts';
import { positionAt } from '#server/terminal/source-texts.ts';
import type { FinishedRun, Results } from './evaluate-run.ts';
import { refuse } from './refusal.ts';

export interface Explanations {
    /** Explains a row of a relation that is shown in this listing. */
    explain(listing: Listing, row: number, all: boolean): Explanation;
    expand(node: number, all: boolean): readonly ExplainedDerivation[];
    reveal(node: number, derivation: number | undefined): ProcessPlace | null;
}

/** Nodes that can be asked about; the oldest are forgotten first. */
const NODES = 100_000;
/** Derivations of a node at most. */
const DERIVATIONS = 1000;
const TEXT = 4000;
/** Facts that the plain words of an explanation go through. */
const TOLD = 200;

/** Explanations of the facts of a run. The heights that they need come from a second evaluation, at the first question. */
export function explanations(finished: FinishedRun): () => Promise<Explanations> {
    let explained: Promise<Explanations> | undefined;
    return () => {
        explained ??= finished.withHeights().then(results => new ExplainedRun(finished, results));
        explained.catch(() => {
            explained = undefined;
        });
        return explained;
    };
}

interface KnownNode {
    readonly node: PremiseNode;
    derivations?: readonly DerivationNode[];
}

class ExplainedRun implements Explanations {
    readonly #finished: FinishedRun;
    /** The results with heights. Their rows stand in the same listing order as the ones that are shown. */
    readonly #results: Results;
    readonly #nodes = new Map<number, KnownNode>();
    readonly #numbers = new WeakMap<PremiseNode, number>();
    #last = 0;

    constructor(finished: FinishedRun, results: Results) {
        this.#finished = finished;
        this.#results = results;
    }

    explain(listing: Listing, row: number, all: boolean): Explanation {
        const { database, label } = this.#results;
        const node = explainFact(database, { predicate: listing.predicate, row: this.#sameRow(listing, row) }, { all, label });
        const fact = this.#described(node);
        return { fact, derivations: this.#listed(fact.node, node.derivations), words: wordsOf(node) };
    }

    expand(number: number, all: boolean): readonly ExplainedDerivation[] {
        const { node } = this.#known(number);
        return this.#listed(number, this.#derivationsOf(node, all));
    }

    reveal(number: number, derivation: number | undefined): ProcessPlace | null {
        const { node, derivations = [] } = this.#known(number);
        if (derivation !== undefined) {
            const rule = derivations[derivation];
            return rule === undefined ? null : this.#programPlace(rule);
        }
        if (node.kind === 'group' || node.origin === undefined) return null;
        if (node.origin.kind === 'clause') return this.#programPlace(node.origin);
        return this.#sourcePlace(node.origin);
    }

    /** The row of the second evaluation that stands where this one does in the first. */
    #sameRow(shown: Listing, row: number): number {
        const changed = (): never => refuse('The data has changed since this run. Run the program again, then explain');
        const { database, listings, label } = this.#results;
        const listing = listings.find(({ predicate }) => predicate === shown.predicate);
        const at = shown.rows.indexOf(row);
        const same = listing?.rows[at];
        const predicate = database.program.predicates.get(shown.predicate);
        if (listing === undefined || same === undefined || predicate === undefined || listing.count !== shown.count) return changed();
        const textOf = (of: Listing, by: Results['label']): string =>
            factText(
                of.dictionary,
                predicate,
                of.columns.map((_, column) => of.at(at, column)),
                by,
            );
        return textOf(listing, label) === textOf(shown, this.#finished.results.label) ? same : changed();
    }

    #derivationsOf(node: PremiseNode, all: boolean): readonly DerivationNode[] {
        if (node.kind === 'group') return node.contributions;
        if (!all || node.deferred) return node.derivations;
        const { database, label } = this.#results;
        return explainFact(database, node.row, { all, label }).derivations;
    }

    #listed(number: number, derivations: readonly DerivationNode[]): ExplainedDerivation[] {
        const shown = derivations.slice(0, DERIVATIONS);
        this.#known(number).derivations = shown;
        return shown.map(derivation => ({
            rule: derivation.rule,
            place: this.#placeText(derivation.place, derivation.span),
            premises: derivation.premises.map(premise => this.#described(premise)),
        }));
    }

    #described(node: PremiseNode): ExplainedFact {
        const number = this.#numbers.get(node) ?? ++this.#last;
        this.#numbers.set(node, number);
        if (!this.#nodes.has(number)) this.#nodes.set(number, { node });
        if (this.#nodes.size > NODES) for (const oldest of this.#nodes.keys()) if (this.#nodes.delete(oldest)) break;
        if (node.kind === 'group') {
            const count = node.contributions.length;
            const more =
                count > DERIVATIONS ? `, the first ${DERIVATIONS.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}` : '';
            return {
                node: number,
                kind: 'group',
                text: cut(node.fact),
                verbalization: cut(`${node.verbalization}${more}`),
                deferred: false,
                expandable: count > 0,
            };
        }
        return {
            node: number,
            kind: 'fact',
            text: cut(node.fact),
            verbalization: cut(node.verbalization),
            ...(node.origin === undefined ? {} : { origin: { kind: node.origin.kind, label: this.#originText(node.origin) } }),
            deferred: node.deferred,
            expandable: node.asMatched ? node.derivations.length > 0 : !node.deferred && this.#isDerived(node),
        };
    }

    #isDerived({ row }: FactNode): boolean {
        const { heights, rewrites } = this.#results.database.relation(row.predicate) ?? {};
        return (heights?.[row.row] ?? 0) > 0 || (rewrites?.[row.row] ?? 0) > 0;
    }

    #known(number: number): KnownNode {
        return this.#nodes.get(number) ?? refuse('This part of the explanation is no longer kept. Explain the row again');
    }

    #originText(origin: Origin): string {
        return origin.kind === 'source' ? `${origin.file}:${origin.line}` : this.#placeText(origin.place, origin.span);
    }

    #placeText(place: ClausePlace, { start }: Span): string {
        return `${basename(place.file)}:${this.#position(place, start).line + 1}`;
    }

    #programPlace({ place, span }: { readonly place: ClausePlace; readonly span: Span }): ProcessPlace {
        const range: WireRange = { start: this.#position(place, span.start), end: this.#position(place, span.end) };
        return { kind: 'program', file: place.file, range };
    }

    #position({ file, offset, line, column }: ClausePlace, at: number): WireRange['start'] {
        const source = this.#finished.sources.get(file);
        return source === undefined ? { line, character: column } : positionAt(source, offset + at);
    }

    #sourcePlace({ bind, line }: Extract<Origin, { kind: 'source' }>): ProcessPlace {
        const { outer, inner } = withParameters(bind, this.#finished.loaded.access.parameters, {});
        return { kind: 'source', path: resolve(dirname(bind.place.file), outer, inner), line: line - 1 };
    }
}

function cut(text: string): string {
    return text.length <= TEXT ? text : `${text.slice(0, TEXT)}…`;
}

/** The explanation in plain words: of its last step alone where the whole is too long to be read. */
function wordsOf(node: FactNode): string {
    return isShort(node) ? explanationText(node) : `${explanationText(lastStep(node))} Open the premises to see why they hold.`;
}

function isShort(explanation: FactNode): boolean {
    const seen = new Set<PremiseNode>([explanation]);
    for (const node of seen) {
        if (seen.size > TOLD) return false;
        const derivations = node.kind === 'group' ? node.contributions : node.derivations.slice(0, 1);
        for (const derivation of derivations) {
            for (const premise of derivation.premises) {
                seen.add(premise);
                if (seen.size > TOLD) return false;
            }
        }
    }
    return true;
}

function lastStep(node: FactNode): FactNode {
    const closed = (premise: PremiseNode): PremiseNode =>
        premise.kind === 'group' ? { ...premise, contributions: [] } : { ...baseOf(premise), derivations: [] };
    const derivations = node.derivations
        .slice(0, 1)
        .map(derivation => ({ ...derivation, premises: derivation.premises.slice(0, TOLD).map(closed) }));
    return { ...baseOf(node), derivations };
}

function baseOf({ kind, row, fact, verbalization, deferred, asMatched }: FactNode): Omit<FactNode, 'derivations'> {
    return { kind, row, fact, verbalization, deferred, ...(asMatched === undefined ? {} : { asMatched }) };
}
