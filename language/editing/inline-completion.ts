import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { bodyOverColumns } from './inline-completion/body-over-columns.ts';
import { recursiveRule } from './inline-completion/recursive-rule.ts';
import type { RuleSkeleton, TypedHead } from './inline-completion/typed-head.ts';

/** Text that an editor shows behind the cursor until the user takes it. */
export interface InlineCompletion {
    readonly text: string;
    /** The range to replace: empty, or the bracket that an editor has closed. */
    readonly range: TextRange;
}

/**
 * The rest of a rule whose head is being typed at the end of a line: the recursive rule of a predicate that has a base rule alone, or the atoms
 * that have columns of the names of its variables. Nothing while a name is being typed, which a list of names completes.
 */
export function inlineCompletion(document: OpenDocument, offset: number): InlineCompletion | undefined {
    const typed = typedHead(document, offset);
    if (typed === undefined) return undefined;
    const skeleton = recursiveRule(document, typed.head) ?? bodyOverColumns(document, typed.head);
    return skeleton && { text: restOf(skeleton, typed), range: { start: offset, end: typed.end } };
}

interface Typed {
    readonly head: TypedHead;
    /** How far the head is typed, and the end of what an editor closed. */
    readonly state: 'arguments' | 'closed' | 'arrow';
    /** The last argument is still to come. */
    readonly isSpaced: boolean;
    readonly end: number;
}

const HEAD = /^([a-z]\w*)\(([^()"'%]*?)(?:\)\s*(<-|:-)?)?(\s*)$/u;

function typedHead({ text, clauseAt }: OpenDocument, offset: number): Typed | undefined {
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    const line = text.slice(lineStart, offset);
    const indent = /^\s*/u.exec(line)?.[0].length ?? 0;
    const found = HEAD.exec(line.slice(indent));
    if (found === null || clauseAt(offset)?.place.offset !== lineStart + indent) return undefined;
    const [, name = '', given = '', arrow, space = ''] = found;
    const isClosed = line.includes(')');
    const rest = /^(\))?[^\S\n]*(?:\r?\n|$)/u.exec(text.slice(offset));
    if (rest === null || (isClosed && rest[1] !== undefined)) return undefined;
    const words = given.trim() === '' ? [] : given.split(',').map(word => word.trim());
    if (!isClosed && words.length > 0 && words.pop() !== '') return undefined;
    if (!words.every(word => /^[A-Z]\w*$/u.test(word)) || new Set(words).size < words.length) return undefined;
    return {
        head: { name, variables: words, isClosed },
        state: arrow !== undefined ? 'arrow' : isClosed ? 'closed' : 'arguments',
        isSpaced: space !== '' || given.trim() === '' || /\s$/u.test(given),
        end: offset + (rest[1]?.length ?? 0),
    };
}

function restOf({ variables, body }: RuleSkeleton, { head, state, isSpaced }: Typed): string {
    const space = isSpaced ? '' : ' ';
    switch (state) {
        case 'arguments':
            return `${space}${variables.slice(head.variables.length).join(', ')}) <- ${body}.`;
        case 'closed':
            return `${space}<- ${body}.`;
        case 'arrow':
            return `${space}${body}.`;
    }
}
