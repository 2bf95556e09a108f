import { type CancellationToken, l10n, type TextDocument } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readSetting } from '#extension/host/read-setting.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { aboutLines, type CheckRules, instructions } from './write-rules.ts';

/** Returns the instructions to a model about a program, or about the language alone. */
export async function instructionsFor(server: Server, document: TextDocument | undefined, token: CancellationToken): Promise<string> {
    const samples = readSetting('model.samples');
    const uri = samples === 'never' ? undefined : document?.uri.toString();
    return instructions(await server.ask('rulelang/modelContext', { rows: samples === 'rows', ...(uri !== undefined && { uri }) }, token));
}

/**
 * Returns the results of rules as lines of a program, on the files of the workspace; undefined if a trial takes more than a few seconds.
 */
export async function trialText(
    server: Server,
    document: TextDocument,
    line: number,
    rules: string,
    token: CancellationToken,
): Promise<string> {
    const call = { uri: document.uri.toString(), program: withRules(document, line, rules), rules };
    const { predicates = [], most } = await server.ask('rulelang/tryRules', call, token);
    const counts = predicates.map(({ name, rows }) => (rows < most ? `${name}: ${countText(rows)}` : `${name}: ≥ ${countText(most)}`));
    return counts.length === 0 ? '' : l10n.t('Rows on the data at hand: {0}.', counts.join(', '));
}

/** Checks rules as lines of a program, above one of its lines, zero-based; without a program by themselves. */
export function checkIn(server: Server, document: TextDocument | undefined, line: number, token: CancellationToken): CheckRules {
    return async rules => {
        const program = withRules(document, line, rules);
        const call = { name: 'check', input: { program }, unseen: true, ...(document !== undefined && { uri: document.uri.toString() }) };
        const { text, isError, hasErrors } = await server.ask('rulelang/callTool', call, token);
        if (isError) throw new Error(l10n.t('The rules could not be checked: {0}', text));
        return { problems: aboutLines(text, line + 1, line + rules.split('\n').length), hasErrors };
    };
}

function withRules(document: TextDocument | undefined, line: number, rules: string): string {
    const lines = document?.getText().split(/\r?\n/u) ?? [];
    return [...lines.slice(0, line), rules, ...lines.slice(line)].join('\n');
}
