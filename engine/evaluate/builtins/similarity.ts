import { cosineOfUnits, unitVector } from '../../search/unit-vector.ts';
import { type Builtin, type CallSite, eager, type Family, type Implementation } from './builtin.ts';

/** The code points of a text, and how alike two of them are. */
function ofTexts(measure: (a: readonly string[], b: readonly string[]) => number): Builtin {
    return eager(
        ({ dictionary }) =>
            args =>
                dictionary.number(measure(Array.from(dictionary.stringOf(args[0]!)), Array.from(dictionary.stringOf(args[1]!)))),
    );
}

/** Similarity functions (6.11). Texts are compared by code points. */
export const SIMILARITY_FUNCTIONS: Family = [
    ['similarity:levenshtein', ofTexts(levenshtein)],
    [
        'similarity:levenshtein_sim',
        ofTexts((a, b) => (a.length + b.length === 0 ? 1 : 1 - levenshtein(a, b) / Math.max(a.length, b.length))),
    ],
    ['similarity:jaro_winkler', ofTexts(jaroWinkler)],
    [
        'similarity:jaccard',
        eager(
            ({ dictionary }) =>
                args =>
                    dictionary.number(jaccard(words(dictionary.stringOf(args[0]!)), words(dictionary.stringOf(args[1]!)))),
        ),
    ],
    ['similarity:cosine_sim', eager(cosine)],
];

/** The least number of insertions, deletions and substitutions (Wagner and Fischer, 1974), with one row of the table at a time. */
function levenshtein(a: readonly string[], b: readonly string[]): number {
    const row = Int32Array.from({ length: b.length + 1 }, (_, j) => j);
    for (let i = 1; i <= a.length; i++) {
        let diagonal = row[0]!;
        row[0] = i;
        for (let j = 1; j <= b.length; j++) {
            const above = row[j]!;
            row[j] = Math.min(above + 1, row[j - 1]! + 1, diagonal + (a[i - 1] === b[j - 1] ? 0 : 1));
            diagonal = above;
        }
    }
    return row[b.length]!;
}

const PREFIX_SCALE = 0.1;
const LONGEST_PREFIX = 4;

/** Winkler's weight for a common prefix (1990) on the measure of Jaro (1989), without a threshold. */
function jaroWinkler(a: readonly string[], b: readonly string[]): number {
    const likeness = jaro(a, b);
    let prefix = 0;
    while (prefix < LONGEST_PREFIX && prefix < a.length && prefix < b.length && a[prefix] === b[prefix]) prefix++;
    return likeness + prefix * PREFIX_SCALE * (1 - likeness);
}

function jaro(a: readonly string[], b: readonly string[]): number {
    if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
    const window = Math.max(Math.floor(Math.max(a.length, b.length) / 2) - 1, 0);
    const taken = new Uint8Array(b.length);
    const matched: string[] = [];
    for (const [i, character] of a.entries()) {
        const end = Math.min(i + window + 1, b.length);
        for (let j = Math.max(i - window, 0); j < end; j++) {
            if (taken[j] || b[j] !== character) continue;
            taken[j] = 1;
            matched.push(character);
            break;
        }
    }
    if (matched.length === 0) return 0;
    const matchedInB = b.filter((_, j) => taken[j]);
    const transpositions = matched.filter((character, k) => character !== matchedInB[k]).length / 2;
    const m = matched.length;
    return (m / a.length + m / b.length + (m - transpositions) / m) / 3;
}

function words(text: string): ReadonlySet<string> {
    return new Set(text.split(/\p{White_Space}+/u).filter(word => word !== ''));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
    const common = [...a].filter(word => b.has(word)).length;
    return a.size + b.size === 0 ? 1 : common / (a.size + b.size - common);
}

/** Vectors of different length end the run (RT026); one of zeros only is like none. */
function cosine({ dictionary, missing, undefinedFor, stop }: CallSite): Implementation {
    return args => {
        const [left, right] = [dictionary.membersOf(args[0]!), dictionary.membersOf(args[1]!)];
        if (left.length !== right.length) return stop('RT026', 'similarity:cosine_sim', left.length, right.length);
        const members = [...left, ...right];
        if (members.some(member => dictionary.isNull(member))) return missing(args);
        if (!members.every(member => dictionary.isNumber(member))) return undefinedFor(args);
        const [a, b] = [left, right].map(all => unitVector(all.map(member => dictionary.numberOf(member)))) as [Float64Array, Float64Array];
        return dictionary.number(cosineOfUnits(a, b));
    };
}
