import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { activateHover, EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { element } from '#extension/surfaces/dom.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ToldSignature } from '../language/messages.ts';
import { doing } from './key-action.ts';
import type { LanguageClient } from './language-client.ts';
import { markdownDom } from './markdown-dom.ts';

/** What something is, under the pointer or, by keys, at the cursor; and what a call takes while its arguments are typed. */
export function hovering(language: LanguageClient): Extension {
    const cards = hoverTooltip(
        async (_, offset): Promise<Tooltip | null> => {
            const card = await language.ask('hover', offset).catch(() => null);
            return (
                card && {
                    pos: card.start,
                    end: card.end,
                    above: true,
                    create: () => ({ dom: element('div', { class: 'card', role: 'tooltip' }, markdownDom(card.markdown)) }),
                }
            );
        },
        { hoverTime: 300 },
    );
    const showCard = (view: EditorView): boolean => {
        const { head } = view.state.selection.main;
        activateHover(view, head, 1, { tooltip: cards, until: ({ docChanged, selection }) => docChanged || selection !== undefined });
        return true;
    };
    return [cards, signatures(language), keymap.of([{ key: 'Mod-k Mod-i', run: showCard, preventDefault: true }])];
}

const told = StateEffect.define<Tooltip | null>();

const shown = StateField.define<Tooltip | null>({
    create: () => null,
    update(now, { effects, changes }) {
        const newer = effects.find(effect => effect.is(told));
        if (newer !== undefined) return newer.value as Tooltip | null;
        return now && { ...now, pos: changes.mapPos(now.pos) };
    },
    provide: field => showTooltip.from(field),
});

/** The call that is being typed, with the argument in it that comes now. */
function signatures(language: LanguageClient): Extension {
    const look = async (view: EditorView): Promise<void> => {
        const { state } = view;
        const { head } = state.selection.main;
        const found = await language.ask('signature', head).catch(() => null);
        if (view.state !== state && view.state.doc !== state.doc) return;
        if (found === null && view.state.field(shown) === null) return;
        view.dispatch({ effects: told.of(found && tooltipOf(found, head)) });
    };
    const hide = (view: EditorView): boolean => {
        if (view.state.field(shown) === null) return false;
        view.dispatch({ effects: told.of(null) });
        return true;
    };
    return [
        shown,
        EditorView.updateListener.of(({ view, docChanged, selectionSet, transactions, state }) => {
            const typed = docChanged && transactions.some(one => one.isUserEvent('input.type'));
            if (typed || (selectionSet && state.field(shown) !== null)) void look(view);
        }),
        EditorView.domEventHandlers({ blur: (_, view) => void hide(view) }),
        keymap.of([
            { key: 'Escape', run: hide },
            { key: 'Mod-Shift-Space', run: doing(view => void look(view)) },
        ]),
    ];
}

function tooltipOf({ label, argument }: ToldSignature, pos: number): Tooltip {
    const { start, end } = argument ?? { start: 0, end: 0 };
    const parts = [visible(label.slice(0, start)), element('strong', {}, visible(label.slice(start, end))), visible(label.slice(end))];
    return { pos, above: true, create: () => ({ dom: element('div', { class: 'card value', role: 'status' }, ...parts) }) };
}
