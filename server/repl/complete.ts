import type { OpenDocument } from '#language/document/open-document.ts';
import { completions } from '#language/editing/completions.ts';
import { listFiles } from '#server/workspace/list-files.ts';

const MOST = 200;
const COMMAND = /^:\w*!?$/u;
const FILE = /^:(?:load|save!?)\s+(?:.*\s)?(\S*)$/u;

/** Continuations of a line: texts, each of which replaces the typed text. */
export interface Choices {
    readonly texts: readonly string[];
    readonly typed: string;
}

export interface CompletionPlace {
    /** The program, and the lines above that belong to what is being typed. */
    readonly before: string;
    readonly commands: readonly string[];
    readonly folder: string;
    readonly documentOf: (text: string) => OpenDocument;
}

/** Completes the beginning of a line with commands, files, or an editor's completions. */
export function choicesFor(line: string, { before, commands, folder, documentOf }: CompletionPlace): Choices {
    if (COMMAND.test(line)) return { texts: commands.filter(name => name.startsWith(line)), typed: line };
    const [, file] = FILE.exec(line) ?? [];
    if (file !== undefined) return { texts: listFiles(folder, file, ['/']), typed: file };
    // A question is completed as the body that it is.
    const text = `${before}${line.replace(/^\s*\?-/u, 'query() <-')}`;
    const found = completions(documentOf(text), text.length, {
        limit: MOST,
        listFiles: prefix => listFiles(folder, prefix, [folder]),
    });
    if (found === undefined) return { texts: [], typed: '' };
    const typed = text.slice(found.range.start);
    const texts = found.items.map(({ insert: { text: inserted, placeholders } }) => inserted.slice(0, placeholders[0]?.start));
    return { texts: [...new Set(texts)].filter(one => one.startsWith(typed) && one !== typed), typed };
}
