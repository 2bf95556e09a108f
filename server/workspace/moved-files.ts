import path from 'node:path';
import type { OpenDocument } from '#language/document/open-document.ts';
import { quoted } from '#language/editing/completions/files.ts';
import { type DocumentLink, documentLinks } from '#language/editing/document-links.ts';
import type { TextEdit } from '#language/editing/format-edits.ts';
import { includes } from '#language/editing/include-at.ts';
import { EXTENSION, withExtensions } from '#language/modules/find-module.ts';
import { flavourOf, forbiddenForm, isInside, segmentsBelow } from '#server/files/path-rule.ts';
import { filePath } from './folders.ts';

/** A file or a folder with all that is in it, and where it goes. */
export interface Move {
    readonly from: string;
    readonly to: string;
}

const FLAVOUR = flavourOf(process.platform);

/**
 * Computes the edits to programs that keep their includes and binds on the same files after some files have moved. They concern the paths
 * by which other programs name the files, and the paths in moved programs. Names that modules give themselves, absolute paths to unmoved
 * files, and paths with parameters stay.
 */
export function movedFilesEdits(
    documents: Iterable<OpenDocument>,
    roots: readonly string[],
    moves: readonly Move[],
): ReadonlyMap<string, readonly TextEdit[]> {
    const edits = new Map<string, readonly TextEdit[]>();
    for (const document of documents) {
        const own = filePath(document.file);
        if (own === undefined) continue;
        const place = { own, moved: moved(own, moves), roots, moves };
        const found = [
            ...includes(document).flatMap(({ range, file }) => includeEdit(document.text, range, file, place)),
            ...documentLinks(document).flatMap(link => bindEdits(document.text, link, place)),
        ];
        if (found.length > 0) edits.set(document.file, found);
    }
    return edits;
}

/** The folders of a program before and after the move. */
interface Place {
    readonly own: string;
    readonly moved: string;
    readonly roots: readonly string[];
    readonly moves: readonly Move[];
}

function moved(file: string, moves: readonly Move[]): string {
    const move = moves.find(({ from }) => isInside(from, file, FLAVOUR));
    return move === undefined ? file : path.join(move.to, ...segmentsBelow(move.from, file, FLAVOUR));
}

type Range = DocumentLink['range'];

function includeEdit(text: string, range: Range, file: string, { own, moved: ownMoved, roots, moves }: Place): TextEdit[] {
    const written = text.slice(range.start, range.end);
    const target = filePath(file);
    if (target === undefined) return [];
    const isNamedFrom = (folder: string): boolean => withExtensions([path.resolve(folder, written)]).includes(target);
    const isBeside = isNamedFrom(path.dirname(own));
    const root = isBeside ? path.dirname(own) : roots.find(isNamedFrom);
    if (root === undefined) return [];
    const after = pathFrom(written, isBeside ? path.dirname(ownMoved) : moved(root, moves), moved(target, moves));
    const named = written.endsWith(EXTENSION) ? after : withoutExtension(after);
    return path.normalize(named) === path.normalize(written) ? [] : edit(text, range, named);
}

function bindEdits(text: string, { range, path: named, directory }: DocumentLink, { own, moved: ownMoved, moves }: Place): TextEdit[] {
    if (forbiddenForm(named, FLAVOUR) !== undefined) return [];
    const target = path.resolve(path.dirname(own), named);
    const after = pathFrom(named, path.dirname(ownMoved), moved(target, moves));
    if (path.normalize(after) === path.normalize(named)) return [];
    const written = text.slice(range.start, range.end);
    if (directory === undefined || directory.path === '' || named === written) return edit(text, range, after);
    // The folder takes what is new, so that the part which the file names stays as long as it is.
    const segments = after.split('/');
    const kept = written.split('/').filter(part => part !== '' && part !== '.').length;
    const folder = segments.slice(0, -kept).join('/');
    return [...edit(text, directory.range, folder), ...edit(text, range, segments.slice(-kept).join('/'))];
}

function withoutExtension(file: string): string {
    return file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : file;
}

/** A path as it was written, absolute or not. */
function pathFrom(written: string, folder: string, target: string): string {
    const named = path.isAbsolute(written) ? target : path.relative(folder, target);
    return named.split(path.sep).join('/');
}

function edit(text: string, { start, end }: Range, after: string): TextEdit[] {
    return text.slice(start, end) === after ? [] : [{ start, end, text: quoted(after) }];
}
