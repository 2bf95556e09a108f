import type { ClauseProblem } from './parsed-clause.ts';
import type { Token } from './token.ts';

export function diagnoseClause(_text: string, _tokens: readonly Token[], _last: boolean): ClauseProblem | undefined {
    return undefined;
}
