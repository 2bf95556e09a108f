import type { Token } from './token.ts';

/** Whether a token opens a round, square or curly bracket. */
export function isOpening({ kind, text }: Token): boolean {
    return kind === 'mark' && (text === '(' || text === '[' || text === '{');
}

/** Whether a token closes a round, square or curly bracket. */
export function isClosing({ kind, text }: Token): boolean {
    return kind === 'mark' && (text === ')' || text === ']' || text === '}');
}
