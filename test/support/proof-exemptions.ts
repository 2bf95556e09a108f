import type { Exemption } from './proof-instance.ts';

/** The programs of the corpus with steps that the proof checker cannot check again, and why; it checks every step of all others. */
export const EXEMPTIONS: Readonly<Record<string, readonly Exemption[]>> = {
    'equalities/conclusions-in-a-cycle-stay': ['a value that was replaced since'],
    'equalities/over-an-aggregate': ['an equality over an aggregate'],
    'equalities/with-aggregates-on-the-right': ['an equality over an aggregate'],
    'functions/parts-of-lists': ['a value that chance or the host decides'],
    'functions/random-values': ['a value that chance or the host decides'],
};
