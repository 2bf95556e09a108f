import { element } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { hashOf } from './route.ts';
import type { PageHost, Section } from './section.ts';

/** The sections as links: a column at the left, a row above where the window is narrow. */
export interface SectionNav {
    readonly root: HTMLElement;
    /** Marks the section that is open; the links lead to the others in the same project. */
    show(chosen: Section, of: Pick<PageHost, 'scope' | 'project'> | undefined): void;
}

export function createSectionNav(sections: readonly Section[]): SectionNav {
    // They lead somewhere before it is known which projects there are.
    const links = sections.map(section => {
        const href = hashOf({ section: section.id, project: undefined, item: undefined });
        return element('a', { class: 'section', href }, icon(section.icon), element('span', {}, section.label()));
    });
    return {
        root: element('nav', { class: 'sections', 'aria-label': l10n.t('Sections') }, ...links),
        show(chosen, of) {
            const project = of && { scope: of.scope, id: of.project.id };
            for (const [i, link] of links.entries()) {
                const section = sections[i] ?? chosen;
                link.href = hashOf({ section: section.id, project, item: undefined });
                if (section === chosen) link.setAttribute('aria-current', 'page');
                else link.removeAttribute('aria-current');
            }
        },
    };
}
