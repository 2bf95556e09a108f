import type { Position, Range, TextEdit } from 'vscode-languageserver/node';
import type { OpenCell, OpenNotebooks } from './open-notebooks.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members that the client gets back unchanged, or that contain no places. */
const OPAQUE: ReadonlySet<string> = new Set(['data', 'capabilities', 'initializationOptions']);

/** Translates places of a client's message from cells to the program of the notebook. */
export function toProgram(value: unknown, notebooks: OpenNotebooks, shift = 0): unknown {
    // Without a notebook nothing becomes another, and a message may be of a megabyte.
    if (!notebooks.isAny) return value;
    if (Array.isArray(value)) return value.map(item => toProgram(item, notebooks, shift));
    if (!isMembers(value)) return value;
    if (isPosition(value)) return { ...value, line: value.line + shift };
    const uri = uriOf(value);
    const cell = uri === undefined ? undefined : notebooks.cell(uri);
    const inner = uri === undefined ? shift : (cell?.first ?? 0);
    return members(value, (member, key) => {
        if (OPAQUE.has(key)) return member;
        return key === 'uri' && cell !== undefined ? cell.notebook : toProgram(member, notebooks, inner);
    });
}

/**
 * Translates places of an answer from the program of a notebook to its cells: to the cell of the question, without places outside it, or
 * else to the cell of each place.
 */
export function toCells(value: unknown, notebooks: OpenNotebooks, asked?: OpenCell): unknown {
    if (!notebooks.isAny) return value;
    if (Array.isArray(value)) return value.flatMap(item => inCells(item, notebooks, asked));
    if (!isMembers(value)) return value;
    if (asked !== undefined && isPosition(value)) return within(value, asked);
    if (isWorkspaceEdit(value)) return workspaceEdit(value, notebooks, asked);
    if (typeof value.targetUri === 'string') return link(value, value.targetUri, notebooks, asked);
    if (isMembers(value.from) && Array.isArray(value.fromRanges)) {
        const caller = cellOf(value.from, notebooks);
        return { ...value, from: toCells(value.from, notebooks), fromRanges: toCells(value.fromRanges, notebooks, caller) };
    }
    const { uri } = value;
    if (typeof uri !== 'string') return members(value, (member, key) => shifted(member, key, notebooks, asked));
    const cell = cellOf(value, notebooks);
    if (cell === undefined) return members(value, member => toCells(member, notebooks));
    return members(value, (member, key) => (key === 'uri' ? cell.uri : shifted(member, key, notebooks, cell)));
}

function shifted(member: unknown, key: string, notebooks: OpenNotebooks, cell: OpenCell | undefined): unknown {
    if (OPAQUE.has(key)) return member;
    if (key === 'arguments' && Array.isArray(member)) return commandArguments(member, notebooks);
    if (cell !== undefined && (key === 'startLine' || key === 'endLine') && typeof member === 'number')
        return Math.min(Math.max(0, member - cell.first), cell.count - 1);
    return toCells(member, notebooks, cell);
}

/** An item of a list: nothing where it lies outside the cell, and a report of a program as one of each of its cells. */
function inCells(item: unknown, notebooks: OpenNotebooks, asked: OpenCell | undefined): unknown[] {
    if (!isMembers(item)) return [toCells(item, notebooks, asked)];
    const { uri, kind } = item;
    const cells = typeof uri === 'string' && (kind === 'full' || kind === 'unchanged') ? notebooks.cells(uri) : undefined;
    if (cells !== undefined)
        return cells.map(cell => ({ ...item, uri: cell.uri, version: cell.version, ...ofCell(item, notebooks, cell) }));
    return asked !== undefined && isOutside(item, asked) ? [] : [toCells(item, notebooks, asked)];
}

/** Returns the part of a report that concerns one cell. */
export function ofCell({ items }: Members, notebooks: OpenNotebooks, cell: OpenCell): Members {
    return Array.isArray(items) ? { items: toCells(items, notebooks, cell) } : {};
}

/** Translates the arguments of a command: an address, a line and further ones. */
function commandArguments(given: readonly unknown[], notebooks: OpenNotebooks): readonly unknown[] {
    const [uri, line, ...more] = given;
    if (typeof uri !== 'string' || typeof line !== 'number') return given;
    const cell = cellAtLine(notebooks.cells(uri), line);
    return cell === undefined ? given : [cell.uri, line - cell.first, ...more];
}

/** A link leads from the cell that was asked about into the one of its target. */
function link(value: Members, uri: string, notebooks: OpenNotebooks, asked: OpenCell | undefined): Members {
    const range = value.targetSelectionRange ?? value.targetRange;
    const target = isRange(range) ? cellAtLine(notebooks.cells(uri), range.start.line) : undefined;
    return members(value, (member, key) => {
        if (!key.startsWith('target')) return toCells(member, notebooks, asked);
        return key === 'targetUri' ? (target?.uri ?? uri) : toCells(member, notebooks, target);
    });
}

