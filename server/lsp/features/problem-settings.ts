import type { Feature } from '../language-server.ts';

/** Hears of the editor's setting `rulelang.problems.severity`. */
export const problemSettings: Feature = {
    capabilities: () => ({}),
    register: ({ connection, documents, reporting, diagnostics, guard }) =>
        connection.onDidChangeConfiguration(
            guard.notification('workspace/didChangeConfiguration', ({ settings }: { settings?: unknown }) => {
                reporting.configure(fieldOf(fieldOf(fieldOf(settings, 'rulelang'), 'problems'), 'severity'));
                for (const uri of documents.uris) diagnostics.schedule(uri);
            }),
        ),
};

function fieldOf(value: unknown, name: string): unknown {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
