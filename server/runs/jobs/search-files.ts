import { RunStopped } from '#engine/reports/reports.ts';
import { changedText } from '#language/document/text-change.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { readProgram } from '#language/read-program.ts';
import { readSearch, type Search } from '#language/search/read-search.ts';
import { asOneEdit, type Found, searchProgram } from '#language/search/search-program.ts';
import { readNamedText, STANDARD_INPUT } from '#server/files/named-text.ts';
import { programFiles } from '#server/files/program-files.ts';
import { programText } from '#server/files/program-text.ts';
import { rewriteNamed } from '#server/files/write-granted.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { positionAt, type SourceText, sourceText } from '#server/notices/source-texts.ts';
import { visible, visibleJson } from '#server/notices/visible-text.ts';
import { EXIT, type SEARCH_FORMATS } from '#server/protocol/jobs.ts';
import { withoutSecrets } from '#server/secrets/without-secrets.ts';
import type { JobContext } from '../job-context.ts';
import { sayNotices } from '../say-notices.ts';

export interface SearchJob {
    readonly kind: 'search';
    /** The pattern, and after `==>` its replacement. */
    readonly search: string;
    /** Files, folders and patterns; `-` is standard input. */
    readonly paths: readonly string[];
    readonly format: (typeof SEARCH_FORMATS)[number];
    /** Rewrites the files. */
    readonly write: boolean;
}

/** Finds what has the form of a pattern in programs, and rewrites it. A file that cannot be read does not stop the others. */
export function searchFiles({ search: text, paths, format, write }: SearchJob, context: JobContext): number {
    const read = readSearch(text);
    if ('wrong' in read) {
        context.say(say`rulelang search: the pattern cannot be read: ${visible(read.wrong)}\n`);
        return EXIT.usage;
    }
    const matches: object[] = [];
    let [count, changed, failed] = [0, 0, false];
    for (const path of paths) {
        try {
            for (const file of programFiles([path])) {
                const { text: whole, marked } = readNamedText(file);
                const program = programText(file, whole);
                const found = [...searchProgram(readProgram(program, file).value.clauses, read.search)];
                count += found.length;
                const source = sourceText(program);
                if (format === 'json') matches.push(...found.map(one => matchJson(one, file, source, read.search)));
                else if (!write || file !== STANDARD_INPUT) context.print(found.map(one => matchLine(one, file, source)).join(''));
                if (write && rewrite(file, whole, marked, found, context)) changed++;
            }
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            sayNotices([reportNotice(error.report)], context);
            failed = true;
        }
    }
    if (format === 'json') context.print(visibleJson(`${JSON.stringify({ matches }, undefined, 2)}\n`));
    if (write) context.say(say`Files rewritten: ${countText(changed)}\n`);
    return failed || count === 0 ? EXIT.failed : EXIT.fine;
}

/** True where the text has become another. */
function rewrite(file: string, text: string, marked: boolean, found: readonly Found[], context: JobContext): boolean {
    const edits = found.flatMap(({ edits: own = [] }) => own).sort((a, b) => b.start - a.start || b.end - a.end);
    // From the end on, so that the places of the others hold.
    const after = edits.reduce(changedText, text);
    const whole = `${marked ? '\ufeff' : ''}${after}`;
    if (file === STANDARD_INPUT) context.print(whole);
    else if (after !== text) rewriteNamed(file, whole);
    return after !== text;
}

function matchLine(found: Found, file: string, source: SourceText): string {
    const { range } = found;
    const { line, character } = positionAt(source, range.start);
    const place = `${visible(file)}:${line + 1}:${character + 1}: `;
    const whole = asOneEdit(source.text, found);
    const shown = onOneLine(source.shown().slice(whole?.start ?? range.start, whole?.end ?? range.end));
    const after = whole && onOneLine(withoutSecrets(whole.text));
    return after === undefined ? `${place}${shown}\n` : `${`${place}${shown} ==> ${after}`.trimEnd()}\n`;
}

function onOneLine(text: string): string {
    return visible(text.replaceAll(/\s*\r?\n\s*/gu, ' ').trim());
}

/** Positions count from 0, in UTF-16 units. */
function matchJson({ range, bindings, edits }: Found, file: string, source: SourceText, { replacement }: Search): object {
    const rangeOf = ({ start, end }: Found['range']): object => ({ start: positionAt(source, start), end: positionAt(source, end) });
    return {
        file,
        range: rangeOf(range),
        text: source.shown().slice(range.start, range.end),
        bindings: Object.fromEntries([...bindings].map(([name, text]) => [name, withoutSecrets(text)])),
        ...(replacement !== undefined && {
            edits: (edits ?? []).map(edit => ({ range: rangeOf(edit), text: withoutSecrets(edit.text) })),
        }),
    };
}
