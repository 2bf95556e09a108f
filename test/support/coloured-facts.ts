import type { Row } from './expected-facts.ts';

const LABEL = /("(?:[^"]|"")*")|\bz\d+\b/gu;

/**
 * The facts as sorted text in which nulls are named by where they stand: colour refinement as for graphs. Answers that are
 * equal up to a renaming of nulls give one text; answers with one text differ in symmetric cases at most.
 */
export function colouredFacts(facts: ReadonlyMap<string, readonly Row[]>): string {
    const all = [...facts].flatMap(([predicate, rows]) => rows.map(row => `${predicate}(${row.join(',')})`));
    let colours = new Map<string, string>();
    const coloured = (fact: string, own?: string): string =>
        fact.replaceAll(
            LABEL,
            (label, string: string | undefined) => string ?? (label === own ? 'z#own' : `z#${colours.get(label) ?? ''}`),
        );
    for (let round = 0, count = -1; count !== new Set(colours.values()).size || round < 3; round++) {
        count = new Set(colours.values()).size;
        const places = new Map<string, string[]>();
        for (const fact of all) {
            for (const [label, string] of fact.matchAll(LABEL)) {
                if (string !== undefined) continue;
                places.set(label, [...(places.get(label) ?? []), coloured(fact, label)]);
            }
        }
        const signatures = new Map([...places].map(([label, where]) => [label, [...new Set(where)].sort().join(' ')]));
        const names = new Map([...new Set(signatures.values())].sort().map((signature, i) => [signature, `${i}`]));
        colours = new Map([...signatures].map(([label, signature]) => [label, names.get(signature) ?? '']));
    }
    return all
        .map(fact => coloured(fact))
        .sort()
        .join('\n');
}
