import { splitClauses } from '#language/syntax/split-clauses.ts';

/** A typed statement: a clause of the program, or a question about it. */
export interface Statement {
    readonly kind: 'clause' | 'query';
    readonly text: string;
}

const QUESTION = /(^|\n)([ \t]*)\?-/gu;

/** The statements of a text. It is open where the last of them goes on in a line to come. */
export function statementsIn(text: string): { readonly statements: readonly Statement[]; readonly open: boolean } {
    const questions = new Set(
        [...text.matchAll(QUESTION)].map(({ index, 1: before = '', 2: blanks = '' }) => index + before.length + blanks.length),
    );
    // A question is split like a clause.
    const clauses = text.replaceAll(QUESTION, '$1$2  ');
    const statements: Statement[] = [];
    let open = false;
    let end = 0;
    for (const slice of splitClauses(clauses, '')) {
        const isQuestion = [...questions].some(at => end <= at && at < slice.place.offset);
        const own = clauses.slice(slice.place.offset, slice.end).trim();
        if (slice.last) open = !/[.?]$/u.test(own);
        const isQuery = isQuestion || own.endsWith('?');
        // Comments above a clause go with it.
        statements.push({ kind: isQuery ? 'query' : 'clause', text: isQuery ? own : text.slice(end, slice.end).trim() });
        end = slice.end;
    }
    return { statements, open: open || (statements.length === 0 && questions.size > 0) };
}
