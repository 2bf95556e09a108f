import { say } from '#language/program/say.ts';
import { relationsPath, type Workbook } from './workbook.ts';
import { xmlText } from './xml.ts';
import { type Refuse, type WrittenEntry, wholeFile } from './zip.ts';

/** The files of a workbook that is under way. */
export type Parts = Map<string, WrittenEntry>;

const TYPES = '[Content_Types].xml';
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
/** Formats of days and of moments that all workbooks know. */
const [DATE_FORMAT, TIMESTAMP_FORMAT] = [14, 22];
const xf = (format: number): string => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;

/** Bytes of the largest part that is changed. */
const LARGEST = 2 ** 28;

export function putPart(parts: Parts, name: string, bytes: Uint8Array): void {
    parts.set(name, { name, bytes });
}

function put(parts: Parts, name: string, text: string): void {
    putPart(parts, name, new TextEncoder().encode(text));
}

export function textPart(parts: Parts, name: string, refuse: Refuse): string {
    const entry = parts.get(name);
    if (entry === undefined) return refuse(say`has no part '${name}'`);
    return new TextDecoder().decode('bytes' in entry ? entry.bytes : wholeFile(entry, LARGEST, refuse));
}

/** A workbook with one sheet, whose cells are still to come. */
export function emptyWorkbook(sheet: string, refuse: Refuse): Parts {
    const parts: Parts = new Map();
    put(
        parts,
        TYPES,
        `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    );
    put(
        parts,
        '_rels/.rels',
        `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    );
    put(
        parts,
        'xl/workbook.xml',
        `${HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets><sheet name="${sheetTitle(sheet, refuse)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    );
    put(
        parts,
        'xl/_rels/workbook.xml.rels',
        `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    );
    put(
        parts,
        'xl/styles.xml',
        `${HEAD}<styleSheet xmlns="${SPREADSHEET}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    );
    return parts;
}

const LONGEST_TITLE = 31;

function sheetTitle(name: string, refuse: Refuse): string {
    if (name.length > LONGEST_TITLE || /[[\]:*?/\\]|^'|'$/u.test(name))
        return refuse(
            say`cannot be written: '${name}' is no name of a sheet, which has ${LONGEST_TITLE} characters at the most and none of []:*?/\\`,
        );
    return xmlText(name);
}

/** Adds the styles of days and of moments where they are not there yet, and gives their numbers. */
export function addedStyles(parts: Parts, path: string | undefined, refuse: Refuse): { readonly date: number; readonly timestamp: number } {
    if (path === undefined) return refuse(say`cannot be written: it has no styles`);
    const text = textPart(parts, path, refuse);
    const [whole, open = '', inside = '', close = ''] = /(<(?:\w+:)?cellXfs\b[^>]*>)([\s\S]*?)(<\/(?:\w+:)?cellXfs>)/u.exec(text) ?? [];
    if (whole === undefined) return refuse(say`cannot be written: its styles are written in a way that is not known`);
    const count = inside.match(/<(?:\w+:)?xf\b/gu)?.length ?? 0;
    const prefix = /^<(\w+:)/u.exec(open)?.[1] ?? '';
    const known = (format: number): number =>
        [...inside.matchAll(/<(?:\w+:)?xf\b[^>]*>/gu)].findIndex(
            ([style]) => style.replaceAll("'", '"') === xf(format).replace('<', `<${prefix}`),
        );
    const [date, timestamp] = [known(DATE_FORMAT), known(TIMESTAMP_FORMAT)];
    if (date >= 0 && timestamp >= 0) return { date, timestamp };
    const added = [DATE_FORMAT, TIMESTAMP_FORMAT].map(format => xf(format).replace('<', `<${prefix}`)).join('');
    const counted = open.replace(/count=(["'])\d+\1/u, `count="${count + 2}"`);
    put(
        parts,
        path,
        text.replace(whole, () => `${counted}${inside}${added}${close}`),
    );
    return { date: count, timestamp: count + 1 };
}

/** Adds a sheet behind the others, and gives the path of its part. */
export function addedWorksheet({ path, entries }: Workbook, parts: Parts, name: string, refuse: Refuse): string {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    let number = 1;
    while (entries.has(`${folder}worksheets/sheet${number}.xml`)) number++;
    const target = `worksheets/sheet${number}.xml`;
    const workbook = textPart(parts, path, refuse);
    const relations = textPart(parts, relationsPath(path), refuse);
    const ids = [...workbook.matchAll(/sheetId=["'](\d+)["']/gu)].map(([, id]) => Number(id));
    const id = `rulelang${number}`;
    const prefix = /<\/(\w+:)?sheets>/u.exec(workbook)?.[1] ?? '';
    const title = sheetTitle(name, refuse);
    if (workbook.toLowerCase().includes(`name="${title.toLowerCase()}"`)) refuse(say`cannot be written: '${name}' is no sheet of cells`);
    const sheet = `<${prefix}sheet xmlns:rel="${RELATIONS}" name="${title}" sheetId="${Math.max(0, ...ids) + 1}" rel:id="${id}"/>`;
    const relation = `<Relationship Id="${id}" Type="${RELATIONS}/worksheet" Target="${target}"/>`;
    const type = `<Override PartName="/${folder}${target}" ContentType="${SHEET_TYPE}"/>`;
    insertBefore(parts, path, workbook, new RegExp(`</${prefix}sheets>`, 'u'), sheet, refuse);
    insertBefore(parts, relationsPath(path), relations, /<\/Relationships>/u, relation, refuse);
    insertBefore(parts, TYPES, textPart(parts, TYPES, refuse), /<\/Types>/u, type, refuse);
    return `${folder}${target}`;
}

function insertBefore(parts: Parts, name: string, text: string, end: RegExp, inserted: string, refuse: Refuse): void {
    if (!end.test(text)) refuse(say`cannot be written: part '${name}' is written in a way that is not known`);
    put(
        parts,
        name,
        text.replace(end, close => inserted + close),
    );
}

/** Leaves out what a part refers to. */
export function withoutRelations(parts: Parts, path: string): void {
    parts.delete(relationsPath(path));
}

/**
 * Lets Excel compute all cells anew when it opens the workbook, as those of other sheets may depend on what has changed, and leaves out in which
 * order it did, as some cells may be gone.
 */
export function recomputed({ path }: Workbook, parts: Parts, refuse: Refuse): void {
    const text = textPart(parts, path, refuse);
    const [, prefix = ''] = /<(\w+:)?workbook\b/u.exec(text) ?? [];
    const asked = text.replace(/\sfullCalcOnLoad=(["'])\w*\1/u, '').replace(/(<(?:\w+:)?calcPr\b)/u, '$1 fullCalcOnLoad="1"');
    // It comes behind these, in this order (ECMA-376, 18.2.27).
    const ends = ['definedNames', 'externalReferences', 'functionGroups', 'sheets'].map(name => `</${prefix}${name}>`);
    const end = ends.find(one => text.includes(one));
    const calculation = `<${prefix}calcPr fullCalcOnLoad="1"/>`;
    put(parts, path, asked === text && end !== undefined ? text.replace(end, `${end}${calculation}`) : asked);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (!parts.delete(`${folder}calcChain.xml`)) return;
    const relations = relationsPath(path);
    put(parts, relations, textPart(parts, relations, refuse).replaceAll(/<Relationship\b[^>]*>/gu, withoutCalculation));
    put(parts, TYPES, textPart(parts, TYPES, refuse).replaceAll(/<Override\b[^>]*>/gu, withoutCalculation));
}

/** Nothing of an element that names the order in which cells are calculated. */
function withoutCalculation(element: string): string {
    return element.includes('calcChain.xml') && element.endsWith('/>') ? '' : element;
}
