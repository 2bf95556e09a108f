/** One section of the documentation. */
export interface Section {
    readonly title: string;
    /** Where it stands: `/docs/modules#names`. */
    readonly url: string;
    readonly text: string;
}

/** Finds the sections that fit a question best, the best first. */
export interface Documentation {
    search(question: string, most: number): readonly Section[];
}

/** Okapi BM25: how much repeated words and long sections count. */
const [K1, B] = [1.2, 0.75] as const;
const TITLE_WEIGHT = 3;
/** Words of a question that count. */
const MOST_WORDS = 256;
/** Words that are in every question. */
const STOP = new Set(
    'a an and are as at be by can do does for from how i in is it me my of on or that the there this to use was what when where which why with you'.split(
        ' ',
    ),
);

interface Indexed {
    readonly section: Section;
    readonly counts: ReadonlyMap<string, number>;
    readonly length: number;
}

/** An index of sections, ranked by Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009). */
export function documentationIndex(sections: readonly Section[]): Documentation {
    const indexed = sections.map(indexOf);
    const holding = new Map<string, number>();
    for (const { counts } of indexed) for (const word of counts.keys()) holding.set(word, (holding.get(word) ?? 0) + 1);
    const average = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);

    const score = ({ counts, length }: Indexed, words: ReadonlySet<string>): number => {
        let sum = 0;
        for (const word of words) {
            const count = counts.get(word) ?? 0;
            const rarity = Math.log(1 + (indexed.length - (holding.get(word) ?? 0) + 0.5) / ((holding.get(word) ?? 0) + 0.5));
            sum += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
        }
        return sum;
    };

    return {
        search: (question, most) => {
            const words = new Set([...new Set(wordsOf(question))].slice(0, MOST_WORDS));
            const scored = indexed.map(one => ({ section: one.section, score: score(one, words) })).filter(one => one.score > 0);
            return scored
                .sort((a, b) => b.score - a.score)
                .slice(0, most)
                .map(({ section }) => section);
        },
    };
}

function indexOf(section: Section): Indexed {
    const counts = new Map<string, number>();
    const add = (word: string, weight: number): void => void counts.set(word, (counts.get(word) ?? 0) + weight);
    for (const word of wordsOf(section.title)) add(word, TITLE_WEIGHT);
    const words = wordsOf(section.text);
    for (const word of words) add(word, 1);
    return { section, counts, length: words.length };
}

/** Words in lower case, without a plural's ending. */
function wordsOf(text: string): string[] {
    const words = text.toLowerCase().match(/[\p{L}\p{N}_@#]+/gu) ?? [];
    return words.filter(word => !STOP.has(word)).map(word => (word.length > 3 ? word.replace(/(?<=[^s])s$/u, '') : word));
}
