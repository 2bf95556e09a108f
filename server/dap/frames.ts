import type { DerivationNode, FactNode, PremiseNode } from '#engine/explain/explanation.ts';
import type { Replay } from '#engine/explain/replay.ts';
import { say } from '#language/program/say.ts';
import { type MatchView, matchView } from './match-view.ts';
import type { PlaceInSource, Places } from './places.ts';

/** A fact of a derivation, or what one match gives to a group. */
export interface Frame {
    readonly name: string;
    readonly place?: PlaceInSource;
    /** Why it is there. */
    readonly derivation?: DerivationNode;
    readonly match?: MatchView;
    /** Absent for a contribution. */
    readonly node?: FactNode;
    /** It is given. */
    readonly isBase: boolean;
}

/**
 * Yields the match of a step, then its premises: of each match the last one to come, down to a given fact. A group has the frame of its
 * last contribution by then.
 */
export function* framesOf(replay: Replay, step: number, places: Places): Iterable<Frame> {
    if (step >= replay.count) return;
    let next: Frame | undefined = factFrame(replay, replay.explain(replay.step(step).row), places);
    while (next !== undefined) {
        yield next;
        next = next.derivation && nextFrame(replay, next.derivation, places);
    }
}

function factFrame(replay: Replay, node: FactNode, places: Places): Frame {
    const [derivation] = node.deferred || node.asMatched ? [] : node.derivations;
    const isBase = derivation === undefined && !node.deferred;
    const match = derivation && matchView(replay, derivation, node.row);
    const place = derivation !== undefined ? places.at(derivation) : node.origin && places.atOrigin(node.origin);
    return {
        name: node.fact,
        node,
        isBase,
        ...(place && { place }),
        ...(derivation && { derivation }),
        ...(match && { match }),
    };
}

function nextFrame(replay: Replay, { premises }: DerivationNode, places: Places): Frame | undefined {
    const [first] = premises;
    if (first?.kind === 'group') {
        // Later ones may rest on the very row that is derived.
        const earlier = first.contributions.filter(one => !one.premises.some(premise => premise.kind === 'fact' && premise.deferred));
        const chosen = earlier.length > 0 ? earlier : first.contributions;
        const latest = greatest(chosen, ({ premises: own }) => Math.max(0, ...own.map(one => heightOf(replay, one))));
        if (latest === undefined) return undefined;
        const match = matchView(replay, latest);
        return {
            name: say`gives ${(latest.gives ?? []).join(', ') || say`a value`}`,
            place: places.at(latest),
            derivation: latest,
            isBase: false,
            ...(match && { match }),
        };
    }
    const facts = premises.filter(premise => premise.kind === 'fact' && !(premise.asMatched === true && premise.derivations.length > 0));
    const last = greatest(facts, premise => heightOf(replay, premise));
    return last?.kind === 'fact' ? factFrame(replay, last, places) : undefined;
}

function heightOf({ database }: Replay, premise: PremiseNode): number {
    if (premise.kind === 'group') return 0;
    const { predicate, row } = premise.row;
    return database.relation(predicate)?.notes?.heights?.[row] ?? 0;
}

/** The first of those with the greatest measure. */
function greatest<T>(all: readonly T[], measure: (one: T) => number): T | undefined {
    let found: T | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const one of all) {
        const own = measure(one);
        if (own <= most) continue;
        found = one;
        most = own;
    }
    return found;
}
