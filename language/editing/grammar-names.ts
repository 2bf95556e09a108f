import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { functionNames } from '#language/library/function-catalogue.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';

/** The rules of a TextMate grammar whose patterns are lists of names. */
interface Grammar {
    readonly repository: Record<string, { match?: string }>;
}

/** The text of the TextMate grammar with the names of functions, aggregates and annotations that there are. */
export function withLibraryNames(text: string): string {
    const grammar = JSON.parse(text) as Grammar;
    const patterns = {
        functions: `(?<![\\w:])(?:${alternatives(functionNames())})(?=\\s*\\()`,
        aggregates: `(?<![\\w:])(?:${alternatives(Object.keys(AGGREGATES))})(?=\\s*\\()`,
        'annotation-names': `\\b(?:${alternatives(ANNOTATIONS.keys())})\\b`,
    };
    for (const [rule, match] of Object.entries(patterns)) Object.assign(grammar.repository[rule] ?? {}, { match });
    return `${JSON.stringify(grammar, null, 4)}\n`;
}

/** Longest first, so that no name hides one that it begins. */
function alternatives(names: Iterable<string>): string {
    return [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join('|');
}
