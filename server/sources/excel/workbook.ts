import { nearestName } from '#language/library/nearest-name.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { decryptedWorkbook } from './decrypt-workbook.ts';
import { type CellKind, cellKinds } from './number-formats.ts';
import { plainText, readXml, textCollector, xmlSteps } from './xml.ts';
import { type ArchiveBytes, bytesOfMemory, piecesOf, type Refuse, readZip, type ZipEntry } from './zip.ts';

/** A workbook of Excel, whose parts are read when they are asked for (ECMA-376, Office Open XML). */
export interface Workbook {
    readonly entries: ReadonlyMap<string, ZipEntry>;
    readonly sheets: readonly Sheet[];
    /** Days are counted from 1904. */
    readonly from1904: boolean;
    /** Where the workbook itself and its styles stand in the archive. */
    readonly path: string;
    readonly stylesPath: string | undefined;
    /** A text that cells name by its number; undefined where there is none. */
    stringAt(index: number): string | undefined;
    /** What a cell of a style holds. */
    kindOf(style: number): CellKind;
    /** The bytes of a part, piece by piece. */
    part(path: string): Iterable<Uint8Array>;
}

export interface Sheet {
    readonly name: string;
    readonly path: string;
}

/** Files of Excel before 2007, and those that a password keeps. */
const COMPOUND = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0);
const ENCRYPTION = [...'EncryptedPackage'].join('\0');
const LOOKED_AT = 1 << 16;
/** Bytes of the largest encrypted workbook. */
const LARGEST_LOCKED = 2 ** 28;
/** Letters of all texts together that are kept for the cells that name them. */
const MOST_LETTERS = 2 ** 28;

/** Opens a workbook, with its password if it has one. */
export function openWorkbook(given: ArchiveBytes, password: string | undefined, refuse: Refuse, checkpoint: () => void): Workbook {
    const file = unlocked(given, password, refuse, checkpoint);
    const entries = readZip(file, refuse);
    const part = (path: string): Iterable<Uint8Array> => {
        const entry = entries.get(path);
        return entry === undefined ? refuse(say`has no part '${path}'`) : piecesOf(entry, refuse);
    };
    const path = relationsOf('', part, entries, refuse).find(({ type }) => type === 'officeDocument')?.target;
    if (path === undefined) return refuse(say`is no Excel workbook (.xlsx)`);
    const relations = relationsOf(path, part, entries, refuse);
    const sheets: Sheet[] = [];
    let from1904 = false;
    readXml(part(path), path, refuse, {
        open: (name, attributes) => {
            if (name === 'workbookPr') from1904 = isTrue(attributes.date1904);
            if (name !== 'sheet') return;
            const relation = relations.find(({ id }) => id === attributes.id);
            // Charts have no cells.
            if (relation?.type === 'worksheet') sheets.push({ name: plainText(attributes.name ?? ''), path: relation.target });
        },
    });
    const targetOf = (kind: string): string | undefined => relations.find(({ type }) => type === kind)?.target;
    const [stringsPath, stylesPath] = [targetOf('sharedStrings'), targetOf('styles')];
    let kinds: readonly CellKind[] | undefined;
    return {
        entries,
        sheets,
        from1904,
        path,
        stylesPath,
        part,
        stringAt: stringsPath === undefined ? () => undefined : sharedStrings(part, stringsPath, refuse, checkpoint),
        kindOf: style => {
            kinds ??= stylesPath === undefined ? [] : cellKinds(part(stylesPath), stylesPath, refuse);
            return kinds[style] ?? 'number';
        },
    };
}

export function isTrue(text: string | undefined): boolean {
    return text === '1' || text === 'true';
}

/** The sheet of a name, in any letter case, or the first one; undefined where it is not there. */
export function sheetNamed({ sheets }: Workbook, name: string | undefined): Sheet | undefined {
    const wanted = name?.toLowerCase();
    return wanted === undefined ? sheets[0] : sheets.find(one => one.name.toLowerCase() === wanted);
}

