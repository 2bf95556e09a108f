import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** What a text is written in; data has no comments and no colours. */
export type TextKind = keyof typeof LEXIS | 'data';

interface Lexis {
    readonly comment: string;
    readonly quotes: readonly string[];
    readonly words: ReadonlySet<string>;
    /** Whether words count in capitals, too. */
    readonly foldsCase?: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Names are coloured by what the language says of them; of the others, what one can see without knowing it. */
const LEXIS = {
    rules: { comment: '%', quotes: ['"'], words: words('not null') },
    sql: {
        comment: '--',
        quotes: ["'", '"'],
        foldsCase: true,
        words: words(
            'all and any as asc between by case cast cross desc distinct else end except exists false from full group having in inner ' +
                'intersect is join left like limit not null offset on or order outer over partition right select then true union using ' +
                'values when where with',
        ),
    },
    python: {
        comment: '#',
        quotes: ['"""', "'''", '"', "'"],
        words: words(
            'and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
                'nonlocal not or pass raise return try while with yield False None True',
        ),
    },
} satisfies Readonly<Record<string, Lexis>>;

/** How a comment begins, for the command that turns lines into comments. */
export function commentMark(kind: TextKind): string | undefined {
    return kind === 'data' ? undefined : LEXIS[kind].comment;
}

/** The colours of comments, texts and numbers, which need no answer of anybody. */
export function plainColours(kind: TextKind): Extension {
    if (kind === 'data') return [];
    const { comment, quotes, words: known, foldsCase }: Lexis = LEXIS[kind];
    const language = StreamLanguage.define<{ quote: string | undefined }>({
        name: kind,
        startState: () => ({ quote: undefined }),
        copyState: ({ quote }) => ({ quote }),
        token(stream, state) {
            if (state.quote !== undefined) return inText(stream, state);
            if (stream.eatSpace()) return null;
            if (stream.match(comment)) {
                stream.skipToEnd();
                return 'comment';
            }
            const quote = quotes.find(one => stream.match(one));
            if (quote !== undefined) {
                state.quote = quote;
                return inText(stream, state);
            }
            if (stream.match(/^\d+(?:\.\d+)?/u)) return 'number';
            if (kind === 'rules' && stream.match(/^@\w*/u)) return 'meta';
            if (!stream.match(/^\w+/u)) {
                stream.next();
                return null;
            }
            const word = stream.current();
            return known.has(foldsCase ? word.toLowerCase() : word) ? 'keyword' : null;
        },
    });
    return [language, syntaxHighlighting(STYLE)];
}

/** Goes on to the end of a text, or of the line. Only texts between three quotes go on in the next one. */
function inText(stream: { eol(): boolean; match(text: string): unknown; next(): unknown }, state: { quote: string | undefined }): string {
    const { quote = '' } = state;
    while (!stream.eol()) {
        if (stream.match(quote)) {
            state.quote = undefined;
            return 'string';
        }
        if (stream.next() === '\\' && !stream.eol()) stream.next();
    }
    if (quote.length === 1) state.quote = undefined;
    return 'string';
}

const STYLE = HighlightStyle.define([
    { tag: tags.comment, class: 'code-comment' },
    { tag: tags.string, class: 'code-string' },
    { tag: tags.number, class: 'code-number' },
    { tag: tags.keyword, class: 'code-keyword' },
    { tag: tags.meta, class: 'code-annotation' },
]);
