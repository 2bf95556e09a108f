import { completions } from '#language/editing/completions.ts';
import { definition } from '#language/editing/definition.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { type OpenDocument, openDocument, type TextRange } from '#language/editing/open-document.ts';
import { references } from '#language/editing/references.ts';
import { renameEdits } from '#language/editing/rename-edits.ts';
import { type Workspace, workspaceOf } from '#language/symbols/workspace.ts';
import type { Fixture, FixtureFile, Marker, MarkerFunction } from '../../support/marker-fixture.ts';

/** The answers of the editing functions as markers state them. Ranges that are not those of the marker are written out. */
export const EDITING_MARKERS: ReadonlyMap<string, MarkerFunction> = new Map<string, MarkerFunction>([
    ['hover', hover],
    ['complete', complete],
    ['definition', define],
    ['references', refer],
    ['rename', rename],
]);

interface Opened {
    readonly document: OpenDocument;
    readonly workspace: Workspace;
}

const OPENED = new WeakMap<FixtureFile, OpenDocument>();

function documentOf(file: FixtureFile): OpenDocument {
    let document = OPENED.get(file);
    if (document === undefined) {
        document = openDocument(file.text, file.name);
        OPENED.set(file, document);
    }
    return document;
}

function opened(file: FixtureFile, fixture: Fixture): Opened {
    return { document: documentOf(file), workspace: workspaceOf(...fixture.files.map(documentOf)) };
}

/** `3:5 name` for a range; nothing for that of the marker. */
function shown({ text }: OpenDocument, range: TextRange, marker?: TextRange): string {
    if (marker !== undefined && marker.start === range.start && marker.end === range.end) return '';
    const before = text.slice(0, range.start).split('\n');
    const inside = text.slice(range.start, range.end).replaceAll('\n', '⏎');
    return `${before.length}:${(before.at(-1) ?? '').length + 1} ${inside}`.trim();
}

/** The card without its marks of code, one line for its paragraphs. */
function hover(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const card = hoverCard(document, marker.start);
    if (card === undefined) return 'nothing';
    const text = card.markdown.replace(/```+(?:rulelang)?\n?/g, '').replace(/\s*\n\s*/g, ' | ');
    return [shown(document, card.range, marker), text.replace(/^ \| | \| $/g, '').trim()].filter(part => part !== '').join(' ');
}

const FILES = ['data/', 'data/people.csv', 'data/old/', 'data/old/people.csv', 'readme.txt'];

/** The first labels at the end of the marker, `…` for more, and the first insertion where it is not the label. */
function complete(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const listFiles = (prefix: string): readonly string[] => FILES.filter(path => path.startsWith(prefix));
    const found = completions(document, marker.end, { limit: 500, listFiles });
    if (found === undefined) return 'nothing';
    const empty = found.range.start === marker.end && found.range.end === marker.end;
    const items = found.items.slice(0, 4).map(({ label, insert }) => {
        let text = insert.text;
        for (const { start, end } of [...insert.placeholders].reverse())
            text = `${text.slice(0, start)}‹${text.slice(start, end)}›${text.slice(end)}`;
        return text === label ? label : `${label}=${text.replaceAll(' ', '␣')}`;
    });
    const more = found.items.length > 4 ? ` …${found.items.length}` : '';
    return `${empty ? '+' : shown(document, found.range, marker)} ${items.join(' ')}${more}`.trim();
}

function define(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const { document, workspace } = opened(file, fixture);
    const found = definition(workspace, document, marker.start);
    if (found === undefined) return 'nothing';
    const targets = found.targets.map(target => place(fixture, file, target));
    return `${shown(document, found.origin, marker)} ${targets.join(', ')}`.trim();
}

function refer(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const { document, workspace } = opened(file, fixture);
    const found = references(workspace, document, marker.start);
    if (found.length === 0) return 'nothing';
    return found.map(reference => `${place(fixture, file, reference)}${KIND_MARKS[reference.kind]}`).join(', ');
}

const KIND_MARKS = { definition: '=', declaration: '@', use: '', negated: '!' };

/** Line and column, with the file when it is another one. */
function place(fixture: Fixture, from: FixtureFile, { file, range }: { readonly file: string; readonly range: TextRange }): string {
    const other = fixture.files.find(({ name }) => name === file) ?? from;
    const at = shown(documentOf(other), range).split(' ')[0];
    return file === from.name ? `${at}` : `${file}:${at}`;
}

/** `newName -> @section`, or why not. */
function rename(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const [newName = '', , section = ''] = marker.expectation.split(' ');
    const { document, workspace } = opened(file, fixture);
    const renaming = renameEdits(workspace, document, marker.start, newName);
    if (renaming.kind === 'refused') return `${newName} refused: ${renaming.message}`;
    const texts = [...renaming.edits].map(([name, edits]) => {
        const text = applied(fixture.files.find(other => other.name === name)?.text ?? '', edits);
        return renaming.edits.size === 1 ? text : `${name}\n${text}`;
    });
    return matched(`${newName} -> ${section}`, fixture.goldens.get(section), texts.join('\n'));
}

/** What the marker says when the section has the text, else the text itself. */
export function matched(expectation: string, golden: string | undefined, text: string): string {
    return golden?.trim() === text.trim() ? expectation : `${expectation}\n${text}`;
}

/** The text with the edits made; they must not overlap. */
export function applied(text: string, edits: readonly TextEdit[]): string {
    const sorted = [...edits].sort((a, b) => b.start - a.start || b.end - a.end);
    let result = text;
    let before = Number.POSITIVE_INFINITY;
    for (const { start, end, text: replacement } of sorted) {
        if (end > before || start > end) throw new Error(`Edits overlap at ${start}`);
        result = result.slice(0, start) + replacement + result.slice(end);
        before = start;
    }
    return result;
}
