import { say } from '#language/program/say.ts';
import { type ReportContext, stop } from '../reports/reports.ts';

/** Turns whole characters of UTF-8 into the bytes of another encoding. */
export interface ByteEncoding {
    /** The first bytes of a file in this encoding. */
    readonly mark: Uint8Array;
    encode(utf8: Uint8Array): Uint8Array;
}

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** The encodings that files are written in; any other ends the run with RT064. */
export function byteEncoding(name: string, file: string, context: ReportContext): ByteEncoding {
    const none = new Uint8Array(0);
    switch (name.toLowerCase()) {
        case 'utf-8':
        case 'utf8':
            return { mark: none, encode: utf8 => utf8 };
        case 'us-ascii':
        case 'ascii':
            return { mark: none, encode: utf8 => singleBytes(utf8, code => code < 0x80, name, file, context) };
        case 'latin1':
        case 'iso-8859-1':
            return {
                mark: none,
                encode: utf8 => singleBytes(utf8, code => code < 0x80 || (code >= 0xa0 && code <= 0xff), name, file, context),
            };
        case 'utf-16':
        case 'utf16':
            return { mark: new Uint8Array([0xff, 0xfe]), encode: utf8 => utf16(utf8, true) };
        case 'utf-16le':
            return { mark: none, encode: utf8 => utf16(utf8, true) };
        case 'utf-16be':
            return { mark: none, encode: utf8 => utf16(utf8, false) };
        default:
            return stop(
                'RT064',
                context,
                file,
                say`cannot be written: files are written in UTF-8, UTF-16, ISO-8859-1 or ASCII, not in '${name}'`,
            );
    }
}

function singleBytes(utf8: Uint8Array, fits: (code: number) => boolean, name: string, file: string, context: ReportContext): Uint8Array {
    const text = decoder.decode(utf8);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (!fits(code))
            stop('RT064', context, file, say`cannot be written in ${name}, which has no '${String.fromCodePoint(text.codePointAt(i)!)}'`);
        bytes[i] = code;
    }
    return bytes;
}

function utf16(utf8: Uint8Array, isLittleEndian: boolean): Uint8Array {
    const text = decoder.decode(utf8);
    const bytes = new Uint8Array(text.length * 2);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), isLittleEndian);
    return bytes;
}
