import { readModelText } from '#language/analysis/model-text.ts';
import { readPostText } from '#language/analysis/post-text.ts';
import { type Piece, readSourceText } from '#language/analysis/source-text.ts';
import { ANNOTATIONS, type ParameterName } from '#language/library/annotation-catalogue.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { typeNamed } from '#language/library/type-names.ts';
import type { Token } from '#language/syntax/token.ts';
import type { Mention } from './mention.ts';
import { type StringContent, stringContent } from './string-content.ts';

/** One argument of an annotation: the one token that it consists of, or nothing when it is more or less than that. */
export type ArgumentToken = Token | undefined;

/** Yields the names in the arguments of an annotation, without parameters inside texts. */
export function* annotationMentions(annotation: string, given: readonly ArgumentToken[]): Iterable<Mention> {
    switch (annotation) {
        case 'model':
            return yield* modelMentions(given);
        case 'bind':
        case 'qbind':
            return yield* bindMentions(annotation, given);
        case 'chase':
        case 'explain':
            return yield* provenanceMentions(annotation, given);
        case 'param': {
            const name = contentOf(given[0]);
            if (name !== undefined) yield { kind: 'parameter', name: name.value, span: whole(name), role: 'declaration' };
            return;
        }
        default:
            for (const [index, { name }] of (ANNOTATIONS.get(annotation)?.parameters ?? []).entries()) {
                const content = contentOf(given[index]);
                if (content !== undefined) yield* argumentMentions(annotation, name, content);
            }
    }
}

function* argumentMentions(annotation: string, parameter: ParameterName, content: StringContent): Iterable<Mention> {
    const { value: name } = content;
    const span = whole(content);
    switch (parameter) {
        case 'predicate':
            yield { kind: 'predicate', name, span, role: 'annotation', annotation };
            return;
        case 'column':
            yield { kind: 'field', name, span };
            return;
        case 'type':
        case 'expectation':
        case 'library':
            yield { kind: parameter, name, span };
            return;
        case 'directive': {
            const { word } = readPostText(name);
            yield { kind: 'directive', name: word.text, span: spanOf(content, word) };
        }
    }
}

function contentOf(token: ArgumentToken): StringContent | undefined {
    if (token === undefined) return undefined;
    if (token.kind === 'string' || token.kind === 'unterminated-string') return stringContent(token);
    if (token.kind !== 'name') return undefined;
    return { value: token.text, end: token.end, at: index => Math.min(token.start + index, token.end) };
}

function whole(content: StringContent): { readonly start: number; readonly end: number } {
    return { start: content.at(0), end: content.end };
}

function spanOf(content: StringContent, piece: Piece): { readonly start: number; readonly end: number } {
    const start = content.at(piece.start);
    return { start, end: Math.max(start, piece.end >= content.value.length ? content.end : content.at(piece.end)) };
}

function* predicateArgument(annotation: string, token: ArgumentToken): Iterable<Mention> {
    const content = contentOf(token);
    if (content !== undefined) yield* argumentMentions(annotation, 'predicate', content);
}

/** The older form of `@chase` has a predicate before its source. */
function* provenanceMentions(annotation: 'chase' | 'explain', given: readonly ArgumentToken[]): Iterable<Mention> {
    const older = annotation === 'chase' && given.length > 3;
    if (older) yield* predicateArgument(annotation, given[0]);
    const source = contentOf(given[older ? 1 : 0]);
    if (source === undefined) return;
    yield* sourceMentions(source);
    const names = readSourceText(source.value).options.find(({ key }) => key.text === 'predicates')?.value;
    if (annotation === 'chase' || names === undefined) return;
    for (const { 0: name, index } of names.text.matchAll(/[^\s,]+/g)) {
        const start = names.start + index;
        const span = spanOf(source, { text: name, start, end: start + name.length });
        yield { kind: 'predicate', name, span, role: 'annotation', annotation };
    }
}

/** True for sources whose third and fourth argument name a directory and a file. */
export function isFileSource(type: string): boolean {
    return dataSourceNamed(type)?.isFile ?? false;
}

/** The path that a directory and a file of a bind make. */
export function joinedPath(directory: string, file: string): string {
    if (directory === '' || file.startsWith('/')) return file;
    return directory.endsWith('/') ? `${directory}${file}` : `${directory}/${file}`;
}

function* bindMentions(annotation: string, given: readonly ArgumentToken[]): Iterable<Mention> {
    yield* predicateArgument(annotation, given[0]);
    const source = contentOf(given[1]);
    if (source !== undefined) yield* sourceMentions(source);
    const outer = contentOf(given[2]);
    const inner = contentOf(given[3]);
    if (annotation === 'qbind' || source === undefined || !isFileSource(readSourceText(source.value).type.text)) return;
    if (outer !== undefined) yield { kind: 'file', path: outer.value, part: 'directory', span: whole(outer) };
    if (inner !== undefined) yield { kind: 'file', path: joinedPath(outer?.value ?? '', inner.value), part: 'file', span: whole(inner) };
}

function* sourceMentions(content: StringContent): Iterable<Mention> {
    const { type, options } = readSourceText(content.value);
    yield { kind: 'source-type', name: type.text, span: spanOf(content, type) };
    for (const { key, value } of options) {
        yield { kind: 'option', name: key.text, sourceType: type.text, span: spanOf(content, key) };
        if (value.text === '') continue;
        yield { kind: 'option-value', option: key.text, sourceType: type.text, name: value.text, span: spanOf(content, value) };
    }
}

function* modelMentions(given: readonly ArgumentToken[]): Iterable<Mention> {
    const name = contentOf(given[0]);
    const fields = contentOf(given[1]);
    const description = contentOf(given[2]);
    const text = readModelText(name?.value ?? '', fields?.value ?? '', description?.value);
    if (name !== undefined) {
        yield { kind: 'predicate', name: text.predicate.text, span: spanOf(name, text.predicate), role: 'annotation', annotation: 'model' };
        for (const other of [text.superModel, text.relationship?.from, text.relationship?.to]) {
            if (other !== undefined) yield { kind: 'predicate', name: other.text, span: spanOf(name, other), role: 'model' };
        }
    }
    for (const field of fields === undefined ? [] : text.fields) {
        if (fields === undefined) return;
        yield { kind: 'field', name: field.name.text, span: spanOf(fields, field.name) };
        yield* typeMentions(fields, field.type);
    }
    for (const placeholder of description === undefined ? [] : text.placeholders) {
        if (description !== undefined) yield { kind: 'field', name: placeholder.text, span: spanOf(description, placeholder) };
    }
}

/** The words of a field type: types, models, and fields of models in brackets behind them. */
function* typeMentions(content: StringContent, type: Piece): Iterable<Mention> {
    for (const match of type.text.matchAll(/([A-Za-z_]\w*)(\[\s*([A-Za-z_]\w*)\s*\])?/g)) {
        const [, word = '', brackets, field] = match;
        const start = type.start + match.index;
        const span = spanOf(content, { text: word, start, end: start + word.length });
        if (typeNamed(word) !== undefined || GENERIC.has(word)) yield { kind: 'type', name: word, span };
        else yield { kind: 'predicate', name: word, span, role: 'model' };
        if (brackets === undefined || field === undefined) continue;
        const inside = start + word.length + brackets.indexOf(field);
        yield { kind: 'field', name: field, span: spanOf(content, { text: field, start: inside, end: inside + field.length }) };
    }
}

const GENERIC: ReadonlySet<string> = new Set(['list', 'array', 'set', 'map']);
