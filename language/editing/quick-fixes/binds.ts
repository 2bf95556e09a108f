import { spanInText } from '#language/analysis/annotation-arguments.ts';
import { sourceArgument } from '#language/analysis/provenance.ts';
import { readSourceText } from '#language/analysis/source-text.ts';
import { secretName } from '#language/library/data-sources.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import { isSourceText } from '#language/problems/checks/bind-options.ts';
import type { Annotation, Constant } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { TextEdit } from '../format-edits.ts';
import { annotationHere, annotationsAbout } from './annotations.ts';
import {
    type ClauseEdit,
    type Fix,
    type FixRequest,
    inDocument,
    insertion,
    otherFix,
    preferredFix,
    replaceMarked,
    replacement,
    writtenText,
} from './fix.ts';
import { writeMeantName } from './names.ts';

type Text = Extract<Constant, { kind: 'string' }>;

interface BindTexts {
    readonly annotation: Annotation;
    readonly source: Text;
}

function bindHere(request: FixRequest): BindTexts | undefined {
    const annotation = annotationHere(request);
    const source = annotation?.arguments[annotation === undefined ? 1 : sourceArgument(annotation)];
    return annotation === undefined || source?.kind !== 'string' ? undefined : { annotation, source };
}

/** Positions of a text that is written with escapes are not known exactly. */
function isPlain({ span, value }: Text): boolean {
    return span.end - span.start === value.length + 2;
}

/** RL6102 */
export function* insertOptionComma(request: FixRequest): Iterable<Fix> {
    const { text, problem } = request;
    const bind = bindHere(request);
    if (bind === undefined || !isPlain(bind.source)) return;
    const before = text.slice(0, problem.span.start).trimEnd().length;
    yield preferredFix(request, say`Insert ','`, insertion(before, ','));
}

/** RL6103 */
export function* quoteValue(request: FixRequest): Iterable<Fix> {
    const bind = bindHere(request);
    if (bind === undefined || !isPlain(bind.source) || request.marked.includes("'")) return;
    yield* replaceMarked(request, `'${request.marked}'`);
}

/** RL6105: the option, with an empty value, behind the type. */
export function* insertOption(request: FixRequest): Iterable<Fix> {
    const bind = bindHere(request);
    const [, key] = argumentsOf(request.problem, 'RL6105');
    if (bind === undefined || !isPlain(bind.source)) return;
    const { type, options } = readSourceText(bind.source.value);
    const { end } = spanInText(bind.source, type.start, type.end);
    yield preferredFix(request, say`Add '${key}'`, insertion(end, ` ${key}=''${options.length > 0 ? ',' : ''}`));
}

/** RL6116, RL6123: the option that the remedy says. */
export function* insertWrittenOption(request: FixRequest): Iterable<Fix> {
    const bind = bindHere(request);
    const option = writtenText(request);
    if (bind === undefined || option === undefined || !isPlain(bind.source)) return;
    yield preferredFix(request, say`Add ${option}`, optionAddition(bind, option));
}

/** RL4024: empty cells are unknown. */
export function* insertNullString({ document, problem }: FixRequest): Iterable<Fix> {
    const [, predicate] = argumentsOf(problem, 'RL4024');
    const edits = nullStringAddition(document, predicate);
    if (edits !== undefined && edits.length > 0) yield { title: say`Add ${NULL_STRING}`, edits, preferred: true };
}

const NULL_STRING = "nullString=''";

/**
 * Returns the edits that make the empty cells of a source unknown. Undefined if the document does not write its bind in a way that takes
 * the option.
 */
export function nullStringAddition(document: FixRequest['document'], predicate: string): readonly TextEdit[] | undefined {
    for (const [clause, annotation] of annotationsAbout(document, 'bind', predicate)) {
        const source = annotation.arguments[1];
        if (source?.kind !== 'string' || !isPlain(source)) continue;
        const hasOne = readSourceText(source.value).options.some(({ key }) => key.text === 'nullString');
        if (!hasOne) return [inDocument(clause, optionAddition({ annotation, source }, NULL_STRING))];
    }
    return undefined;
}

/** RL6108: what becomes of what is there. */
export function* insertSaveMode(request: FixRequest): Iterable<Fix> {
    const bind = bindHere(request);
    if (bind === undefined || !isPlain(bind.source)) return;
    yield otherFix(request, say`Add the rows to it: saveMode=append`, optionAddition(bind, 'saveMode=append'));
    yield otherFix(request, say`Replace it: saveMode=overwrite`, optionAddition(bind, 'saveMode=overwrite'));
}

/** An option behind the others. */
function optionAddition({ source }: BindTexts, option: string): ClauseEdit {
    const { options } = readSourceText(source.value);
    return insertion(source.span.end - 1, `${options.length > 0 ? ',' : ''} ${option}`);
}

/** RL6106: the option with the comma before it. */
export function* removeOption(request: FixRequest): Iterable<Fix> {
    const { problem, text } = request;
    const bind = bindHere(request);
    if (bind === undefined || !isPlain(bind.source)) return;
    const at = problem.span.start - bind.source.span.start - 1;
    const option = readSourceText(bind.source.value).options.find(({ key }) => key.start === at);
    if (option === undefined) return;
    const valueEnd = option.value.end + (option.form === 'quoted' ? 1 : 0);
    const { end } = spanInText(bind.source, at, valueEnd);
    const start = /,?\s*$/.exec(text.slice(0, problem.span.start))?.index ?? problem.span.start;
    yield preferredFix(request, say`Remove the option`, { start, end, text: '' });
}

/** RL6107: the options move behind the type, and nothing is left where they stood. */
export function* moveOptions(request: FixRequest): Iterable<Fix> {
    const { text } = request;
    const bind = bindHere(request);
    const outer = bind?.annotation.arguments[2];
    if (bind === undefined || outer?.kind !== 'string') return;
    const { options } = readSourceText(bind.source.value);
    const moved = text.slice(outer.span.start + 1, outer.span.end - 1).trim();
    const edits = [insertion(bind.source.span.end - 1, `${options.length > 0 ? ',' : ''} ${moved}`), replacement(outer.span, '""')];
    yield preferredFix(request, say`Move the options to the second argument`, ...edits);
}

/** RL6110: the name of a secret instead of the secret. */
export function* nameSecret(request: FixRequest): Iterable<Fix> {
    const { problem } = request;
    const bind = bindHere(request);
    if (bind === undefined || !isPlain(bind.source)) return;
    const at = problem.span.start - bind.source.span.start - 1;
    const option = readSourceText(bind.source.value).options.find(({ value }) => value.start === at);
    if (option === undefined) return;
    const reference = `\${${secretName(option.key.text)}}`;
    yield* replaceMarked(request, option.form === 'quoted' ? reference : `'${reference}'`);
}

/** RL6100: the type that was meant, or the argument with the type in the second place. */
export function* writeType(request: FixRequest): Iterable<Fix> {
    yield* writeMeantName(request);
    const { text } = request;
    const [, second, ...others] = annotationHere(request)?.arguments ?? [];
    const type = others.find(argument => isSourceText(argument.kind === 'string' ? argument.value : undefined));
    const last = others.at(-1);
    if (second === undefined || type === undefined || last === undefined) return;
    const ordered = [type, second, ...others.filter(argument => argument !== type)];
    const written = ordered.map(({ span }) => text.slice(span.start, span.end)).join(', ');
    yield preferredFix(request, say`Write (…, ${written})`, { start: second.span.start, end: last.span.end, text: written });
}
