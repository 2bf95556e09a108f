import { documentedNames } from '#language/analysis/documented-names.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import type { TextEdit } from '../format-edits.ts';
import type { ArgumentChange } from './argument-change.ts';

/** The n-th `%% @term` line above a clause of a predicate is about its n-th column (1.8): it moves or goes with it. */
export function termDocumentation({ text }: OpenDocument, clause: Clause, name: string, change: ArgumentChange): readonly TextEdit[] {
    if (clause.documentation === undefined || documentedNames(clause).some(other => other !== name)) return [];
    const terms = linesAbove(text, clause).filter(line => TERM.test(text.slice(line.start, line.end)));
    switch (change.kind) {
        case 'append':
            return [];
        case 'remove': {
            const own = terms[change.column];
            return own === undefined ? [] : [{ start: own.start, end: own.next, text: '' }];
        }
        case 'reorder':
            if (terms.length < change.order.findLastIndex((column, at) => column !== at) + 1) return [];
            return terms.flatMap(({ start, end }, at) => {
                const other = terms[change.order[at] ?? at];
                return other === undefined || other === terms[at] ? [] : [{ start, end, text: text.slice(other.start, other.end) }];
            });
    }
}

const TERM = /^[ \t]*%%[ \t]*@term\b/u;

interface Line {
    readonly start: number;
    /** Before its line break. */
    readonly end: number;
    /** Behind its line break. */
    readonly next: number;
}

/** The documentation lines of a clause, in text order. */
function linesAbove(text: string, { place, documentation = '' }: Clause): readonly Line[] {
    const lines: Line[] = [];
    let next = lineStart(text, place.offset);
    for (let count = documentation.split('\n').length; count > 0; count--) {
        const end = next - (text.slice(next - 2, next) === '\r\n' ? 2 : 1);
        const start = lineStart(text, end);
        lines.unshift({ start, end, next });
        next = start;
    }
    return lines;
}

function lineStart(text: string, offset: number): number {
    let start = offset;
    while (start > 0 && text.charAt(start - 1) !== '\n' && text.charAt(start - 1) !== '\r') start--;
    return start;
}
