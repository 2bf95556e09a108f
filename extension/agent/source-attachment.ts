import { l10n } from 'vscode';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { Source } from '#extension/sources/source.ts';
import type { Attachment } from '#extension/surfaces/agent/transcript.ts';

/** Sources as the agent is given them: their columns with types, and the binds that read them, in which no password stands. No rows. */
export function sourceAttachment(sources: readonly Source[]): Attachment {
    const [first] = sources;
    return {
        kind: 'source',
        title: sources.length === 1 ? (first?.name ?? '') : l10n.t('{0} sources', sources.length),
        text: sources.map(sourceText).join('\n\n'),
    };
}

function sourceText({ name, row_count: rows, columns, bind_annotation: bind }: Source): string {
    const counted = rows === null ? name : `${name} · ${rowsText(rows)}`;
    return [counted, bind, ...columns.map(column => `${column.name}: ${column.type}`)].join('\n');
}
