import type { RowSource } from '#extension/surfaces/grid/row-source.ts';
import { type AskingLink, askingLink } from '../asking-link.ts';
import { type HostMessage, RESULTS, VIEW_METHODS, type ViewMessage, type ViewMethods } from './messages.ts';

/** The view's end of the conversation with its host. */
export type ResultsLink = AskingLink<
    ViewMethods,
    Exclude<HostMessage, { readonly kind: 'answer' | 'refusal' }>,
    Exclude<ViewMessage, { readonly kind: 'ask' | 'giveUp' }>
>;

/** The rows of the run that is shown. */
export function hostRows(link: ResultsLink): RowSource {
    return {
        page: (view, offset, limit) => link.ask('rulelang/page', { view, offset, limit }),
        grouped: view => link.ask('rulelang/grouped', { view }),
        facts: async (view, offset, limit) => (await link.ask('rulelang/facts', { view, offset, limit })).text,
        cell: async (view, row, column) => (await link.ask('rulelang/cell', { view, row, column })).text,
    };
}

export function createHostLink(): ResultsLink {
    return askingLink<ViewMethods, HostMessage, ViewMessage>(RESULTS, VIEW_METHODS);
}
