import { CHAIN, chainLinks } from '#engine/explain/chain.ts';
import { explainFact } from '#engine/explain/explain.ts';
import type { ContributionNode, DerivationNode, FactNode, Origin, PremiseNode } from '#engine/explain/explanation.ts';
import { explanationWords } from '#engine/explain/explanation-words.ts';
import type { FactRow } from '#engine/explain/match-rule.ts';
import { groupTitle } from '#engine/explain/result-words.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { ExplainedDerivation, ExplainedFact, Explanation } from '#server/protocol/runs.ts';
import type { NodePlace } from '#server/protocol/why-not.ts';
import type { ExplainedNodes } from './explained-nodes.ts';
import type { OriginPlaces } from './origin-places.ts';
import type { Results } from './results.ts';

/** Derivations of a node at most. */
const DERIVATIONS = 1000;
const TEXT = 4000;

/** A fact that another concept gave to the evaluation. */
interface GivenFact {
    readonly concept: string;
    derivations(all: boolean): readonly ExplainedDerivation[];
}

/** The facts of one evaluation as an editor shows them. */
export class ExplainedFacts {
    /** Of an evaluation that kept heights. */
    readonly results: Results;
    readonly nodes: ExplainedNodes;
    readonly #places: OriginPlaces;
    /** Facts that are shown as steps of a chain. */
    readonly #chained = new WeakSet<FactNode>();
    readonly #given: (fact: FactRow) => GivenFact | undefined;
    readonly #checkpoint: () => void;

    /** `checkpoint` ends an explanation by an error. */
    constructor(
        results: Results,
        nodes: ExplainedNodes,
        places: OriginPlaces,
        given: (fact: FactRow) => GivenFact | undefined = () => undefined,
        checkpoint: () => void = () => undefined,
    ) {
        this.results = results;
        this.nodes = nodes;
        this.#places = places;
        this.#given = given;
        this.#checkpoint = checkpoint;
    }

    /** A fact with its first derivation, or with all of them. */
    explain(fact: FactRow, all: boolean): Explanation {
        const { database, label } = this.results;
        const node = explainFact(database, fact, { all, label, checkpoint: this.#checkpoint });
        const described = this.#described(node, all);
        return { fact: described, derivations: this.nodes.expand(described.node, all), words: explanationWords(node) };
    }

    /** A fact to be expanded on demand. */
    fact(fact: FactRow): ExplainedFact {
        const { database, label } = this.results;
        return this.#described(explainFact(database, fact, { label, checkpoint: this.#checkpoint }));
    }

    /** A place that `reveal` opens. */
    place(origin: Origin): NodePlace {
        const node = this.nodes.number(origin, () => ({ reveal: () => this.#places.placeOf(origin) }));
        return { node, label: this.#places.label(origin), kind: origin.kind };
    }

    /** `whole` tells that the node has all its derivations. */
    #described(node: PremiseNode, whole = false): ExplainedFact {
        const given = node.kind === 'fact' && node.origin === undefined && !this.#isDerived(node) ? this.#given(node.row) : undefined;
        const number = this.nodes.number(node, () => {
            if (given !== undefined) return { expand: all => given.derivations(all) };
            let derivations: readonly DerivationNode[] = [];
            return {
                expand: all => {
                    derivations = this.#derivationsOf(node, all && !whole).slice(0, DERIVATIONS);
                    const next = node.kind === 'fact' ? this.#next(node, derivations) : undefined;
                    return derivations.map(derivation => this.#derivation(derivation, next));
                },
                reveal: derivation => {
                    const rule = derivation === undefined ? undefined : derivations[derivation];
                    if (rule !== undefined) return this.#places.placeOf({ kind: 'clause', ...rule });
                    const origin = derivation !== undefined || node.kind === 'group' ? undefined : node.origin;
                    return origin === undefined ? null : this.#places.placeOf(origin);
                },
            };
        });
        if (node.kind === 'group') {
            const count = node.contributions.length;
            const shown = Math.min(count, DERIVATIONS);
            const all = count + (node.more ?? 0);
            const more = all > shown ? say`, the first ${countText(shown)} of ${countText(all)}` : '';
            return {
                node: number,
                kind: 'group',
                text: cut(node.fact),
                verbalization: `${groupTitle(node)}${more}`,
                deferred: false,
                expandable: count > 0,
            };
        }
        return {
            node: number,
            kind: 'fact',
            text: cut(node.fact),
            verbalization: cut(node.verbalization),
            ...(node.origin === undefined ? {} : { origin: { kind: node.origin.kind, label: this.#places.label(node.origin) } }),
            ...(given === undefined ? {} : { origin: { kind: 'concept', label: given.concept } }),
            deferred: node.deferred,
            expandable: given !== undefined || (node.asMatched ? node.derivations.length > 0 : !node.deferred && this.#isDerived(node)),
        };
    }

    #derivationsOf(node: PremiseNode, all: boolean): readonly DerivationNode[] {
        if (node.kind === 'group') return node.contributions;
        if (!all || node.deferred || node.asMatched) return node.derivations;
        const { database, label } = this.results;
        return explainFact(database, node.row, { all, label, checkpoint: this.#checkpoint }).derivations;
    }

    /** The premise with which a chain goes on that is long enough, or shown already. */
    #next(node: FactNode, derivations: readonly DerivationNode[]): FactNode | undefined {
        let next: FactNode | undefined;
        let missing = this.#chained.has(node) ? 1 : CHAIN;
        for (const link of chainLinks({ row: node.row, derivations })) {
            next ??= link.next;
            if (--missing === 0) break;
        }
        if (next === undefined || missing > 0) return undefined;
        this.#chained.add(next);
        return next;
    }

    #derivation({ rule, place, span, premises, absent, gives }: ContributionNode, next?: FactNode): ExplainedDerivation {
        return {
            rule,
            place: this.#places.label({ kind: 'clause', place, span }),
            premises: premises.map(premise => this.#described(premise)),
            ...(absent === undefined ? {} : { absent: absent.map(cut) }),
            ...(gives === undefined ? {} : { gives: gives.map(cut) }),
            ...(next === undefined ? {} : { next: this.#described(next).node }),
        };
    }

    #isDerived({ row }: FactNode): boolean {
        const { heights, rewrites } = this.results.database.relation(row.predicate)?.notes ?? {};
        return (heights?.[row.row] ?? 0) > 0 || (rewrites?.[row.row] ?? 0) > 0;
    }
}

function cut(text: string): string {
    return text.length <= TEXT ? text : `${text.slice(0, TEXT)}…`;
}
