import { element, iconButton, setAttributes } from '#extension/surfaces/dom.ts';
import { createRowTools, type RowTools, type RowToolsEvents } from '#extension/surfaces/grid/row-tools.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { OutputSummary } from '#server/protocol/runs.ts';
import { createOutputTabs } from './output-tabs.ts';

export interface ToolbarEvents extends RowToolsEvents {
    opened(key: string): void;
    explainAsked(): void;
    missingAsked(): void;
    exportAsked(button: HTMLElement): void;
    liveSwitched(): void;
}

export interface Toolbar extends Omit<RowTools, 'root'> {
    readonly root: HTMLElement;
    show(outputs: readonly OutputSummary[], current: string | undefined): void;
    /** Whether rows can follow what is typed, and do. */
    setLive(can: boolean, does: boolean): void;
    /** Opens the list of all outputs. */
    listOutputs(): void;
}

/** Tabs of the outputs at the left, tools for the rows at the right; the tabs stand above where there is no room for both. */
export function createToolbar(events: ToolbarEvents): Toolbar {
    const tabs = createOutputTabs(events.opened);
    const explain = iconButton(icon('explain'), l10n.t('Explain the row (E)'), () => events.explainAsked());
    const missing = iconButton(icon('ask'), l10n.t('Why is a row missing? (M)'), () => events.missingAsked());
    const save: HTMLButtonElement = iconButton(icon('export'), l10n.t('Export'), () => events.exportAsked(save), {
        'aria-haspopup': 'menu',
    });
    const live = iconButton(icon('live'), l10n.t('Follow what is typed (L)'), () => events.liveSwitched(), { 'aria-pressed': false });
    live.hidden = true;
    const tools = createRowTools(events, explain, missing, save, live);
    const root = element('div', { class: 'toolbar' }, tabs.root, tools.root);
    return {
        ...tools,
        root,
        show(outputs, current) {
            root.hidden = outputs.length === 0;
            tabs.show(outputs, current);
        },
        setLive(can, does) {
            live.hidden = !can;
            setAttributes(live, { 'aria-pressed': does });
        },
        listOutputs: tabs.list,
    };
}
