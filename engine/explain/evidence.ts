/**
 * What speaks for a cause, as terms of a distance: the smaller the sum, the likelier the cause. The weights are those of
 * a conditional logit (McFadden 1974) over the causes of mistakes seeded into working programs, rounded;
 * `seeded-bugs.slow.ts` measures what they are worth on others.
 */
const WEIGHTS = {
    // What the repair of a rule changes.
    exchanged: 0,
    headExchanged: -0.4,
    variable: 0.2,
    comparison: -2,
    condition: -0.9,
    constant: -0.9,
    /** The constant looks like the one that would do. */
    spelt: -3,
    /** A negation that is left out or turned. */
    denied: -1.2,
    /** Another literal that is left out or negated. */
    loosened: 5,
    /** The rule is less odd afterwards. */
    relief: -3,
    habit: -2.8,
    /** The rule derives nothing so far. */
    idle: -0.8,
    /** The logarithm of the facts that go. */
    lost: -1,
    /** The share of the facts asked about and of outputs that stay as they are. */
    kept: -1,
    // A missing fact, by columns: the value is at home there, is so in other columns only, or in none; or any would do.
    missing: -0.5,
    refuted: 3.1,
    open: -1.6,
    home: 0.5,
    away: 2.8,
    fresh: 2.1,
    /** A column that has no value twice has this one already. */
    taken: 2.1,
    /** The logarithm of its place among what the search found. */
    rank: 0.9,
    /** A given fact has two of its values exchanged, of which so many are not at home where they are. */
    turned: -1,
    turnedAway: -1.6,
    /** A premise of the fact itself is missing for all matches of the rest of its rule. */
    all: -2.5,
    slip: -2,
    /** The value that was meant occurs more than once, or in the question. */
    sure: -2,
    odd: -4.4,
    unknown: -4,
    // Causes that no trial confirms.
    several: 1,
    /** Only the value of a group is told. */
    restated: 4,
    /** A fact beyond those that fit. */
    further: 2.2,
    unbound: -1,
    holds: 0,
    unconfirmed: 1.5,
    /** Changes were tried out, and none of this place gives the fact. */
    refused: 2.5,
    unconfirmedRank: 1.7,
} as const;

/** What is known about one cause: how often, or how much, each thing that speaks for it is there. */
export type Evidence = Partial<Record<keyof typeof WEIGHTS, number>>;

/** How far a cause is from being the likeliest, as the sum of what is known about it. */
export function distanceOf(evidence: Evidence): number {
    let distance = 0;
    for (const [name, value] of Object.entries(evidence)) distance += WEIGHTS[name as keyof typeof WEIGHTS] * value;
    return distance;
}
