import { commands, type Disposable, l10n } from 'vscode';
import type { ResultOf } from '#server/protocol/methods.ts';
import type { TRIAL_METHODS } from '#server/protocol/translations.ts';
import { rowLines } from './row-lines.ts';
import { createTextPages } from './text-pages.ts';

export type ComparedRows = Extract<ResultOf<typeof TRIAL_METHODS, 'rulelang/compareTranslation'>, { kind: 'compared' }>;

/** Shows the rows of a query beside those of its rules; rows that both have stand beside each other. */
export function createRowPages(subscriptions: Disposable[]): (name: string, rows: ComparedRows) => Promise<void> {
    const pages = createTextPages('rulelang-rows', subscriptions);
    return async (name, rows) => {
        const [left, right] = rowLines(rows);
        const title = l10n.t('{0}: rows of the SQL ↔ rows of the rules', name);
        await commands.executeCommand('vscode.diff', pages.add(`/${name}.sql.txt`, left), pages.add(`/${name}.txt`, right), title);
    };
}
