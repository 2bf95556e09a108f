import { element, iconButton } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import type { Running } from '#extension/surfaces/platform/runs-table.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';

export type Project = Awaited<ReturnType<PlatformClient['listProjects']>>[number];

/** The projects of both scopes, as a list to choose from. */
export interface ProjectNav {
    readonly root: HTMLElement;
    show(projects: readonly Project[], chosen: Project | undefined, mayChange: boolean): void;
    /** Marks the projects in which something runs. */
    mark(running: readonly Running[]): void;
}

const SCOPES = ['user', 'organization'] as const;

function keyOf(scope: string, id: string): string {
    return `${scope}/${id}`;
}

function runningMark(): HTMLElement {
    return element('span', { class: 'running-mark', role: 'img', 'aria-label': l10n.t('Something runs'), title: l10n.t('Something runs') });
}

/** `create` makes a new one; the button for that is shown to those who may. */
export function createProjectNav(choose: (project: Project) => void, create: () => void): ProjectNav {
    const add = iconButton(icon('add'), l10n.t('New project'), create, { class: 'icon-button new-project' });
    const root = element('nav', { class: 'projects', 'aria-label': l10n.t('Projects') });
    const entries = new Map<string, HTMLElement>();
    let running: readonly Running[] = [];
    const entry = (project: Project, isChosen: boolean): HTMLElement => {
        const count = countText(project.concept_count);
        const made = element(
            'button',
            { type: 'button', class: 'project', title: project.id, 'aria-current': isChosen ? 'true' : undefined },
            element('span', { class: 'project-name' }, visible(project.name)),
            element(
                'span',
                { class: 'count', 'aria-label': project.concept_count === 1 ? l10n.t('1 concept') : l10n.t('{0} concepts', count) },
                count,
            ),
        );
        made.addEventListener('click', () => choose(project));
        entries.set(keyOf(project.scope, project.id), made);
        return element('li', {}, made);
    };
    return {
        root,
        show(projects, chosen, mayChange) {
            const focused = ([...root.querySelectorAll('button')] as readonly (Element | null)[]).indexOf(document.activeElement);
            entries.clear();
            root.replaceChildren(
                ...(mayChange && projects.length > 0 ? [add] : []),
                ...SCOPES.flatMap(scope => {
                    const own = projects.filter(project => project.scope === scope);
                    if (own.length === 0) return [];
                    const entries = own.map(project => entry(project, project.id === chosen?.id && project.scope === chosen.scope));
                    return [
                        element('h2', {}, scope === 'user' ? l10n.t('Projects') : l10n.t('Projects of the organization')),
                        element('ul', {}, ...entries),
                    ];
                }),
            );
            root.querySelectorAll('button')[focused]?.focus();
            this.mark(running);
        },
        mark(now) {
            running = now;
            const busy = new Set(now.map(({ concept }) => concept && keyOf(concept.scope, concept.project_id)));
            for (const [key, made] of entries) {
                made.querySelector('.running-mark')?.remove();
                if (busy.has(key)) made.querySelector('.count')?.before(runningMark());
            }
        },
    };
}
