import { element } from '#extension/surfaces/dom.ts';
import { icon } from '#extension/surfaces/icons.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { visibleLines } from '#extension/surfaces/visible-text.ts';
import type { PlacedProblem } from './editor/finding-problems.ts';

/** Problems that are listed; the count tells of the others. */
const MOST = 200;

/** The problems of a text as a list; choosing one leads to its place. */
export function problemList(problems: readonly PlacedProblem[], choose: (problem: PlacedProblem) => void): HTMLElement {
    const title = problems.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', countText(problems.length));
    const entries = problems.slice(0, MOST).map(problem => {
        const { severity, line, column, code, message } = problem;
        const picture = icon(severity === 'hint' ? 'information' : severity);
        const entry = element(
            'button',
            { type: 'button', class: `problem ${severity}` },
            element('span', { class: 'problem-picture', role: 'img', 'aria-label': severityText(severity) }, picture),
            element('span', { class: 'problem-message' }, visibleLines(message)),
            element('span', { class: 'muted small' }, `${code} ${line}:${column}`),
        );
        entry.addEventListener('click', () => choose(problem));
        return element('li', {}, entry);
    });
    return element('section', { class: 'problems', 'aria-label': title }, element('h2', {}, title), element('ul', {}, ...entries));
}

function severityText(severity: PlacedProblem['severity']): string {
    switch (severity) {
        case 'error':
            return l10n.t('Error');
        case 'warning':
            return l10n.t('Warning');
        case 'information':
            return l10n.t('Information');
        case 'hint':
            return l10n.t('Hint');
    }
}
