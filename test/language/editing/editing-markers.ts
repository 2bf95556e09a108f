import { type OpenDocument, openDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import { codeLenses } from '#language/editing/code-lenses.ts';
import { completions } from '#language/editing/completions.ts';
import { declaration, definition, implementation, typeDefinition } from '#language/editing/definition.ts';
import { documentLinks } from '#language/editing/document-links.ts';
import { factQuestion } from '#language/editing/fact-question.ts';
import { folding } from '#language/editing/folding.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { formatRange } from '#language/editing/format-range.ts';
import { highlights } from '#language/editing/highlights.ts';
import { hoverCard } from '#language/editing/hover-card.ts';
import { inlineCompletion } from '#language/editing/inline-completion.ts';
import { inlineValues } from '#language/editing/inline-values.ts';
import { linkedRanges } from '#language/editing/linked-ranges.ts';
import { type OutlineItem, outline } from '#language/editing/outline.ts';
import { narrowerThan, widerThan } from '#language/editing/predicate-inclusions.ts';
import { neededBy, predicatesAt, usersOf } from '#language/editing/predicate-uses.ts';
import { quickFixes } from '#language/editing/quick-fixes.ts';
import { refactorings } from '#language/editing/refactorings.ts';
import { references } from '#language/editing/references.ts';
import { renameEdits } from '#language/editing/rename-edits.ts';
import { selectionRanges } from '#language/editing/selection-ranges.ts';
import { semanticTokens } from '#language/editing/semantic-tokens.ts';
import { signatureHelp } from '#language/editing/signature-help.ts';
import { workspaceSymbols } from '#language/editing/workspace-symbols.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { type Workspace, workspaceOf } from '#language/symbols/workspace.ts';
import type { Fixture, FixtureFile, Marker, MarkerFunction } from '../../support/marker-fixture.ts';
import { finding } from '../../support/modules.ts';

/** The answers of the editing functions as markers state them. Ranges that are not those of the marker are written out. */
const MARKERS: readonly (readonly [string, MarkerFunction])[] = [
    ['hover', hover],
    ['complete', complete],
    ['inline', inline],
    ['definition', leading(definition)],
    ['declaration', leading(declaration)],
    ['implementation', leading(implementation)],
    ['type', leading(typeDefinition)],
    ['values', values],
    ['references', refer],
    ['rename', rename],
    ['highlight', highlight],
    ['signature', signature],
    ['select', select],
    ['question', question],
    ['tokens', tokens],
    ['fold', fold],
    ['lens', lens],
    ['outline', outlined],
    ['links', links],
    ['linked', linked],
    ['users', users],
    ['needs', needs],
    ['wider', wider],
    ['narrower', narrower],
    ['symbols', symbols],
    ['format', format],
    ['fix', fix],
    ['refactorings', offered],
    ['refactor', refactor],
];

export const EDITING_MARKERS: ReadonlyMap<string, MarkerFunction> = new Map(
    MARKERS.map(([name, answer]) => [
        name,
        (file, marker, fixture) => {
            openAll(fixture);
            return answer(file, marker, fixture);
        },
    ]),
);

interface Opened {
    readonly document: OpenDocument;
    readonly workspace: Workspace;
}

const OPENED = new WeakMap<FixtureFile, OpenDocument>();

/** Opens the files of a fixture, which may include each other. */
function openAll({ files }: Fixture): void {
    if (files.every(file => OPENED.has(file))) return;
    const find = finding(files.map(({ name, text }) => [name, text]));
    for (const file of files) OPENED.set(file, openDocument(file.text, file.name, { sql: readQuery }, find));
}

function documentOf(file: FixtureFile): OpenDocument {
    return OPENED.get(file) ?? openDocument(file.text, file.name);
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

const FILES = ['data/', 'data/people.csv', 'data/old/', 'data/old/people.csv', 'data/rules.rulelang', 'readme.txt'];

const ERRORS: readonly (readonly [string, string])[] = [
    ['RL2002', 'Unbound variable'],
    ['RT011', 'Division by zero'],
];

/** The texts that a run found, by predicate and column. */
const RAN = new Map([['city/2 0', ['Graz', 'Linz']]]);

/** The first labels at the end of the marker, `…` for more, and the first insertion where it is not the label. */
function complete(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const listFiles = (prefix: string): readonly string[] => FILES.filter(path => path.startsWith(prefix));
    const found = completions(document, marker.end, {
        limit: 500,
        listFiles,
        modules: () => ['shared', 'read-only'],
        errors: () => ERRORS,
        textsOf: (key, column, begun) => (RAN.get(`${key} ${column}`) ?? []).filter(text => text.startsWith(begun)),
    });
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

function leading(find: typeof definition): MarkerFunction {
    return (file, marker, fixture) => {
        const { document, workspace } = opened(file, fixture);
        const found = find(workspace, document, marker.start);
        if (found === undefined) return 'nothing';
        const targets = found.targets.map(target => place(fixture, file, target));
        return `${shown(document, found.origin, marker)} ${targets.join(', ')}`.trim();
    };
}

/** The variables whose values a debugger that has stopped at the marker shows. */
function values(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    return (
        inlineValues(document, marker.start)
            .map(({ name, range }) => `${name} ${shown(document, range).split(' ')[0]}`)
            .join(', ') || 'nothing'
    );
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

function highlight(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const found = highlights(document, marker.start).map(
        ({ range, kind }) => `${shown(document, range).split(' ')[0]}${kind === 'write' ? '=' : ''}`,
    );
    return found.join(' ') || 'nothing';
}

/** The label with the current argument in brackets, at the end of the marker. */
function signature(file: FixtureFile, marker: Marker): string {
    const help = signatureHelp(documentOf(file), marker.end);
    if (help === undefined) return 'nothing';
    const { label, parameters } = help.signature;
    const place = parameters[help.argument];
    return place === undefined ? label : `${label.slice(0, place.start)}[${label.slice(place.start, place.end)}]${label.slice(place.end)}`;
}

function select(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const ranges = selectionRanges(document, marker.start).slice(0, -1);
    return ranges.map(({ start, end }) => document.text.slice(start, end).replaceAll('\n', '⏎')).join(' ‹ ');
}

/** What is suggested at the end of the marker, and what it takes away. */
function inline(file: FixtureFile, marker: Marker): string {
    const found = inlineCompletion(documentOf(file), marker.end);
    if (found === undefined) return 'nothing';
    const { start, end } = found.range;
    return `${found.text.replaceAll(' ', '␣').replaceAll('\n', '⏎')}${end > start ? ` for ${file.text.slice(start, end)}` : ''}`;
}

function question(file: FixtureFile, marker: Marker): string {
    return factQuestion(documentOf(file), marker.start) ?? 'nothing';
}

/** The tokens of the marked line. */
function tokens(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const start = file.text.lastIndexOf('\n', marker.start - 1) + 1;
    const lineEnd = file.text.indexOf('\n', marker.start);
    const end = lineEnd < 0 ? file.text.length : lineEnd;
    const found = semanticTokens(document, { start, end }).filter(token => token.start >= start && token.start < end);
    return found
        .map(({ start: at, length, type, modifiers }) => `${file.text.slice(at, at + length)}:${[type, ...modifiers].join('.')}`)
        .join('  ');
}

/** The folds that begin on the marked line, with their last lines. */
function fold(file: FixtureFile, marker: Marker): string {
    const line = (offset: number): number => file.text.slice(0, offset).split('\n').length;
    const own = folding(documentOf(file)).filter(({ range }) => line(range.start) === line(marker.start));
    return own.map(({ range, kind }) => `${kind} to ${line(range.end)}`).join(', ') || 'nothing';
}

/** The lenses at the start of the marker. */
function lens(file: FixtureFile, marker: Marker): string {
    const own = codeLenses(documentOf(file)).filter(({ range }) => range.start === marker.start);
    return own.map(({ action, predicate, output }) => `${action} ${predicate}${output ? ' (output)' : ''}`).join(' · ') || 'nothing';
}

/** The outline of the whole file. */
function outlined(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const lines = (items: readonly OutlineItem[], indent: string): string[] =>
        items.flatMap(item => [`${indent}${item.kind} ${item.name} ${item.detail}`.trimEnd(), ...lines(item.children, `${indent}  `)]);
    return matched(marker.expectation, fixture.goldens.get(marker.expectation), lines(outline(documentOf(file)), '').join('\n'));
}

function links(file: FixtureFile): string {
    const document = documentOf(file);
    return documentLinks(document)
        .map(({ range, path }) => `${shown(document, range)} -> ${path}`)
        .join(', ');
}

/** All places of the variable that is typed at once. */
function linked(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const ranges = linkedRanges(document, marker.start) ?? [];
    return ranges.map(range => shown(document, range).split(' ')[0]).join(' ') || 'nothing';
}

/** The predicates derived from the one at the marker, with what is remarkable and the places of its atoms. */
function users(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    return used(file, marker, fixture, usersOf);
}

/** What the predicate at the marker needs. */
function needs(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    return used(file, marker, fixture, neededBy);
}

function used(file: FixtureFile, marker: Marker, fixture: Fixture, uses: typeof usersOf): string {
    const { document, workspace } = opened(file, fixture);
    const found = predicatesAt(document, marker.start).flatMap(({ key }) => uses(workspace, document, key));
    const texts = found.map(({ predicate: { key, marks }, places }) => {
        const at = places.ranges.map(range => place(fixture, file, { file: places.file, range }));
        return [key, ...marks, at.join(' ')].join(' ');
    });
    return texts.join(', ') || 'nothing';
}

function wider(file: FixtureFile, marker: Marker): string {
    return including(documentOf(file), marker, widerThan);
}

function narrower(file: FixtureFile, marker: Marker): string {
    return including(documentOf(file), marker, narrowerThan);
}

function including(document: OpenDocument, marker: Marker, among: typeof widerThan): string {
    const found = predicatesAt(document, marker.start).flatMap(({ key }) => among(document, key));
    return found.map(({ key }) => key).join(' ') || 'nothing';
}

/** The symbols of all files that fit the marked word. */
function symbols(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const { workspace } = opened(file, fixture);
    const found = workspaceSymbols(workspace, file.text.slice(marker.start, marker.end), 5);
    return found.map(symbol => `${symbol.name} ${place(fixture, file, symbol)}`).join(', ') || 'nothing';
}

/** `CODE title => changed lines` for each fix of the problem at the marker. */
function fix(file: FixtureFile, marker: Marker): string {
    const document = documentOf(file);
    const [code = ''] = marker.expectation.split(' ');
    const problem = document.problems.find(found => found.code === code && rangeOf(found).start === marker.start);
    const fixes = problem === undefined ? [] : quickFixes(document, problem);
    const texts = fixes.map(({ title, edits }) => `${title} => ${changedLines(file.text, applied(file.text, edits))}`);
    return `${code} ${texts.join(' || ') || 'nothing'}`;
}

/** The titles of what is offered for the marked range. */
function offered(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const { document, workspace } = opened(file, fixture);
    return (
        refactorings(workspace, document, marker)
            .map(({ title }) => title)
            .join(' · ') || 'nothing'
    );
}

/** `title => changed lines`, those of other files behind their names. A marker of one unit is a cursor. */
function refactor(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const [title = ''] = marker.expectation.split(' => ');
    const { document, workspace } = opened(file, fixture);
    const found = refactorings(workspace, document, marker).find(other => other.title === title);
    const edits = [...(found?.edits() ?? [])].filter(([, changes]) => changes.length > 0);
    const texts = edits.map(([name, changes]) => {
        const text = fixture.files.find(other => other.name === name)?.text ?? '';
        return `${name === file.name ? '' : `${name}: `}${changedLines(text, applied(text, changes))}`;
    });
    return `${title} => ${texts.join(' || ') || 'nothing'}`;
}

/** The lines of the second text that the first has not, trimmed. */
function changedLines(before: string, after: string): string {
    const lines = new Set(before.split('\n'));
    return (
        after
            .split('\n')
            .filter(line => !lines.has(line))
            .map(line => line.trim())
            .join(' ⏎ ') || '(lines removed)'
    );
}

function format(file: FixtureFile, marker: Marker, fixture: Fixture): string {
    const edits = formatRange(documentOf(file), marker);
    return matched(marker.expectation, fixture.goldens.get(marker.expectation.split(' ').at(-1) ?? ''), applied(file.text, edits));
}

/** What the marker says when the section has the text, else the text itself. Sections are not updated. */
function matched(expectation: string, golden: string | undefined, text: string): string {
    const updating = process.env.UPDATE_FIXTURES !== undefined;
    return updating || golden?.trim() === text.trim() ? expectation : `${expectation}\n${text}`;
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
