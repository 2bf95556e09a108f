const BOUNDARY = /^[\w'()+,./:=? -]{1,70}$/u;
const HEADERS = /^\r\n((?:[^\r\n]+\r\n)*)\r\n/u;
const NAME = /^content-disposition:[ \t]*form-data[ \t]*;(?:[^\r\n]*;)?[ \t]*name=(?:"([^"\r\n]*)"|([^\s;"]+))/imu;

/** The parts of a `multipart/form-data` body as names and texts, files too (RFC 7578); undefined where it cannot be read or has more. */
export function multipartFields(body: Uint8Array, boundary: string, most: number): (readonly [name: string, text: string])[] | undefined {
    if (!BOUNDARY.test(boundary)) return undefined;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
    const line = new RegExp(`(?:^|\\r\\n)--${boundary.replaceAll(/[()+.?/]/gu, '\\$&')}(--|[ \\t]*(?=\\r\\n))`, 'gu');
    const fields: (readonly [string, string])[] = [];
    let begin: number | undefined;
    for (const { 0: found, 1: end, index } of bytes.matchAll(line)) {
        const field = begin === undefined ? undefined : fieldIn(bytes.slice(begin, index));
        if (field !== undefined) fields.push(field);
        else if (begin !== undefined) return undefined;
        if (end === '--') return fields;
        if (fields.length === most) return undefined;
        begin = index + found.length;
    }
    return undefined;
}

function fieldIn(part: string): readonly [name: string, text: string] | undefined {
    const [begin, headers = ''] = HEADERS.exec(part) ?? [];
    const [, quoted, bare] = NAME.exec(headers) ?? [];
    const name = quoted ?? bare;
    return begin === undefined || name === undefined ? undefined : [utf8(name), utf8(part.slice(begin.length))];
}

function utf8(bytes: string): string {
    return Buffer.from(bytes, 'latin1').toString();
}
