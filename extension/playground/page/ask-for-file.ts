import { openAskSheet } from '#extension/page/ask-sheet.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import type { ProgramFiles } from './program-files.ts';

/** Folders and a file, with the ending that says what it is. */
const NAME = /^(?:[\w-][\w. -]*\/)*[\w-][\w. -]*\.(?:rulelang|csv|json|ndjson|txt)$/u;

/** Asks what a new file is called, which is not among those that there are. */
export function askForFile(files: ProgramFiles, named: (path: string) => void): void {
    openAskSheet({
        title: l10n.t('New file'),
        name: {
            label: l10n.t('Name'),
            value: 'data.csv',
            complaint(text) {
                if (!NAME.test(text)) return l10n.t('A name such as data.csv: it ends with .rulelang, .csv, .json, .ndjson or .txt');
                return files.has(`/${text}`) ? l10n.t('There is a file of this name') : undefined;
            },
        },
        label: l10n.t('Create'),
        async act(name) {
            named(`/${name}`);
            return undefined;
        },
    });
}
