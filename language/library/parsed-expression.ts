import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** The parts of a regular expression, by the text between its slashes. */
export function parsedExpression(source: string): AST.Pattern {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode: true });
}
