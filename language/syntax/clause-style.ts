import { isOpening } from './brackets.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

/** Finds plainer ways to write a clause without errors: RL9020, RL9021, RL9032. */
export function styleProblems(text: string, tokens: readonly Token[]): readonly ClauseProblem[] {
    if (!SIGNS.test(text)) return NONE;
    const found: ClauseProblem[] = [];
    for (const token of tokens) {
        if (token.kind === 'arrow' && token.text === ':-') found.push(clauseProblem('RL9032', token));
        if (token.kind === 'operator' && token.text === '~') found.push(clauseProblem('RL9020', token));
    }
    for (const operator of mixedOperators(tokens)) found.push(clauseProblem('RL9021', operator));
    return found;
}

const SIGNS = /:-|~|[|&]/u;
const NONE: readonly ClauseProblem[] = [];

/** Operators on collections that stand beside connectives of conditions, the first of each expression. */
function mixedOperators(tokens: readonly Token[]): readonly Token[] {
    const mixed: Token[] = [];
    const levels: Level[] = [{ operator: undefined, connects: false }];
    const close = (): void => {
        const { operator, connects } = levels.at(-1) ?? {};
        if (operator !== undefined && connects) mixed.push(operator);
    };
    for (const token of tokens) {
        const level = levels.at(-1);
        if (level === undefined) break;
        if (isOpening(token)) levels.push({ operator: undefined, connects: false });
        else if (token.kind === 'mark' || token.kind === 'dot' || token.kind === 'arrow') {
            close();
            if (')]}'.includes(token.text) && levels.length > 1) levels.pop();
            else levels[levels.length - 1] = { operator: undefined, connects: false };
        } else if (token.kind === 'operator') {
            if (token.text === '|' || token.text === '&') level.operator ??= token;
            if (token.text === '||' || token.text === '&&') level.connects = true;
        }
    }
    return mixed;
}

/** State of reading between two brackets or commas. */
interface Level {
    operator: Token | undefined;
    connects: boolean;
}
