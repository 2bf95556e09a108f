import type { Problem } from '#language/program/problem.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import type { Diagnostic } from '#server/protocol/platform/errors.ts';

/** Problems to report at most. */
const MOST = 100;

/** Describes the problems of a text for the caller of a service. */
export function problemDiagnostics(text: string, problems: readonly Problem[]): readonly Diagnostic[] {
    return problems.slice(0, MOST).map(({ place, span, message, severity, code }) => ({
        ...textDiagnostic(text, place.offset + span.start, place.offset + span.end, message, code),
        severity,
    }));
}

/** An error between two offsets of a text. */
export function textDiagnostic(text: string, from: number, to: number, message: string, code: string): Diagnostic {
    const source = sourceText(text);
    const [start, end] = [positionAt(source, from), positionAt(source, to)];
    return {
        message,
        severity: 'error',
        line: start.line + 1,
        column: start.character + 1,
        end_line: end.line + 1,
        end_column: end.character + 1,
        code,
    };
}
