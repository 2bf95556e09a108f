import { commands, Position, Uri } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';

/** Asks for a name of what a refactoring has just made at a place, as renaming does. */
export async function nameMadeUp(uri?: unknown, line?: unknown, character?: unknown): Promise<CommandOutcome> {
    if (typeof uri !== 'string' || typeof line !== 'number' || typeof character !== 'number') return 'nothing to do';
    await commands.executeCommand('editor.action.rename', [Uri.parse(uri), new Position(line, character)]);
    return 'done';
}
