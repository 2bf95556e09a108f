import {
    autocompletion,
    type Completion,
    type CompletionContext,
    type CompletionResult,
    pickedCompletion,
    snippet,
    startCompletion,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { ToldCompletion, ToldCompletions } from '../language/messages.ts';
import type { LanguageClient } from './language-client.ts';
import { markdownDom } from './markdown-dom.ts';

/** The kinds of completions by the pictures that the list has for them. */
const PICTURES: Readonly<Record<string, string>> = {
    predicate: 'class',
    table: 'class',
    variable: 'variable',
    function: 'function',
    aggregate: 'function',
    'relation-function': 'function',
    parameter: 'constant',
    value: 'constant',
    option: 'property',
    column: 'property',
    type: 'type',
    source: 'namespace',
    library: 'namespace',
    module: 'namespace',
    file: 'text',
    folder: 'text',
};

/** What may be written where the cursor is, as the language knows it: it has chosen and ordered already. */
export function completing(language: LanguageClient): Extension {
    const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
        const { pos, explicit, state } = context;
        const typed = state.sliceDoc(Math.max(0, pos - 1), pos);
        if (!explicit && typed === '') return null;
        const found = await language.ask('complete', { offset: pos, ...(!explicit && { typed }) });
        // Not nothing: letters that came meanwhile ask once more.
        return found === null ? { from: pos, options: [], update: () => null } : resultOf(found, state.sliceDoc(found.start, pos));
    };
    return autocompletion({ override: [source], icons: true, activateOnTypingDelay: 30 });
}

/** While more letters are typed, the ones that have them stay as they are, so that a choice can be made at once. */
function resultOf({ start, end, items, incomplete }: ToldCompletions, typed: string): CompletionResult {
    const options = items.map(optionOf);
    const update: CompletionResult['update'] = (current, from, _, { state, pos }) => {
        const now = state.sliceDoc(from, pos);
        const left = incomplete || !now.startsWith(typed) ? [] : options.filter(({ label }) => hasLetters(label, now));
        return left.length === 0 || !/^[@#?$]?\w*$/u.test(now) ? null : { ...current, from, options: left };
    };
    return { from: start, to: end, filter: false, options, update };
}

/** Whether a label has these letters, in their order. */
function hasLetters(label: string, letters: string): boolean {
    let at = 0;
    for (const letter of letters.toLowerCase()) {
        at = label.toLowerCase().indexOf(letter, at) + 1;
        if (at === 0) return false;
    }
    return true;
}

function optionOf(item: ToldCompletion): Completion {
    const { label, kind, detail, documentation, deprecated } = item;
    return {
        label,
        type: `${PICTURES[kind] ?? 'keyword'}${deprecated ? ' deprecated' : ''}`,
        ...(detail !== undefined && { detail }),
        ...(documentation !== undefined && { info: () => markdownDom(documentation) }),
        apply: (view, completion, from, to) => insert(view, item, completion, from, to),
    };
}

function insert(view: EditorView, item: ToldCompletion, completion: Completion, from: number, to: number): void {
    const { text, placeholders, continues } = item;
    if (placeholders.length > 0) snippet(templateOf(item))(view, completion, from, to);
    else
        view.dispatch({
            changes: { from, to, insert: text },
            selection: { anchor: from + text.length },
            annotations: pickedCompletion.of(completion),
            userEvent: 'input.complete',
            scrollIntoView: true,
        });
    if (continues) startCompletion(view);
}

/** `name(${1:A}, ${2:B})${0}`, with braces that are text behind a backslash. */
function templateOf({ text, placeholders }: ToldCompletion): string {
    const escaped = (part: string): string => part.replace(/[{}]/gu, sign => `\\${sign}`);
    let template = '';
    let before = 0;
    for (const [index, { start, end }] of placeholders.entries()) {
        template += `${escaped(text.slice(before, start))}\${${index + 1}:${escaped(text.slice(start, end))}}`;
        before = end;
    }
    return `${template}${escaped(text.slice(before))}\${0}`;
}
