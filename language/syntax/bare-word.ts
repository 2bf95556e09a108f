import { PROBLEMS } from '#language/problems/catalogue.ts';
import { say, translated } from '#language/program/say.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

/** The tokens that are this word and nothing that is called. */
export function placesOfWord(tokens: readonly Token[], word: string): Token[] {
    return tokens.filter(({ text }, index) => text === word && isBareWord(tokens, index));
}

function isBareWord(tokens: readonly Token[], index: number): boolean {
    return tokens[index]?.kind === 'name' && tokens[index + 1]?.text !== '(';
}

/**
 * Recognises words in lower case that are probably texts. A fact has no variables. In a rule with variables in upper case, a word that
 * stands there once is a constant, as in Prolog.
 */
export function textWords(tokens: readonly Token[]): (word: string) => boolean {
    if (isFact(tokens)) return () => true;
    const variables = tokens.flatMap(({ kind, text }) => (kind === 'variable' && /^[A-Z]/.test(text) ? [text.toLowerCase()] : []));
    if (variables.length === 0) return () => false;
    const named = new Set(variables);
    const places = new Map<string, number>();
    for (const [index, { text }] of tokens.entries()) if (isBareWord(tokens, index)) places.set(text, (places.get(text) ?? 0) + 1);
    return word => places.get(word) === 1 && !named.has(word.toLowerCase());
}

function isFact(tokens: readonly Token[]): boolean {
    return !tokens.some(({ kind }) => kind === 'arrow');
}

/** The problems, RL0046 with a remedy for what the word is meant to be. */
export function withWordRemedies(problems: readonly ClauseProblem[], text: string, tokens: readonly Token[]): readonly ClauseProblem[] {
    if (problems.every(({ code }) => code !== 'RL0046')) return problems;
    const isText = textWords(tokens);
    const inFact = isFact(tokens);
    return problems.map(problem => {
        const word = text.slice(problem.span.start, problem.span.end);
        if (problem.code !== 'RL0046' || problem.remedy !== translated(PROBLEMS.RL0046.remedy) || !isText(word)) return problem;
        const quoted = say`write "${word}"`;
        const variable = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
        return { ...problem, remedy: inFact ? quoted : say`${quoted} for the text, or '${variable}' for a variable` };
    });
}
