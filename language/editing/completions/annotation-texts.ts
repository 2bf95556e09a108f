import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { ANNOTATIONS, EXPECTATIONS, namesPredicate } from '#language/library/annotation-catalogue.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import { TYPE_NAMES } from '#language/library/type-names.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { isFileSource } from '#language/symbols/annotation-mentions.ts';
import { introduces } from '#language/symbols/document-symbols.ts';
import { type Candidate, type Completion, type Insertion, plain } from '../completion.ts';
import type { CompletionContext, CompletionPlace } from '../completion-context.ts';
import type { CompletionOptions, TablesOf } from '../completion-options.ts';
import { directiveDocumentation } from '../directive-documentation.ts';
import { expectationDocumentation } from '../expectation-documentation.ts';
import { fileCompletions, quoted } from './files.ts';
import type { FoundTexts } from './found-texts.ts';
import { moduleCompletions } from './modules.ts';
import { isOnlyTypedHere, nameCompletion } from './predicates.ts';
import { boundTables, tableCompletions, typeText } from './source-tables.ts';
import { sourceCompletions } from './source-texts.ts';

type Place<K extends CompletionPlace['kind']> = Extract<CompletionPlace, { kind: K }>;

/** Completions for an argument of an annotation outside quotes: predicates, with their quotes. */
export function* argumentCompletions(
    document: OpenDocument,
    { range }: CompletionContext,
    { annotation, index }: Place<'argument'>,
): Iterable<Candidate> {
    const typed = document.text.slice(range.start, range.end);
    if (index > 0 || !namesPredicate(annotation)) return;
    for (const { label, rank, build } of predicateNames(document, annotation, typed)) {
        yield { label, rank, build: () => ({ ...build(), insert: plain(`"${label}"`) }) };
    }
}

/** Completions in the text of an annotation at the offset. */
export function textCompletions(
    document: OpenDocument,
    offset: number,
    context: CompletionContext,
    place: Place<'text'>,
    { listFiles, modules, tablesOf, errors }: Required<Pick<CompletionOptions, 'listFiles' | 'modules' | 'tablesOf' | 'errors'>>,
): FoundTexts {
    const { range, prefix } = context;
    const { annotation, index, given, before } = place;
    const found = (items: Iterable<Completion | Candidate>): FoundTexts => ({ items, range, prefix });
    const isFile = annotation === 'bind' && isFileSource(/^\s*(\w*)/.exec(given[1] ?? '')?.[1] ?? '');
    switch (ANNOTATIONS.get(annotation)?.parameters[index]?.name) {
        case 'predicate':
        case 'name form':
            return found(predicateNames(document, annotation, document.text.slice(range.start, range.end)));
        case 'source':
            return sourceCompletions(document, offset, before, tablesOf);
        case 'outer':
            return isFile ? fileCompletions(document, offset, before, '', true, listFiles) : found([]);
        case 'inner':
            return isFile
                ? fileCompletions(document, offset, before, given[2] ?? '', false, listFiles)
                : tableCompletions(document, offset, before, given, tablesOf);
        case 'module':
            return moduleCompletions(document, offset, before, modules(), listFiles);
        case 'directive':
            return found(directives(document, given[0] ?? '', before));
        case 'fields':
            return found(fields(document, given[0] ?? '', before));
        case 'type':
            return found(types());
        case 'column':
            return found(headerNames(document, given[0] ?? '', tablesOf));
        case 'keys':
            return found(columnNames(document, given[0] ?? ''));
        case 'library':
            return found(libraries());
        case 'expectation':
            return found(expectations());
        case 'code':
            return found(errorCodes(errors()));
        default:
            return found([]);
    }
}

/** Names of predicates, those first that the annotation is usually about. */
function* predicateNames(document: OpenDocument, annotation: string, typed: string): Iterable<Candidate> {
    const { analysed } = document;
    for (const { name } of analysed.predicateNames()) {
        const arities = analysed.predicatesNamed(name);
        const [predicate] = arities;
        if (predicate === undefined || name === '' || (name === typed && isOnlyTypedHere(arities))) continue;
        const external = predicate.rules.length === 0 && predicate.facts.length === 0;
        if (annotation === 'output' && !introduces(document, name)) continue;
        const fitting = isFitting(annotation, arities, external);
        yield nameCompletion(analysed, name, fitting ? 0 : 1);
    }
}

function isFitting(annotation: string, arities: readonly Predicate[], external: boolean): boolean {
    const output = arities[0]?.output === true;
    switch (annotation) {
        case 'post':
            return output;
        case 'output':
            return !external && !output;
        case 'expect':
            return arities.some(({ rules }) => rules.length > 0);
        default:
            return external;
    }
}

