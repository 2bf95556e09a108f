/** How far each cause is from the fact: what an author would look at first has the smallest distance. */
export const DISTANCE = {
    unknown: 0.2,
    missing: 1.3,
    missingExchanged: 1.15,
    odd: 0.5,
    /** A value that the column has already, though it has every other value once. */
    missingKey: 0.5,
    condition: 1,
    /** A computed value is another one than the fact has. */
    computed: 1.6,
    negation: 1,
    holds: 1.05,
    slip: 0.55,
    constant: 1,
    /** A constant that the column has in other facts. */
    usedConstant: 0.5,
    variable: 1.8,
    /** A variable that no other atom has: the fact asked about alone gives its value. */
    loneVariable: 4,
    derivedVariable: 1.9,
    exchanged: 1.15,
    /** A rule that works for other facts. */
    exchangedElsewhere: 0.3,
    headExchanged: 1.45,
    derivedExchanged: 0.5,
    /** Values of another type than the column has otherwise are exchanged. */
    exchangedKinds: -0.6,
    /** A column would need a value of a type that it never has: a missing fact is unlikely, a wrong variable likely. */
    missingForeign: 0.8,
    foreignVariable: -0.8,
    head: 1.1,
    headVariable: 5,
    invented: 1.6,
    inventedColumn: 0.8,
    aggregate: 1.5,
    function: 1.4,
    /** A query has another value in a column. */
    queryValue: 1.3,
    domain: 1,
    /** Each premise that has to be followed. */
    step: 0.12,
    /** Each column that stays open in a missing fact. */
    open: 0.12,
    /** A rule that derives nothing at all, for a cause in the rule, in a premise that rules derive, and in the data. */
    idle: -0.45,
    idlePremise: -0.35,
    idleData: -0.1,
    /** Premises that are there. */
    premises: -0.3,
    further: 0.5,
    /** Several premises that one cause stops. */
    together: 0.1,
    /** Values of two kinds are compared. */
    kinds: 0.7,
    /** A premise that is missing for all matches of the rest of a rule. */
    all: -0.05,
    /** Numbers that are far apart. */
    shortness: 0.4,
    /** A contribution that a group lacks. */
    contribution: -0.3,
} as const;