/** The sheet of a name, in any letter case, or the first one. */
export function sheetOf(workbook: Workbook, name: string | undefined, refuse: Refuse): Sheet {
    const sheet = sheetNamed(workbook, name);
    if (sheet !== undefined) return sheet;
    if (name === undefined) return refuse(say`has no sheet`);
    const all = workbook.sheets.map(one => one.name);
    const nearest = nearestName(name, all);
    return refuse(
        nearest === undefined
            ? say`has no sheet '${name}'; its sheets are ${all.map(one => `'${one}'`).join(', ')}`
            : say`has no sheet '${name}'; did you mean '${nearest}'?`,
    );
}

function unlocked(file: ArchiveBytes, password: string | undefined, refuse: Refuse, checkpoint: () => void): ArchiveBytes {
    if (!isCompound(file)) return file;
    if (!isLocked(file)) return refuse(say`is a workbook of Excel before 2007 (.xls): save it as .xlsx`);
    if (file.size > LARGEST_LOCKED)
        return refuse(say`is encrypted and has more than ${countText(LARGEST_LOCKED)} bytes, which is as much as is decrypted`);
    const bytes = new Uint8Array(file.size);
    for (let got = 1, at = 0; got > 0 && at < bytes.length; at += got) got = file.readAt(bytes.subarray(at), at);
    return bytesOfMemory(decryptedWorkbook(bytes, password, refuse, checkpoint));
}

function isCompound(file: ArchiveBytes): boolean {
    const front = new Uint8Array(COMPOUND.length);
    return file.readAt(front, 0) === front.length && COMPOUND.every((byte, at) => front[at] === byte);
}

/** Whether a file is an encrypted workbook: a compound file with the name of the stream that holds one. */
export function isLocked(file: ArchiveBytes): boolean {
    if (!isCompound(file)) return false;
    const piece = new Uint8Array(LOOKED_AT);
    for (let at = 0; at < file.size; at += LOOKED_AT - ENCRYPTION.length) {
        const length = file.readAt(piece, at);
        if (new TextDecoder('latin1').decode(piece.subarray(0, length)).includes(ENCRYPTION)) return true;
    }
    return false;
}

interface Relation {
    readonly id: string;
    /** The last word of its type. */
    readonly type: string;
    readonly target: string;
}

/** What a part refers to; of the archive itself where the path is empty. */
function relationsOf(path: string, part: Workbook['part'], entries: ReadonlyMap<string, ZipEntry>, refuse: Refuse): readonly Relation[] {
    const at = relationsPath(path);
    if (!entries.has(at)) return [];
    const found: Relation[] = [];
    readXml(part(at), at, refuse, {
        open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
            if (name !== 'Relationship' || TargetMode === 'External') return;
            found.push({ id: Id, type: Type.replace(/^.*\//u, ''), target: targetPath(Target, path) });
        },
    });
    return found;
}

/** The path of a part that another refers to: an address that is relative to that. */
function targetPath(target: string, path: string): string {
    try {
        return decodeURIComponent(new URL(target, `file:///${path}`).pathname.slice(1));
    } catch {
        return target;
    }
}

export function relationsPath(path: string): string {
    const slash = path.lastIndexOf('/') + 1;
    return `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`;
}

/** Texts by their numbers, read as far as somebody asks. */
function sharedStrings(part: Workbook['part'], path: string, refuse: Refuse, checkpoint: () => void): Workbook['stringAt'] {
    const strings: string[] = [];
    const collector = textCollector();
    let letters = 0;
    let steps: Iterator<undefined, void> | undefined;
    const begun = (): Iterator<undefined, void> =>
        xmlSteps(part(path), path, refuse, {
            open: name => {
                if (name === 'si') collector.begin();
                collector.open(name);
            },
            close: name => {
                collector.close(name);
                if (name !== 'si') return;
                const text = collector.end();
                letters += text.length;
                if (letters > MOST_LETTERS) refuse(say`holds '${path}', whose texts have more than ${countText(MOST_LETTERS)} letters`);
                strings.push(text);
            },
            text: collector.text,
        });
    return index => {
        steps ??= begun();
        while (strings.length <= index && steps.next().done !== true) checkpoint();
        return strings[index];
    };
}
