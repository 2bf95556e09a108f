import { element } from '#extension/surfaces/dom.ts';
import { textWidth } from '#extension/surfaces/grid/text-width.ts';
import { isProblemsOutput, isRowsOutput, PROBLEMS_MIME } from './messages.ts';
import { createOutputLink, type RendererContext } from './output-link.ts';
import { problemsView } from './problems-view.ts';
import { type RowsView, rowsView } from './rows-view.ts';

interface OutputItem {
    readonly id: string;
    readonly mime: string;
    json(): unknown;
}

interface Renderer {
    renderOutputItem(item: OutputItem, place: HTMLElement): Promise<void>;
    /** Of one item, or of all. */
    disposeOutputItem(id?: string): void;
}

/** Draws the outputs of notebooks. An editor loads it when it shows the first of them. */
export async function activate(context: RendererContext): Promise<Renderer> {
    const link = createOutputLink(context);
    const shown = new Map<string, RowsView>();
    await Promise.all([link.ready, loadStyle()]);
    const dispose = (id: string): void => {
        shown.get(id)?.dispose();
        shown.delete(id);
    };
    return {
        async renderOutputItem(item, place) {
            const { id, mime } = item;
            dispose(id);
            const given = item.json();
            const root = element('div', { class: 'rulelang-output' });
            place.replaceChildren(root);
            if (mime === PROBLEMS_MIME && isProblemsOutput(given)) root.append(problemsView(given, link));
            else if (isRowsOutput(given)) {
                const made = rowsView(given, link, textWidth(root));
                shown.set(id, made);
                root.append(made.root);
            }
        },
        disposeOutputItem(id) {
            for (const one of id === undefined ? [...shown.keys()] : [id]) dispose(one);
        },
    };
}

/** The style sheet beside this file; it reaches what is drawn here alone. */
function loadStyle(): Promise<void> {
    const style = element('link', { rel: 'stylesheet', href: new URL('notebook-outputs.css', import.meta.url).href });
    return new Promise(resolve => {
        for (const end of ['load', 'error']) style.addEventListener(end, () => resolve());
        document.head.append(style);
    });
}
