import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { ToldToken } from '../language/messages.ts';
import type { LanguageClient } from './language-client.ts';

const told = StateEffect.define<DecorationSet>();

/** Tokens as they were told last; they move with the text until others are told. */
const tokens = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(now, transaction) {
        const newer = transaction.effects.find(effect => effect.is(told));
        return newer === undefined ? now.map(transaction.changes) : (newer.value as DecorationSet);
    },
    provide: field => EditorView.decorations.from(field),
});

/** The colours that names have by what they mean, of what can be seen. */
export function tokenColours(language: LanguageClient): Extension {
    return [tokens, ViewPlugin.define(view => new TokenColours(view, language))];
}

class TokenColours implements PluginValue {
    readonly #view: EditorView;
    readonly #language: LanguageClient;
    #isAsking = false;
    #isOld = false;
    #isGone = false;

    constructor(view: EditorView, language: LanguageClient) {
        this.#view = view;
        this.#language = language;
        void this.#ask();
    }

    update({ docChanged, viewportChanged, startState, state }: ViewUpdate): void {
        if (docChanged || viewportChanged || startState.facet(EditorView.contentAttributes) !== state.facet(EditorView.contentAttributes))
            void this.#ask();
    }

    destroy(): void {
        this.#isGone = true;
    }

    /** Asks once more where the text has changed meanwhile. */
    async #ask(): Promise<void> {
        this.#isOld = true;
        if (this.#isAsking) return;
        this.#isAsking = true;
        while (this.#isOld && !this.#isGone) {
            this.#isOld = false;
            // What is typed at the same time reaches the worker first.
            await Promise.resolve();
            const { state, viewport } = this.#view;
            const found = await this.#language.ask('tokens', { start: viewport.from, end: viewport.to }).catch(() => undefined);
            if (found === undefined || this.#isGone) break;
            if (this.#view.state.doc === state.doc) this.#view.dispatch({ effects: told.of(decorationsOf(found)) });
            else this.#isOld = true;
        }
        this.#isAsking = false;
    }
}

function decorationsOf(found: readonly ToldToken[]): DecorationSet {
    const marks = found
        .filter(({ length }) => length > 0)
        .map(({ start, length, type, modifiers }) => markOf(type, modifiers).range(start, start + length));
    return Decoration.set(marks, true);
}

const marks = new Map<string, Decoration>();

function markOf(type: string, modifiers: readonly string[]): Decoration {
    const classes = [`code-${type}`, ...modifiers.map(modifier => `code-${modifier}`)].join(' ');
    const mark = marks.get(classes) ?? Decoration.mark({ class: classes });
    marks.set(classes, mark);
    return mark;
}
