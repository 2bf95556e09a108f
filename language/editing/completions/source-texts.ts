import { readSourceText } from '#language/analysis/source-text.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import { isConnected } from '#language/library/connected-sources.ts';
import {
    argumentsOfSource,
    type DataSource,
    dataSourceNamed,
    dataSourceTypes,
    notConnected,
    type OptionGroup,
    optionKindText,
    type SourceOption,
} from '#language/library/data-sources.ts';
import { OPTION_WORDS } from '#language/library/option-words.ts';
import { say, translated } from '#language/program/say.ts';
import { type Completion, type Insertion, plain } from '../completion.ts';
import type { TablesOf } from '../completion-options.ts';
import type { FoundTexts } from './found-texts.ts';
import { sheetCompletions } from './source-tables.ts';

/** The types of sources, the options of the type that is written, and the values of the option. */
export function sourceCompletions(document: OpenDocument, offset: number, before: string, tablesOf: TablesOf): FoundTexts {
    const { text } = document;
    const typed = /^\s*[\w-]*$/.exec(before);
    if (typed !== null) return found(sourceTypes(), before.trimStart(), text, offset);
    const source = dataSourceNamed(readSourceText(before).type.text);
    const piece = lastPiece(before);
    const equals = piece.indexOf('=');
    if (source === undefined) return found([], '', text, offset);
    if (equals < 0) return found(options(source, before), piece.trimStart(), text, offset);
    const option = source.options.get(piece.slice(0, equals).trim());
    const value = piece
        .slice(equals + 1)
        .trimStart()
        .replace(/^['"]/, '');
    if (option?.key === 'dataAddress') return found(sheetCompletions(document, offset, tablesOf), value, text, offset);
    return found(option === undefined ? [] : values(option), value, text, offset);
}

function found(items: Iterable<Completion>, prefix: string, text: string, offset: number): FoundTexts {
    const after = /^[\w.-]*/.exec(text.slice(offset, offset + 300))?.[0].length ?? 0;
    return { items: [...items], range: { start: offset - prefix.length, end: prefix === '' ? offset : offset + after }, prefix };
}

/** Returns the text behind the last comma outside quotes, or behind the type. */
function lastPiece(before: string): string {
    let quote = '';
    let start = 0;
    for (let at = 0; at < before.length; at++) {
        const character = before.charAt(at);
        if (quote !== '') quote = character === quote ? '' : quote;
        else if (character === "'" || character === '"') quote = character;
        else if (character === ',') start = at + 1;
    }
    const piece = before.slice(start);
    return start === 0 ? piece.replace(/^\s*[\w-]*\s+/, '') : piece;
}

function* sourceTypes(): Iterable<Completion> {
    for (const name of dataSourceTypes()) {
        const source = dataSourceNamed(name);
        if (source === undefined) continue;
        const documentation = argumentsOfSource(source);
        const connected = isConnected(source.type);
        const rank = connected ? 0 : name === source.type ? 1 : 2;
        const told = connected
            ? { documentation }
            : { documentation: `${notConnected()} ${documentation}`, detail: say`no connector here` };
        yield { label: name, kind: 'source', insert: plain(name), rank, ...told };
    }
}

function* options(source: DataSource, before: string): Iterable<Completion> {
    const written = new Set(readSourceText(before).options.map(({ key }) => key.text));
    for (const option of source.options.values()) {
        if (written.has(option.key)) continue;
        const words = OPTION_WORDS[option.key];
        yield {
            label: option.key,
            kind: 'option',
            insert: optionInsertion(option),
            rank: option.required ? 0 : GROUPS[option.group].rank,
            detail: [optionKindText(option.value), ...GROUPS[option.group].words.map(word => word())].join(' · '),
            ...(words !== undefined && { documentation: translated(words) }),
            continues: true,
        };
    }
}

/** The options of the source itself come first. */
const GROUPS: Readonly<Record<OptionGroup, { readonly rank: number; readonly words: readonly (() => string)[] }>> = {
    own: { rank: 1, words: [] },
    rows: { rank: 3, words: [() => say`any source`] },
    connection: { rank: 5, words: [() => say`servers`] },
    statements: { rank: 7, words: [() => 'RDF'] },
};

function optionInsertion({ key, value }: SourceOption): Insertion {
    if (value.kind !== 'text') return { text: `${key}=`, placeholders: [] };
    return { text: `${key}=''`, placeholders: [{ start: key.length + 2, end: key.length + 2 }] };
}

function* values({ value, default: standard }: SourceOption): Iterable<Completion> {
    const choices = value.kind === 'boolean' ? ['true', 'false'] : value.kind === 'choice' ? value.choices : [];
    for (const choice of new Set([...choices, ...(standard === undefined ? [] : [standard])])) {
        yield {
            label: choice,
            kind: 'value',
            insert: plain(choice),
            rank: choice === standard ? 0 : 1,
            ...(choice === standard && { detail: say`default` }),
        };
    }
}
