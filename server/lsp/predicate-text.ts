import type { Predicate } from '#language/program/analysed-program.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { EditorDocument } from '#server/workspace/documents.ts';
import { cellExample } from './cell-example.ts';
import { countedAtoms, predicateFacts } from './cursor-facts.ts';
import type { LanguageServer } from './language-server.ts';
import { rowsText } from './run-sizes.ts';
import { aligned } from './shown-text.ts';

/** Prints what is known of a predicate: its columns, the age of its sources, its rows in the last run, the figures of its atoms. */
export async function predicateText(server: LanguageServer, document: EditorDocument, predicate: Predicate): Promise<string> {
    const { analysed, file } = document.program;
    const rules = predicate.rules.flatMap(index => analysed.rules[index]?.rule ?? []).filter(({ place }) => place.file === file);
    const atoms = countedAtoms(server, document, rules);
    const last = rowsText(server.sizes.of(document.uri), predicate.key);
    const { signature, about, columns, sources, run } = await predicateFacts(server, document, predicate);
    const first =
        run === undefined || run.first.length === 0
            ? []
            : aligned([columns.map(({ name }) => name), ...run.first.map(row => row.map(cellExample))]);
    const unknown = columns.flatMap(({ name, unknown: number = 0 }) => (number === 0 ? [] : [`${name} ${countText(number)}`]));
    const lines = [
        `% ${visible(signature)}`,
        ...(about === '' ? [] : [about]),
        ...sources.map(({ text }) => visible(text)),
        '',
        last === undefined ? say`No run has told its rows yet` : say`Last run: ${last}`,
        ...first,
        ...(unknown.length === 0 ? [] : [visible(say`Unknown values: ${unknown.join(', ')}`)]),
        ...(atoms.length === 0 ? [] : ['', say`In the last profiled run`, ...aligned(atoms.map(({ text, figures }) => [text, figures]))]),
    ];
    return `${lines.join('\n')}\n`;
}
