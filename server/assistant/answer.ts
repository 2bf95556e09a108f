import { say } from '#language/program/say.ts';
import type { Documentation, Section } from './documentation.ts';

/** The assistant's answer without a model: the sections of the documentation that fit best. */
export interface ComposedAnswer {
    readonly text: string;
    /** Best first. */
    readonly sections: readonly Section[];
    /** Characters of question and answer by four. */
    readonly tokens: number;
}

export interface CodeExample {
    readonly language: string;
    readonly code: string;
    readonly description: string;
}

/** Sections that an answer is made from. */
export const MOST_SECTIONS = 3;
/** Tokens of an answer at most. */
export const MOST_TOKENS = 1500;
/** As many as a token of English has, at about. */
export const CHARACTERS_PER_TOKEN = 4;

/** The last of the questions is answered; those before it say what it is about. */
export function composeAnswer(documentation: Documentation, questions: readonly string[]): ComposedAnswer {
    const question = questions.at(-1) ?? '';
    const sections = documentation.search(questions, MOST_SECTIONS);
    const whole =
        sections.length === 0
            ? say`The documentation has no section about this. Try other words, or the names of annotations and functions.`
            : sections.map(({ title, url, text }) => `## ${title}\n\n${text}\n\n${say`See ${url}`}`).join('\n\n');
    const text = shortened(whole, MOST_TOKENS * CHARACTERS_PER_TOKEN);
    return { text, sections, tokens: Math.ceil((question.length + text.length) / CHARACTERS_PER_TOKEN) };
}

/** The fenced blocks of an answer. */
export function codeExamples(text: string): CodeExample[] {
    return [...text.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```/gmu)].map(([, language = '', code = '']) => {
        return { language: language === '' ? 'rulelang' : language, code: code.trimEnd(), description: '' };
    });
}

/** The front of a text; where that ends inside a fenced block, the block ends with it. */
function shortened(text: string, most: number): string {
    if (text.length <= most) return text;
    const front = text.slice(0, most - FENCE.length).replace(/[\ud800-\udbff]$/u, '');
    return (front.match(/^```/gmu)?.length ?? 0) % 2 === 1 ? `${front}${FENCE}` : front;
}

const FENCE = '\n```';
