import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { visible } from '#server/notices/visible-text.ts';
import { sayDiagnostics } from './refusal.ts';
import type { Terminal } from './terminal.ts';

/** A request for a program: a text, or the file that it stands in. */
export type ProgramRequest = { readonly project: string } & ({ readonly text: string } | { readonly file: string });

/** Prints the program that a model wrote, and says what is to be known of it. */
export async function askForProgram({ project, ...asked }: ProgramRequest, client: PlatformClient, terminal: Terminal): Promise<void> {
    const text = 'file' in asked ? readNamedText(asked.file).text : asked.text;
    const answer = await client.translateText({ path: { project_id: project }, body: { domain_knowledge: text } });
    const { rulelang_program: program, diagnostics = [], dry_run: tried } = answer;
    terminal.print(`${visibleLines(program)}\n`);
    sayDiagnostics(diagnostics, { file: say`the program`, text: program }, terminal);
    for (const { predicate, row_count: count, why_empty: reasons = [] } of tried?.outputs ?? []) {
        terminal.say(`${predicate}: ${count === 1 ? say`1 row` : say`${countText(count)} rows`}\n`);
        for (const reason of reasons) terminal.say(`  ${visible(reason)}\n`);
    }
    for (const reason of tried?.not_run ?? []) terminal.say(say`not tried: ${visible(reason)}\n`);
}

/** A text with its control characters shown as signs, but for tabs and the ends of lines. */
function visibleLines(text: string): string {
    return text
        .split(/\r?\n/u)
        .map(line => line.split('\t').map(visible).join('\t'))
        .join('\n');
}
