import { l10n, type QuickPickItem, window } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { visible } from '#extension/surfaces/visible-text.ts';

interface ColumnItem extends QuickPickItem {
    readonly column: number;
}

/** Asks for one argument of a predicate after the other in their new order, and has the server put them into it. */
export async function reorderArguments(server: Server, ...asked: readonly unknown[]): Promise<CommandOutcome> {
    const [uri, line, character, predicate, columns] = asked;
    if (typeof uri !== 'string' || typeof line !== 'number' || typeof character !== 'number') return 'nothing to do';
    if (typeof predicate !== 'string' || !Array.isArray(columns)) return 'nothing to do';
    const order = await pickOrder(predicate, columns.map(String));
    if (order === undefined) return 'nothing to do';
    const { applied } = await server.ask('rulelang/reorderArguments', { uri, position: { line, character }, order });
    return applied ? 'done' : 'nothing to do';
}

/** The last argument needs no question. */
async function pickOrder(predicate: string, columns: readonly string[]): Promise<readonly number[] | undefined> {
    const order: number[] = [];
    let left = columns.map(
        (name, column): ColumnItem => ({ label: visible(name), description: l10n.t('argument {0} now', column + 1), column }),
    );
    while (left.length > 1) {
        const title = l10n.t("Argument {0} of '{1}'", order.length + 1, visible(predicate));
        const picked = await window.showQuickPick(left, { title, placeHolder: l10n.t('Which argument comes next?') });
        if (picked === undefined) return undefined;
        order.push(picked.column);
        left = left.filter(({ column }) => column !== picked.column);
    }
    return [...order, ...left.map(({ column }) => column)];
}
