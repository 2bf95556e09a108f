import { element } from '#extension/webviews/dom.ts';
import { countText } from '#extension/webviews/number-text.ts';
import { visible } from '#extension/webviews/visible-text.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';

export type Project = Awaited<ReturnType<PlatformClient['listProjects']>>[number];

/** The projects of both scopes, as a list to choose from. */
export interface ProjectNav {
    readonly root: HTMLElement;
    show(projects: readonly Project[], chosen: Project | undefined): void;
}

const SCOPES = [
    { scope: 'user', title: 'Projects' },
    { scope: 'organization', title: 'Projects of the organization' },
] as const;

export function createProjectNav(choose: (project: Project) => void): ProjectNav {
    const root = element('nav', { class: 'projects', 'aria-label': 'Projects' });
    const entry = (project: Project, isChosen: boolean): HTMLElement => {
        const count = countText(project.concept_count);
        const made = element(
            'button',
            { type: 'button', class: 'project', title: project.id, 'aria-current': isChosen ? 'true' : undefined },
            element('span', { class: 'project-name' }, visible(project.name)),
            element('span', { class: 'count', 'aria-label': `${count} concepts` }, count),
        );
        made.addEventListener('click', () => choose(project));
        return element('li', {}, made);
    };
    return {
        root,
        show(projects, chosen) {
            const focused = ([...root.querySelectorAll('button')] as readonly (Element | null)[]).indexOf(document.activeElement);
            root.replaceChildren(
                ...SCOPES.flatMap(({ scope, title }) => {
                    const own = projects.filter(project => project.scope === scope);
                    if (own.length === 0) return [];
                    const entries = own.map(project => entry(project, project.id === chosen?.id && project.scope === chosen.scope));
                    return [element('h2', {}, title), element('ul', {}, ...entries)];
                }),
            );
            root.querySelectorAll('button')[focused]?.focus();
        },
    };
}