/** The edits of a program as edits of its cells; none at all where one of them is of several cells. */
function workspaceEdit({ changes, documentChanges, ...more }: Members, notebooks: OpenNotebooks, asked: OpenCell | undefined): Members {
    try {
        return {
            ...(toCells(more, notebooks, asked) as Members),
            ...(isMembers(changes) && {
                changes: Object.fromEntries(
                    Object.entries(changes).flatMap(([uri, edits]) =>
                        [...cellEdits(uri, edits, notebooks)].map(([cell, own]) => [cell?.uri ?? uri, own]),
                    ),
                ),
            }),
            ...(Array.isArray(documentChanges) && {
                documentChanges: documentChanges.flatMap(change => documentChange(change, notebooks)),
            }),
        };
    } catch (error) {
        if (error instanceof AcrossCells) return {};
        throw error;
    }
}

function documentChange(change: unknown, notebooks: OpenNotebooks): unknown[] {
    const document = isMembers(change) ? change.textDocument : undefined;
    if (!isMembers(change) || !isMembers(document) || typeof document.uri !== 'string') return [change];
    return [...cellEdits(document.uri, change.edits, notebooks)].map(([cell, edits]) =>
        cell === undefined ? change : { ...change, textDocument: { uri: cell.uri, version: cell.version }, edits },
    );
}

/** An edit begins in one cell and ends in another. */
class AcrossCells extends Error {}

function cellEdits(uri: string, edits: unknown, notebooks: OpenNotebooks): ReadonlyMap<OpenCell | undefined, unknown[]> {
    const cells = notebooks.cells(uri);
    const found = new Map<OpenCell | undefined, unknown[]>();
    if (cells === undefined || !Array.isArray(edits)) return found.set(undefined, edits as unknown[]);
    for (const edit of edits as readonly TextEdit[]) {
        const cell = cellAtLine(cells, edit.range.start.line);
        if (cell === undefined || cellAtLine(cells, edit.range.end.line) !== cell) throw new AcrossCells();
        const own = found.get(cell) ?? [];
        found.set(cell, own);
        own.push(cellEdit(edit, cell));
    }
    return found;
}

/** Returns an edit in a cell; text inserted behind its last line gets a line of its own. */
export function cellEdit(edit: TextEdit, cell: OpenCell): TextEdit {
    const { start, end } = edit.range;
    const range = { start: within(start, cell), end: within(end, cell) };
    if (start.line < cell.first + cell.count || edit.newText === '') return { ...edit, range };
    return { ...edit, range, newText: `\n${edit.newText.replace(/\n$/u, '')}` };
}

/** The place in a cell; the line behind the last one is its end. */
function within({ line, character }: Position, { first, count, lastLength }: OpenCell): Position {
    if (line < first) return { line: 0, character: 0 };
    return line < first + count ? { line: line - first, character } : { line: count - 1, character: lastLength };
}

function isOutside(item: Members, { first, count }: OpenCell): boolean {
    const { uri, targetUri, range, position, startLine, endLine } = item;
    if (uri !== undefined || targetUri !== undefined) return false;
    const between = (start: unknown, end: unknown): boolean =>
        typeof start === 'number' && typeof end === 'number' && (end < first || start >= first + count);
    if (isRange(item)) return between(item.start.line, item.end.line);
    if (isRange(range)) return between(range.start.line, range.end.line);
    return isMembers(position) ? between(position.line, position.line) : between(startLine, endLine);
}

/** The cell in which the place of an item is. */
function cellOf(value: Members, notebooks: OpenNotebooks): OpenCell | undefined {
    const { uri } = value;
    const range = [value.selectionRange, value.range, value.selection].find(isRange);
    return typeof uri === 'string' && range !== undefined ? cellAtLine(notebooks.cells(uri), range.start.line) : undefined;
}

function cellAtLine(cells: readonly OpenCell[] | undefined, line: number): OpenCell | undefined {
    return cells?.find(({ first, count }) => first <= line && line <= first + count);
}

/** The document of which an object speaks. */
function uriOf({ uri, textDocument }: Members): string | undefined {
    if (typeof uri === 'string') return uri;
    return isMembers(textDocument) ? uriOf(textDocument) : undefined;
}

function isWorkspaceEdit({ changes, documentChanges }: Members): boolean {
    return (isMembers(changes) && Object.values(changes).every(Array.isArray)) || Array.isArray(documentChanges);
}

function isRange(value: unknown): value is Range {
    return isMembers(value) && isPosition(value.start) && isPosition(value.end);
}

function isPosition(value: unknown): value is Position {
    return isMembers(value) && typeof value.line === 'number' && typeof value.character === 'number';
}

export function isMembers(value: unknown): value is Members {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function members(value: Members, change: (member: unknown, key: string) => unknown): Members {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member, key)]));
}
