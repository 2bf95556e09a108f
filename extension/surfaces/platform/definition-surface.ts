import { jsonOf } from '#server/protocol/json-text.ts';
import { element } from '../dom.ts';
import { l10n } from '../l10n.ts';
import { visible, visibleLines } from '../visible-text.ts';
import type { Concept } from './saved-body.ts';

/** What a concept is: its text, perhaps with a line of it marked, one-based, and what it reads and takes. */
export function definitionSurface(concept: Concept, line: number | undefined): HTMLElement {
    const scripts = Object.entries(concept.python_scripts).flatMap(([name, text]) => [
        element('h2', {}, visible(`${name}.py`)),
        code(text, l10n.t('Script {0}', visible(name))),
    ]);
    return element(
        'div',
        { class: 'definition' },
        concept.description === '' ? undefined : element('p', { class: 'prose' }, visibleLines(concept.description)),
        code(concept.definition, l10n.t('Definition'), line),
        ...scripts,
        definitionFacts(concept),
    );
}

/** What it gives, reads and takes. */
export function definitionFacts(concept: Concept): HTMLElement {
    const facts: readonly (readonly [name: string, text: string])[] = [
        [l10n.t('Output'), concept.output_predicate],
        [l10n.t('Reads'), concept.dependencies.join(', ')],
        [l10n.t('Parameters'), concept.params.map(({ name, default: value }) => `${name} = ${jsonOf(value)}`).join(', ')],
    ];
    return element(
        'dl',
        {},
        ...facts.flatMap(([name, text]) =>
            text === '' ? [] : [element('dt', {}, name), element('dd', { class: 'value' }, visible(text))],
        ),
    );
}

function code(text: string, label: string, marked?: number): HTMLElement {
    const lines = visibleLines(text).split('\n');
    const at = marked === undefined ? -1 : marked - 1;
    const after = lines.slice(at + 1);
    return element(
        'pre',
        { tabindex: 0, 'aria-label': label },
        ...(lines[at] === undefined
            ? [lines.join('\n')]
            : [
                  lines
                      .slice(0, at)
                      .map(line => `${line}\n`)
                      .join(''),
                  element('mark', { class: 'marked-line' }, `${lines[at]}\n`),
                  after.join('\n'),
              ]),
    );
}
