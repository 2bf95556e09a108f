import { Diagnostic, type DiagnosticSeverity, type Range } from 'vscode';

/** A problem as the editor lists it, beside those of the language server. */
export function diagnosticOf(range: Range, message: string, severity: DiagnosticSeverity, code?: string): Diagnostic {
    const diagnostic = new Diagnostic(range, message, severity);
    diagnostic.source = 'rulelang';
    if (code !== undefined) diagnostic.code = code;
    return diagnostic;
}
