import type { Feature } from '../language-server.ts';

/** Hears of the settings of the editor that count at once: those of problems, `rulelang.run.inline`, `rulelang.run.inlineAtoms` and `rulelang.suggest.rules`. */
export const settings: Feature = {
    capabilities: () => ({}),
    register: ({ connection, reporting, diagnostics, pulled, sizes, suggestions, guard }) =>
        connection.onDidChangeConfiguration(
            guard.notification('workspace/didChangeConfiguration', ({ settings }: { settings?: unknown }) => {
                const own = fieldOf(settings, 'rulelang');
                const run = fieldOf(own, 'run');
                sizes.show(fieldOf(run, 'inline') !== false, fieldOf(run, 'inlineAtoms') === true);
                suggestions.rules = fieldOf(fieldOf(own, 'suggest'), 'rules') !== false;
                const problems = fieldOf(own, 'problems');
                pulled.showClosed(fieldOf(problems, 'workspace') !== false);
                reporting.configure(fieldOf(problems, 'severity'));
                diagnostics.scheduleAll();
            }),
        ),
};

function fieldOf(value: unknown, name: string): unknown {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
