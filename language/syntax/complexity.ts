import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

const MAX_DEPTH = 100;
const MAX_OPERATORS = 1000;

/**
 * RL0017 for a clause that would exhaust the parser: brackets or prefix operators nested too deeply, or too many
 * operators. The parser is not even asked about it.
 */
export function refusedComplexity(tokens: readonly Token[]): ClauseProblem | undefined {
    let depth = 0;
    let operators = 0;
    let consecutive = 0;
    let arrow = false;
    for (const token of tokens) {
        const operator = token.kind === 'operator' || token.kind === 'word-operator' || (token.kind === 'arrow' && arrow);
        arrow ||= token.kind === 'arrow';
        consecutive = operator ? consecutive + 1 : 0;
        if (operator) operators++;
        if (token.kind === 'mark' && '([{'.includes(token.text)) depth++;
        if (token.kind === 'mark' && ')]}'.includes(token.text)) depth--;
        if (depth > MAX_DEPTH || consecutive > MAX_DEPTH) return clauseProblem('RL0017', token, `more than ${MAX_DEPTH} levels of nesting`);
        if (operators > MAX_OPERATORS) return clauseProblem('RL0017', token, `more than ${MAX_OPERATORS} operators`);
    }
    return undefined;
}
