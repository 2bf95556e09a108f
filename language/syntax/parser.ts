import type { ClauseText } from '#language/generated/ast.ts';
import { createRuleLangServices } from '#language/services.ts';

/** The parser's result for a clause; `offset` is the place where it stopped understanding. */
export type GrammarResult =
    | { readonly kind: 'understood'; readonly clause: ClauseText }
    | { readonly kind: 'refused'; readonly offset: number }
    /** The parser gave up: nothing is known about the clause. */
    | { readonly kind: 'failed' };

let parser: ReturnType<typeof createRuleLangServices>['parser']['LangiumParser'] | undefined;

/** Mistakes are exceptions inside the parser. Their stacks are unused and would take most of its time. */
const ERRORS = Error as typeof Error & { stackTraceLimit?: number | undefined };

/** Parses the text of one clause. A parser that threw fails on every later input, so it is made anew. */
export function parseWithGrammar(text: string): GrammarResult {
    const { stackTraceLimit } = ERRORS;
    try {
        ERRORS.stackTraceLimit = 0;
        parser ??= createRuleLangServices().parser.LangiumParser;
        const result = parser.parse<ClauseText>(text, { rule: 'ClauseText' });
        const lexer = result.lexerErrors[0];
        const syntax = result.parserErrors[0];
        if (lexer === undefined && syntax === undefined) return { kind: 'understood', clause: result.value };
        return { kind: 'refused', offset: lexer?.offset ?? Math.max(0, syntax?.token.startOffset || 0) };
    } catch {
        parser = undefined;
        return { kind: 'failed' };
    } finally {
        ERRORS.stackTraceLimit = stackTraceLimit;
    }
}