function* expectations(): Iterable<Completion> {
    for (const [rank, word] of EXPECTATIONS.entries()) {
        const documentation = expectationDocumentation(word);
        yield { label: word, kind: 'directive', insert: plain(word), rank, ...(documentation !== undefined && { documentation }) };
    }
}

function* errorCodes(errors: Iterable<readonly [code: string, title: string]>): Iterable<Completion> {
    for (const [code, title] of errors)
        yield { label: code, kind: 'value', insert: plain(code), rank: code.startsWith('RT') ? 0 : 1, detail: title };
}

function* directives({ analysed }: OpenDocument, predicate: string, before: string): Iterable<Completion> {
    if (before.includes('(')) {
        const [meant] = analysed.predicatesNamed(predicate);
        for (const [position, column] of (meant?.columns ?? []).entries()) {
            const label = `${position + 1}`;
            yield { label, kind: 'value', insert: plain(label), rank: position, detail: column.name };
        }
        return;
    }
    for (const [word, form] of DIRECTIVE_FORMS) {
        const documentation = directiveDocumentation(word);
        const insert: Insertion = form.includes('(')
            ? { text: `${word}()`, placeholders: [{ start: word.length + 1, end: word.length + 1 }] }
            : plain(word);
        yield { label: word, kind: 'directive', insert, rank: 1, detail: form, ...(documentation !== undefined && { documentation }) };
    }
}

/** The whole field list where nothing is written yet; behind a colon, types. */
function* fields({ analysed }: OpenDocument, nameForm: string, before: string): Iterable<Completion> {
    const item = before.slice(before.lastIndexOf("'") + 1);
    if (item.includes(':')) {
        yield* types();
        for (const { name } of analysed.predicateNames()) {
            const identified = analysed.predicatesNamed(name).some(({ model }) => model?.fields.some(({ key }) => key === 'ID'));
            if (identified) yield { label: name, kind: 'type', insert: plain(name), rank: 2 };
        }
        return;
    }
    const name = /^\s*(?:\([^()]*\))?([^()]*)/.exec(nameForm)?.[1]?.trim() ?? '';
    const [predicate] = analysed.predicatesNamed(name);
    if (predicate === undefined || predicate.columns.length === 0) return;
    if (before.trim() !== '') {
        const position = before.split("'").length >> 1;
        for (const [at, { name: column, header = column, type }] of predicate.columns.entries()) {
            const field = `${header}:${fieldType(printType(type))}`;
            yield { label: field, kind: 'column', insert: plain(field), rank: at === position - 1 ? 0 : 1, detail: say`column ${at + 1}` };
        }
        return;
    }
    const list = predicate.columns.map(column => `'${column.name}:${fieldType(printType(column.type))}'`).join(', ');
    yield { label: `[${list}]`, kind: 'value', insert: plain(`[${list}]`), rank: 0, detail: say`the columns of the predicate` };
}

function fieldType(type: string): string {
    return type === 'mixed' || type === 'unknown' ? 'string' : type;
}

function* types(): Iterable<Completion> {
    for (const name of TYPE_NAMES) yield { label: name, kind: 'type', insert: plain(name), rank: 1 };
}

function* columnNames({ analysed }: OpenDocument, predicate: string): Iterable<Completion> {
    for (const { columns } of analysed.predicatesNamed(predicate)) {
        for (const { name, type } of columns) yield { label: name, kind: 'column', insert: plain(name), rank: 1, detail: printType(type) };
    }
}

/** Column names in the file of a bound predicate, else its names in the program. A mapping that the user is writing does not count. */
function* headerNames({ analysed }: OpenDocument, predicate: string, tablesOf: TablesOf): Iterable<Completion> {
    const tables = boundTables(analysed, predicate, tablesOf);
    for (const column of tables.flatMap(({ columns }) => columns)) {
        const { name } = column;
        yield { label: name, kind: 'column', insert: plain(quoted(name)), rank: 1, detail: typeText(column) };
    }
    if (tables.length > 0) return;
    for (const { columns } of analysed.predicatesNamed(predicate)) {
        for (const { name, header = name, type } of columns) {
            if (header !== '') yield { label: header, kind: 'column', insert: plain(header), rank: 1, detail: printType(type) };
        }
    }
}

function* libraries(): Iterable<Completion> {
    const names = new Set(FUNCTIONS.flatMap(({ name }) => (name.includes(':') ? [name.slice(0, name.indexOf(':'))] : [])));
    for (const name of names) yield { label: name, kind: 'library', insert: plain(name), rank: 1 };
}
