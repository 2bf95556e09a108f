import { spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { isParameterAlone } from '#language/analysis/binds.ts';
import type { BindFacts } from '#language/analysis/program-facts.ts';
import type { OptionText, Piece } from '#language/analysis/source-text.ts';
import { isConnected, isQueried } from '#language/library/connected-sources.ts';
import {
    type DataSource,
    dataSourceNamed,
    dataSourceTypes,
    isSecret,
    type OptionKind,
    optionKindText,
    type SourceOption,
} from '#language/library/data-sources.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { problem, withMeant, withRemedy } from '../catalogue.ts';

interface WrittenBind extends Pick<BindFacts, 'annotation' | 'place' | 'text'> {
    /** The argument that holds type and options; the second where absent. */
    readonly at?: number;
    /** Options of the annotation, besides those of the type. */
    readonly own?: ReadonlyMap<string, SourceOption>;
}

/** The type and the options of a bind (9.1): RL6100 to RL6107, RL6110, RL6115, and RL9030 for options that bodies replace. */
export function* checkBindOptions(facts: WrittenBind): Iterable<Problem> {
    const { text, place } = facts;
    const source = dataSourceNamed(text.type.text);
    const isPath = facts.annotation.arguments.length === 2 && /\.\w+$/u.test(textOf(facts.annotation.arguments[1]) ?? '');
    if (source === undefined && !isPath && !isParameterAlone(text.type.text)) {
        const later = facts.annotation.arguments.slice(2).some(argument => isSourceText(textOf(argument)));
        const found = problem('RL6100', place, spanOf(facts, text.type), text.type.text);
        if (later) yield withRemedy(found, say`write the type before folder and file`);
        else if (/^xlsx$/iu.test(text.type.text)) yield withMeant(found, 'excel');
        else if (/^(?:xls|ods|sheet)$/iu.test(text.type.text))
            yield withRemedy(found, say`save the sheet as a workbook (.xlsx) and bind that as 'excel'`);
        else yield withMeant(found, nearestName(text.type.text, dataSourceTypes()));
    }
    const refused = source && whatIsRefused(facts, source);
    if (refused !== undefined) yield problem('RL6115', place, spanOf(facts, text.type), text.type.text, refused);
    const seen = new Set<string>();
    for (const option of text.options) {
        const { key } = option;
        if (isParameterAlone(key.text)) continue;
        if (option.commaMissing) yield problem('RL6102', place, spanOf(facts, key), key.text);
        if (seen.has(key.text)) yield problem('RL6106', place, spanOf(facts, key), key.text);
        seen.add(key.text);
        if (source !== undefined) yield* checkOption(option, source, facts);
        if (isUnquoted(option)) yield problem('RL6103', place, spanOf(facts, option.value));
        if (isSecret(key.text) && option.value.text !== '' && !isPlaceholder(option.value.text)) {
            yield problem('RL6110', place, spanOf(facts, option.value));
        }
    }
    for (const { key, required } of source?.options.values() ?? []) {
        if (required && !seen.has(key) && !text.options.some(option => isParameterAlone(option.key.text)))
            yield problem('RL6105', place, spanOf(facts, text.type), text.type.text, key);
    }
    if (facts.at === undefined && facts.annotation.arguments.length <= 4) yield* checkOuter(facts, source);
}

/** Returns the unsupported part of a source as words before its type; undefined if a run can read or write it. */
function whatIsRefused({ annotation }: WrittenBind, { type }: DataSource): string | undefined {
    if (annotation.name === 'qbind') return isQueried(type) ? undefined : say`queries of`;
    return isConnected(type) ? undefined : '';
}

/** The text begins with the type of a source. */
export function isSourceText(text: string | undefined): boolean {
    return text !== undefined && dataSourceNamed(/^\w*/u.exec(text)?.[0] ?? '') !== undefined;
}

function spanOf({ annotation, at = 1 }: WrittenBind, piece: Piece): Span {
    const argument = annotation.arguments[at];
    return argument === undefined ? annotation.span : spanInText(argument, piece.start, Math.max(piece.end, piece.start + 1));
}

function* checkOption({ key, value }: OptionText, source: DataSource, facts: WrittenBind): Iterable<Problem> {
    const option = source.options.get(key.text) ?? facts.own?.get(key.text);
    if (option === undefined) {
        if (source.passThrough !== undefined && key.text.startsWith(source.passThrough)) return;
        const known = [...source.options.keys(), ...(facts.own?.keys() ?? [])];
        const synonym = SYNONYMS.get(key.text.toLowerCase());
        const [, word = '', value] = /^(\w+):(\w+)$/u.exec(key.text) ?? [];
        const joined = known.find(candidate => candidate.toLowerCase() === word.toLowerCase());
        const found = problem('RL6101', facts.place, spanOf(facts, key), key.text, source.type);
        if (joined !== undefined) {
            yield withMeant(found, `${joined}=${value}`);
            return;
        }
        const nearest = synonym !== undefined && known.includes(synonym) ? synonym : nearestName(key.text, known);
        const header = nearest === 'useHeaders' ? say`did you mean '${nearest}'? Without it the first line is a row` : undefined;
        yield withRemedy(withMeant(found, nearest), header);
        return;
    }
    const legacy = key.text === 'selectedColumns' || (key.text === 'query' && source.type !== 'qdrant');
    if (legacy) yield problem('RL9030', facts.place, spanOf(facts, key), key.text, 'SELECT');
    if (isPlaceholder(value.text) || isValid(value.text, option.value)) return;
    const found = problem('RL6104', facts.place, spanOf(facts, value.text === '' ? key : value), key.text, optionKindText(option.value));
    const meant = option.value.kind === 'boolean' ? TRUTH_VALUES.get(value.text.toLowerCase()) : nearestChoice(value.text, option.value);
    yield withMeant(found, meant);
}

/** How other tools write `true` and `false`. */
const TRUTH_VALUES: ReadonlyMap<string, string> = new Map([
    ['yes', 'true'],
    ['y', 'true'],
    ['on', 'true'],
    ['1', 'true'],
    ['no', 'false'],
    ['n', 'false'],
    ['off', 'false'],
    ['0', 'false'],
]);

function nearestChoice(text: string, kind: OptionKind): string | undefined {
    return kind.kind === 'choice' ? nearestName(text, kind.choices) : undefined;
}

/** Names of source options in other tools. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
    ['user', 'username'],
    ['header', 'useHeaders'],
    ['headers', 'useHeaders'],
    ['sep', 'delimiter'],
    ['separator', 'delimiter'],
    ['charset', 'encoding'],
]);

function isValid(text: string, kind: OptionKind): boolean {
    switch (kind.kind) {
        case 'text':
            return true;
        case 'boolean':
            return /^(?:true|false)$/iu.test(text);
        case 'integer':
            return /^-?\d+$/u.test(text);
        case 'number':
            return /^-?\d+(?:\.\d+)?$/u.test(text);
        case 'choice':
            return kind.choices.some(choice => choice.toLowerCase() === text.toLowerCase());
    }
}

/** The value comes from a parameter or from a secret of the host. */
function isPlaceholder(text: string): boolean {
    return text.includes('${');
}

function isUnquoted({ form, value }: OptionText): boolean {
    return form === 'bare' && !isPlaceholder(value.text) && /[^\w.+-]/u.test(value.text);
}

/** Options written where the outer container belongs. */
function* checkOuter({ annotation, place }: WrittenBind, source: DataSource | undefined): Iterable<Problem> {
    const argument = annotation.arguments[2];
    const key = /^\s*([\w-]+)\s*=/u.exec(textOf(argument) ?? '')?.[1];
    if (argument !== undefined && key !== undefined && source?.options.has(key)) yield problem('RL6107', place, argument.span);
}
