import { l10n } from '#extension/surfaces/l10n.ts';
import { openAgent } from './agent-section.ts';
import { openConcepts } from './concepts-section.ts';
import { openDashboards } from './dashboards-section.ts';
import { openData } from './data-section.ts';
import type { Section } from './section.ts';
import { openSettings } from './settings-section.ts';

/** What the page consists of, in the order in which it is listed; the first one is opened where the address names none. */
export const SECTIONS: readonly [Section, ...Section[]] = [
    { id: 'concepts', icon: 'list', isOfProject: true, label: () => l10n.t('Concepts'), open: openConcepts },
    { id: 'dashboards', icon: 'chart', isOfProject: true, label: () => l10n.t('Dashboards'), open: openDashboards },
    { id: 'data', icon: 'data', isOfProject: false, label: () => l10n.t('Data'), open: openData },
    { id: 'agent', icon: 'talk', isOfProject: true, label: () => l10n.t('Agent'), open: openAgent },
    { id: 'settings', icon: 'settings', isOfProject: false, label: () => l10n.t('Settings'), open: openSettings },
];
