import { commands, Location, l10n, Position, Range, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { lookedAt } from '#extension/host/last-editor.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { countText } from '#extension/surfaces/number-text.ts';

/** The last search. */
let last = '';

/** Asks for a pattern, and lists the places of the workspace that have its form; with a replacement, the edits, which the user looks at first. */
export async function searchByStructure(server: Server, given?: unknown): Promise<CommandOutcome> {
    const search = typeof given === 'string' ? given : await askPattern(server);
    if (search === undefined) return 'nothing to do';
    last = search;
    return search.includes('==>') ? replace(server, search) : list(server, search);
}

function askPattern(server: Server): Promise<string | undefined> {
    const editor = window.activeTextEditor;
    const selected =
        editor?.document.languageId === 'rulelang' && !editor.selection.isEmpty ? editor.document.getText(editor.selection) : '';
    return new Promise(resolve => {
        const input = window.createInputBox();
        input.title = l10n.t('Search by Structure');
        input.placeholder = l10n.t('A pattern such as {0}, or PATTERN ==> REPLACEMENT', 'p($X, $Y), q($Y)');
        input.prompt = l10n.t(
            '$X is any term, $p(…) any predicate, $... any further terms; a rule, or a fact with its dot, is a whole clause',
        );
        input.value = selected === '' ? last : selected;
        const check = async (): Promise<boolean> => {
            const { value } = input;
            if (value.trim() === '') return false;
            const found = await server.ask('rulelang/search', { search: value });
            if (value !== input.value) return false;
            input.validationMessage = 'wrong' in found ? found.wrong : undefined;
            return !('wrong' in found);
        };
        input.onDidChangeValue(() => void check());
        input.onDidAccept(async () => {
            if (!(await check())) return;
            resolve(input.value);
            input.hide();
        });
        input.onDidHide(() => {
            resolve(undefined);
            input.dispose();
        });
        input.show();
    });
}

async function list(server: Server, search: string): Promise<CommandOutcome> {
    const found = await server.ask('rulelang/search', { search });
    if ('wrong' in found) return failed(found.wrong);
    const [first] = found.places;
    if (first === undefined) {
        void window.showInformationMessage(l10n.t('Nothing in the programs of the workspace has this form.'));
        return 'nothing to do';
    }
    const locations = found.places.map(({ uri, range }) => new Location(Uri.parse(uri), rangeOf(range)));
    const editor = lookedAt();
    const at = editor?.document.languageId === 'rulelang' ? editor.document.uri : Uri.parse(first.uri);
    const shown = await window.showTextDocument(await workspace.openTextDocument(at), { viewColumn: ViewColumn.Active, preview: true });
    await commands.executeCommand('editor.action.showReferences', at, shown.selection.active, locations);
    if (found.total > locations.length)
        void window.showInformationMessage(l10n.t('{0} of {1} places are listed.', countText(locations.length), countText(found.total)));
    return 'done';
}

async function replace(server: Server, search: string): Promise<CommandOutcome> {
    const answer = await server.ask('rulelang/replaceFound', { search });
    if ('wrong' in answer) return failed(answer.wrong);
    if (answer.edits === 0) void window.showInformationMessage(l10n.t('Nothing in the programs of the workspace has this form.'));
    return answer.applied ? 'done' : 'nothing to do';
}

function failed(reason: string): CommandOutcome {
    void window.showErrorMessage(l10n.t('The pattern cannot be read: {0}', reason));
    return 'failed';
}

interface WireRange {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
}

function rangeOf({ start, end }: WireRange): Range {
    return new Range(new Position(start.line, start.character), new Position(end.line, end.character));
}
