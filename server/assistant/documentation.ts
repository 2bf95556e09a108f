import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';
import { SYNONYMS } from './synonyms.ts';

/** One section of the documentation. */
export interface Section {
    /** `Programs of several files: How includes are resolved` */
    readonly title: string;
    /** Its address: `/docs/modules#how-includes-are-resolved`. */
    readonly url: string;
    readonly text: string;
    /** Words in questions about the section whose text uses other words. */
    readonly keywords: string;
}

/** Finds the sections that fit a question best, the best first. */
export interface Documentation {
    readonly sections: readonly Section[];
    /** The last of the questions counts most, those before it say what it is about. */
    search(questions: readonly string[], most: number): readonly Section[];
}

/** Weights of the parts of a section: code and its output show its subject less than its heading does. */
const WEIGHTS = { title: 5, keywords: 4, page: 1, prose: 1, code: 0.25 };
/** The weight of a synonym. */
const SYNONYM_WEIGHT = 0.4;
/** The weight of a section about one problem, for a question that names none. */
const PROBLEM_WEIGHT = 0.2;
/** And for one that has its code, or its message. */
const ASKED_WEIGHT = 10;
/** The weight of an earlier question. */
const EARLIER_WEIGHT = 0.25;
/** Share of the words of a message that a question has when it asks for the message, and how many they are at least. */
const [MESSAGE_SHARE, MESSAGE_WORDS] = [0.75, 3] as const;
/** Words of a question that count. */
const MOST_WORDS = 256;
/** Words that are in every question. */
const STOP = new Set(
    `a an and are as at be been by can could did do does for from has have how i if in is it its may me mean meaning my of on or our should
    that the them then there these they this to us use used using was we what when where which who why will with would you your`.split(
        /\s+/u,
    ),
);
const CODE = /^r[lt]\d+$/u;

interface Indexed {
    readonly id: number;
    readonly title: string;
    readonly keywords: string;
    readonly page: string;
    readonly prose: string;
    readonly code: string;
}

/** An index of sections, made when it is first asked: BM25+ over their parts, words by their stems (Porter). */
export function documentationIndex(sections: readonly Section[]): Documentation {
    let index: MiniSearch<Indexed> | undefined;
    const problems = sections.map(problemOf);

    /** Scores of the sections found for a question; the best has 1. */
    const scores = (question: string): Map<number, number> => {
        const words = wordsOf(question).slice(0, MOST_WORDS);
        const own = new Set(words.flatMap(word => stemOf(word) ?? []));
        const weightOf = (problem: Problem | undefined): number => {
            if (problem === undefined) return 1;
            const isAsked = hasCode(own) ? own.has(problem.code) : problem.messages.some(told => holds(own, told));
            return isAsked ? ASKED_WEIGHT : PROBLEM_WEIGHT;
        };
        index ??= indexOf(sections);
        const found = index.search(words.join(' '), {
            boostTerm: term => (own.has(term) ? 1 : SYNONYM_WEIGHT),
            boostDocument: id => weightOf(problems[id]),
        });
        return new Map(found.map(({ id, score }) => [id, score / (found[0]?.score ?? 1)]));
    };

    return {
        sections,
        search: (questions, most) => {
            const sums = new Map<number, number>();
            for (const [i, question] of questions.toReversed().entries())
                for (const [id, score] of scores(question)) sums.set(id, (sums.get(id) ?? 0) + score * EARLIER_WEIGHT ** i);
            const best = [...sums].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b).slice(0, most);
            return best.flatMap(([id]) => sections[id] ?? []);
        },
    };
}

function indexOf(sections: readonly Section[]): MiniSearch<Indexed> {
    const index = new MiniSearch<Indexed>({
        fields: Object.keys(WEIGHTS),
        tokenize: wordsOf,
        processTerm: stemOf,
        searchOptions: { boost: WEIGHTS, processTerm: stemsOf },
    });
    index.addAll(sections.map(indexed));
    return index;
}

function indexed({ title, text, keywords }: Section, id: number): Indexed {
    const [page = '', ...own] = title.split(': ');
    const code = [...text.matchAll(FENCED)].map(([, inner]) => inner).join('\n');
    return {
        id,
        title: own.length > 0 ? own.join(' ') : page,
        page: own.length > 0 ? page : '',
        keywords,
        prose: text.replaceAll(FENCED, ''),
        code,
    };
}

const FENCED = /^```[^\n]*\n([\s\S]*?)^```/gmu;

interface Problem {
    /** `rl2401`; empty for a page or a table of problems. */
    readonly code: string;
    /** The words of the messages that the section shows, without what they quote. */
    readonly messages: readonly ReadonlySet<string>[];
}

/** The problem that a section explains. */
function problemOf({ url, text }: Section): Problem | undefined {
    if (!url.startsWith('/docs/problems/')) return undefined;
    const anchor = url.slice(url.indexOf('#') + 1);
    return { code: CODE.test(anchor) ? anchor : '', messages: messagesOf(text) };
}

function hasCode(words: ReadonlySet<string>): boolean {
    return [...words].some(word => CODE.test(word));
}

function messagesOf(text: string): Set<string>[] {
    const messages = [...text.matchAll(/^(?:error|warning|info|hint) R[LT]\d+: (.*(?:\n {2}[\p{L}'].*)*)/gmu)];
    return messages
        .map(([, told = '']) => new Set(wordsOf(told.replaceAll(/'[^']*'|: .*/gsu, ' ')).flatMap(word => stemOf(word) ?? [])))
        .filter(words => words.size >= MESSAGE_WORDS);
}

function holds(words: ReadonlySet<string>, message: ReadonlySet<string>): boolean {
    return [...message].filter(word => words.has(word)).length >= MESSAGE_SHARE * message.size;
}

/** Words in lower case; `@output` and `#TC` are words with their signs. */
function wordsOf(text: string): string[] {
    return text.toLowerCase().match(/[@#]?[\p{L}\p{N}_]+/gu) ?? [];
}

/** Undefined for a word that is in every question. */
function stemOf(word: string): string | undefined {
    if (STOP.has(word)) return undefined;
    return /^[a-z]+$/u.test(word) ? stemmer(word) : word;
}

/** The stem of a word of a question, and those of words that say the same. */
function stemsOf(word: string): string[] {
    const stem = stemOf(word);
    return stem === undefined ? [] : [stem, ...(SAME.get(stem) ?? [])];
}

const SAME: ReadonlyMap<string, readonly string[]> = sameStems();

function sameStems(): Map<string, string[]> {
    const same = new Map<string, string[]>();
    for (const words of SYNONYMS) {
        const stems = words.split(' ').map(stemmer);
        for (const stem of stems) same.set(stem, [...(same.get(stem) ?? []), ...stems.filter(other => other !== stem)]);
    }
    return same;
}
