import { Diagnostic, DiagnosticSeverity, type Disposable, languages, Range } from 'vscode';
import type { ConceptFiles } from '#extension/projects/concept-files.ts';
import { readConceptUri } from '#extension/projects/concept-uri.ts';

/** What a save said about a query, at its places. Rules are looked at by the language server while they are typed. */
export function showSavedProblems(files: ConceptFiles, subscriptions: Disposable[]): void {
    const problems = languages.createDiagnosticCollection('rulelang-concepts');
    subscriptions.push(
        problems,
        files.onDidSave(({ uri, saved }) => {
            if (readConceptUri(uri)?.isSql !== true) return;
            problems.set(
                uri,
                (saved.diagnostics ?? []).map(({ code, message, severity, line, column, end_line, end_column }) => {
                    const place = new Range(line - 1, column - 1, end_line - 1, end_column - 1);
                    const told = new Diagnostic(
                        place,
                        message,
                        severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
                    );
                    told.source = 'rulelang';
                    told.code = code;
                    return told;
                }),
            );
        }),
    );
}
