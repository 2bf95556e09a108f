import { type WrittenEntry, zipBytes } from '#server/sources/excel/zip.ts';

/** Cells of sheets, by their names: a text, a number, or XML of cells as they are. */
type Sheets = Readonly<Record<string, readonly (readonly (string | number)[])[] | string>>;

/** An archive with these files. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
    const entries = Object.entries(files).map(
        ([name, text]): WrittenEntry => ({ name, bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text }),
    );
    return zipBytes(entries);
}

/** A workbook as few programs write one: with prefixes, texts in a table of texts, and nothing that can be left out. */
export function workbookOf(sheets: Sheets, others: Readonly<Record<string, string>> = {}): Uint8Array {
    return zipOf({ ...workbookParts(sheets), ...others });
}

export function workbookParts(sheets: Sheets): Record<string, string> {
    const texts: string[] = [];
    const cell = (value: string | number): string => {
        if (typeof value === 'number') return `<x:c><x:v>${value}</x:v></x:c>`;
        return `<x:c t="s"><x:v>${texts.push(value) - 1}</x:v></x:c>`;
    };
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const names = Object.keys(sheets);
    const parts: Record<string, string> = {
        '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>',
        '_rels/.rels': `<Relationships><Relationship Id="a" Type="${relations}/officeDocument" Target="/book/w.xml"/></Relationships>`,
        'book/w.xml': `<x:workbook xmlns:x="${main}" xmlns:r="${relations}"><x:sheets>${names
            .map((name, i) => `<x:sheet name="${name.replaceAll('"', '&quot;')}" sheetId="${i + 1}" r:id="s${i}"/>`)
            .join('')}</x:sheets></x:workbook>`,
        'book/_rels/w.xml.rels': `<Relationships>${names
            .map((_, i) => `<Relationship Id="s${i}" Type="${relations}/worksheet" Target="sheet%20${i}.xml"/>`)
            .join(
                '',
            )}<Relationship Id="t" Type="${relations}/sharedStrings" Target="texts.xml"/><Relationship Id="f" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
        'book/styles.xml': `<x:styleSheet xmlns:x="${main}"><x:numFmts><x:numFmt numFmtId="200" formatCode="[$-407]d. mmm yyyy"/></x:numFmts><x:cellXfs count="3"><x:xf numFmtId="0"/><x:xf numFmtId="200"/><x:xf numFmtId="22"/></x:cellXfs></x:styleSheet>`,
    };
    for (const [i, rows] of Object.values(sheets).entries()) {
        const data = typeof rows === 'string' ? rows : rows.map(row => `<x:row>${row.map(cell).join('')}</x:row>`).join('');
        parts[`book/sheet ${i}.xml`] = `<x:worksheet xmlns:x="${main}"><x:sheetData>${data}</x:sheetData></x:worksheet>`;
    }
    parts['book/texts.xml'] =
        `<x:sst xmlns:x="${main}">${texts.map(text => `<x:si><x:t>${text}</x:t><x:rPh><x:t>no</x:t></x:rPh></x:si>`).join('')}</x:sst>`;
    return parts;
}
