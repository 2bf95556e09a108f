import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { clauseProblem } from './clause-problem.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

const MAX_DEPTH = 100;
const MAX_OPERATORS = 1000;
/** A rule is evaluated by calls within calls, one for each atom. */
const MAX_ATOMS = 20_000;
/** Items of lists and sets are read one by one, each with all that an expression may be. */
const MAX_ITEMS = 100_000;

/**
 * RL0017 for a clause that would exhaust the parser or a run: brackets or prefix operators nested too deeply, too many
 * operators, atoms, or items of lists. The parser is not even asked about it.
 */
export function refusedComplexity(tokens: readonly Token[]): ClauseProblem | undefined {
    let depth = 0;
    let operators = 0;
    let consecutive = 0;
    let atoms = 0;
    let arrow = false;
    let lists = 0;
    let items = 0;
    for (const token of tokens) {
        const operator = token.kind === 'operator' || token.kind === 'word-operator' || (token.kind === 'arrow' && arrow);
        arrow ||= token.kind === 'arrow';
        consecutive = operator ? consecutive + 1 : 0;
        if (operator) operators++;
        if (token.kind === 'mark') {
            const { text } = token;
            if ('([{'.includes(text)) depth++;
            if (')]}'.includes(text)) depth--;
            if ('[{'.includes(text)) lists++;
            if (']}'.includes(text)) lists--;
            if (arrow && text === '(') atoms++;
            if (lists > 0 && text === ',') items++;
        }
        if (depth > MAX_DEPTH || consecutive > MAX_DEPTH)
            return clauseProblem('RL0017', token, say`more than ${MAX_DEPTH} levels of nesting`);
        if (operators > MAX_OPERATORS) return clauseProblem('RL0017', token, say`more than ${MAX_OPERATORS} operators`);
        if (atoms > MAX_ATOMS) return clauseProblem('RL0017', token, say`more than ${countText(MAX_ATOMS)} atoms`);
        if (items >= MAX_ITEMS) return clauseProblem('RL0017', token, say`more than ${countText(MAX_ITEMS)} items of lists`);
    }
    return undefined;
}
