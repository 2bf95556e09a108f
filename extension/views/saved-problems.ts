import { DiagnosticSeverity, type Disposable, languages, Range } from 'vscode';
import { diagnosticOf } from '#extension/host/diagnostic.ts';
import type { ConceptFiles } from '#extension/projects/concept-files.ts';
import { readConceptUri } from '#extension/projects/concept-uri.ts';
import { TYPED_CODES } from '#extension/projects/query-concepts.ts';

/** What a save said about a query, at its places. Rules are looked at by the language server while they are typed. */
export function showSavedProblems(files: ConceptFiles, subscriptions: Disposable[]): void {
    const problems = languages.createDiagnosticCollection('rulelang-concepts');
    subscriptions.push(
        problems,
        files.onDidSave(({ uri, saved }) => {
            if (readConceptUri(uri)?.isSql !== true) return;
            problems.set(
                uri,
                (saved.diagnostics ?? [])
                    .filter(({ code }) => !TYPED_CODES.has(code))
                    .map(({ code, message, severity, line, column, end_line, end_column }) => {
                        const place = new Range(line - 1, column - 1, end_line - 1, end_column - 1);
                        const kind = severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning;
                        return diagnosticOf(place, message, kind, code);
                    }),
            );
        }),
    );
}
