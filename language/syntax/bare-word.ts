import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

/** The tokens that are this word and nothing that is called. */
export function placesOfWord(tokens: readonly Token[], word: string): Token[] {
    return tokens.filter(({ kind, text }, index) => kind === 'name' && text === word && tokens[index + 1]?.text !== '(');
}

/**
 * Whether a word in lower case is probably a text: a fact has no variables, and in a rule with variables in upper case a word
 * that stands there once is a constant, as in Prolog.
 */
export function isTextWord(tokens: readonly Token[], word: string): boolean {
    if (!tokens.some(({ kind }) => kind === 'arrow')) return true;
    const variables = tokens.filter(({ kind, text }) => kind === 'variable' && /^[A-Z]/.test(text));
    if (variables.length === 0 || variables.some(({ text }) => text.toLowerCase() === word.toLowerCase())) return false;
    return placesOfWord(tokens, word).length === 1;
}

/** RL0046 with a remedy for what the word is meant to be. */
export function withWordRemedy(problem: ClauseProblem, text: string, tokens: readonly Token[]): ClauseProblem {
    if (problem.code !== 'RL0046' || problem.remedy !== PROBLEMS.RL0046.remedy) return problem;
    const word = text.slice(problem.span.start, problem.span.end);
    if (!isTextWord(tokens, word)) return problem;
    const isFact = !tokens.some(({ kind }) => kind === 'arrow');
    const quoted = `write "${word}"`;
    return {
        ...problem,
        remedy: isFact ? quoted : `${quoted} for the text, or '${word.charAt(0).toUpperCase()}${word.slice(1)}' for a variable`,
    };
}
