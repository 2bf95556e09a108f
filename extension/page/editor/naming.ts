import type { Extension } from '@codemirror/state';
import { EditorView, keymap, showDialog } from '@codemirror/view';
import { l10n } from '#extension/surfaces/l10n.ts';
import { changesIn } from './finding-problems.ts';
import { doing } from './key-action.ts';
import type { LanguageClient } from './language-client.ts';

export interface NamingEvents {
    /** Opens another concept of the project. */
    openConcept(name: string): void;
    announce(text: string): void;
}

/** Where a name comes from (F12, or a click with Ctrl), and another one for it (F2). */
export function naming(language: LanguageClient, { openConcept, announce }: NamingEvents): Extension {
    const define = async (view: EditorView, offset: number): Promise<void> => {
        const found = await language.ask('define', offset);
        if (found.kind === 'concept') openConcept(found.name);
        else if (found.kind === 'none') announce(l10n.t('Nothing here has a definition'));
        else view.dispatch({ selection: { anchor: found.start, head: found.end }, effects: EditorView.scrollIntoView(found.start) });
    };
    const rename = async (view: EditorView): Promise<void> => {
        const offset = view.state.selection.main.head;
        const now = await language.ask('rename', { offset });
        if (now.kind === 'refused') announce(now.message);
        if (now.kind !== 'name') return;
        const { result } = showDialog(view, {
            label: l10n.t('New name'),
            input: { name: 'name', value: now.name, 'aria-label': l10n.t('New name'), spellcheck: 'false', autocomplete: 'off' },
            submitLabel: l10n.t('Rename'),
            focus: true,
            top: true,
        });
        const field = (await result)?.elements.namedItem('name');
        if (!(field instanceof HTMLInputElement) || field.value === now.name) return view.focus();
        const { doc } = view.state;
        const renaming = await language.ask('rename', { offset, to: field.value });
        if (renaming.kind === 'refused') announce(renaming.message);
        if (renaming.kind === 'edits' && view.state.doc === doc)
            view.dispatch({ changes: changesIn(view.state, renaming.edits), userEvent: 'input.rename' });
        view.focus();
    };
    return [
        keymap.of([
            { key: 'F12', run: doing(view => void define(view, view.state.selection.main.head)) },
            { key: 'F2', run: doing(view => void rename(view)) },
        ]),
        EditorView.domEventHandlers({
            click(event, view) {
                if (!(event.ctrlKey || event.metaKey)) return false;
                const offset = view.posAtCoords({ x: event.clientX, y: event.clientY });
                if (offset !== null) void define(view, offset);
                return offset !== null;
            },
        }),
    ];
}
