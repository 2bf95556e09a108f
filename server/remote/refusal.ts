import { say } from '#language/program/say.ts';
import type { PlatformError } from '#server/client/platform-error.ts';
import type { Notice } from '#server/notices/notice.ts';
import { offsetAt, type SourceText, sourceText } from '#server/notices/source-texts.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';
import type { Terminal } from './terminal.ts';

/** The text that a request was about, as the user calls it. */
export interface AskedText {
    readonly file: string;
    readonly text: string;
}

const newToken = (): string =>
    say`Give another in RULELANG_TOKEN or with --token-file; 'rulelang token' prints one for the services on this machine.`;
const later = (): string => say`Try again later.`;
const REMEDIES: ReadonlyMap<number, () => string> = new Map([
    [401, newToken],
    [403, newToken],
    [429, later],
    [503, later],
]);

/** Says what the service refused and why: its code, message and details. Problems of the text that was sent stand at their places. */
export function sayRefusal({ status, code, message, details }: PlatformError, asked: AskedText | undefined, terminal: Terminal): void {
    const { diagnostics = [], ...others } =
        typeof details === 'object' && details !== null ? (details as { diagnostics?: Diagnostic[] }) : {};
    const remedy = REMEDIES.get(status)?.();
    sayNotice(
        {
            severity: 'error',
            code,
            message: code === 'no_json' ? say`The service answered ${status} without JSON` : message,
            details: [...Object.entries(others).flatMap(detailLines), ...(asked === undefined ? diagnostics.map(diagnosticLine) : [])],
            ...(remedy !== undefined && { remedy }),
            related: [],
        },
        terminal,
    );
    if (asked !== undefined) sayDiagnostics(diagnostics, asked, terminal);
}

/** Says what is wrong with a text that was sent, at its places. */
export function sayDiagnostics(diagnostics: readonly Diagnostic[], { file, text }: AskedText, terminal: Terminal): void {
    const source = sourceText(text);
    for (const diagnostic of diagnostics) sayNotice(diagnosticNotice(diagnostic, file, source), terminal, [file, source]);
}

/** Says one notice on standard error, with an empty line after it. */
export function sayNotice(notice: Notice, { streams, say }: Terminal, ...sources: readonly (readonly [string, SourceText])[]): void {
    const width = Math.min(TEXT_WIDTH, streams.errorWidth ?? TEXT_WIDTH);
    say(`${noticeText(notice, { colour: colourOf(streams.errorColour), width, sources: new Map(sources) })}\n`);
}

function detailLines([name, value]: readonly [string, unknown]): string[] {
    return (Array.isArray(value) ? value : [value]).map(one => `${name}: ${typeof one === 'string' ? one : JSON.stringify(one)}`);
}

function diagnosticLine({ line, column, severity, code, message }: Diagnostic): string {
    return `${line}:${column}: ${severity} ${code}: ${message}`;
}

function diagnosticNotice({ severity, code, message, ...at }: Diagnostic, file: string, source: SourceText): Notice {
    const offset = (line: number, column: number): number => offsetAt(source, { line: line - 1, character: column - 1 });
    const place = { file, start: offset(at.line, at.column), end: offset(at.end_line, at.end_column) };
    return { severity, code, message, place, related: [] };
}
