import type { OpenDocument } from '#language/document/open-document.ts';
import { type Completion, plain } from '../completion.ts';
import type { ListFiles } from '../completion-options.ts';
import { fileCompletions, quoted } from './files.ts';
import type { FoundTexts } from './found-texts.ts';

/** Completions for an include: modules, and the files of programs whose path continues the text before the offset. */
export function moduleCompletions(
    document: OpenDocument,
    offset: number,
    before: string,
    modules: Iterable<string>,
    listFiles: ListFiles,
): FoundTexts {
    const programs: ListFiles = start => listFiles(start).filter(path => path.endsWith('/') || path.endsWith('.rulelang'));
    const { items, range, prefix } = fileCompletions(document, offset, before, '', false, programs);
    const named = before.includes('/') ? [] : Array.from(new Set(modules), moduleCompletion);
    return { items: [...named, ...items], range, prefix };
}

function moduleCompletion(name: string): Completion {
    return { label: name, kind: 'module', insert: plain(quoted(name)), rank: 0 };
}
