import { element } from '#extension/webviews/dom.ts';
import { visible, visibleLines } from '#extension/webviews/visible-text.ts';
import type { Concept } from './project-surface.ts';

/** What a concept is: its text, and what it reads and takes. */
export function definitionSurface(concept: Concept): HTMLElement {
    const facts: readonly (readonly [name: string, text: string])[] = [
        ['Output', concept.output_predicate],
        ['Reads', concept.dependencies.join(', ')],
        ['Parameters', concept.params.map(({ name, default: value }) => `${name} = ${JSON.stringify(value)}`).join(', ')],
    ];
    const scripts = Object.entries(concept.python_scripts).flatMap(([name, text]) => [
        element('h2', {}, visible(`${name}.py`)),
        code(text, `Script ${visible(name)}`),
    ]);
    return element(
        'div',
        { class: 'definition' },
        concept.description === '' ? undefined : element('p', { class: 'prose' }, visibleLines(concept.description)),
        code(concept.definition, 'Definition'),
        ...scripts,
        element(
            'dl',
            {},
            ...facts.flatMap(([name, text]) =>
                text === '' ? [] : [element('dt', {}, name), element('dd', { class: 'value' }, visible(text))],
            ),
        ),
    );
}

function code(text: string, label: string): HTMLElement {
    return element('pre', { tabindex: 0, 'aria-label': label }, visibleLines(text));
}
