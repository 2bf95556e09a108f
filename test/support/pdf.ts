import { deflateSync } from 'node:zlib';

/** A page: lines of text, a picture that fills it, or a content stream as it is given. */
type Page =
    | readonly string[]
    | { readonly width: number; readonly height: number; readonly rgb: Uint8Array }
    | { readonly content: Buffer; readonly filter?: string };

/** Pages as a PDF 1.4. */
export function pdfOf(pages: readonly Page[]): Buffer {
    const objects: Buffer[] = [];
    const add = (object: string | Buffer): number => objects.push(Buffer.from(object));
    const stream = (entries: string, data: Buffer): Buffer =>
        Buffer.concat([Buffer.from(`<< ${entries} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')]);
    add('<< /Type /Catalog /Pages 2 0 R >>');
    add('');
    const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
    const kids = pages.map(page => {
        let content: Buffer;
        let resources = `/Font << /F ${font} 0 R >>`;
        let entries = '';
        if ('rgb' in page) {
            const { width, height, rgb } = page;
            const form = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
            const image = add(stream(`${form} /Filter /FlateDecode`, deflateSync(rgb)));
            resources = `/XObject << /I ${image} 0 R >>`;
            content = Buffer.from('q 612 0 0 792 0 0 cm /I Do Q');
        } else if ('content' in page) {
            content = page.content;
            entries = page.filter === undefined ? '' : `/Filter /${page.filter}`;
        } else {
            const shown = page.map(line => `(${line.replaceAll(/[\\()]/gu, '\\$&')}) Tj T*`).join(' ');
            content = Buffer.from(`BT /F 12 Tf 72 760 Td 16 TL ${shown} ET`, 'latin1');
        }
        const text = add(stream(entries, content));
        return add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${resources} >> /Contents ${text} 0 R >>`);
    });
    objects[1] = Buffer.from(`<< /Type /Pages /Kids [${kids.map(kid => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`);
    const pieces = [Buffer.from('%PDF-1.4\n')];
    const places: number[] = [];
    let length = pieces[0]?.length ?? 0;
    for (const [i, object] of objects.entries()) {
        const piece = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
        places.push(length);
        length += piece.length;
        pieces.push(piece);
    }
    const table = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
    return Buffer.concat([...pieces, Buffer.from(end)]);
}
