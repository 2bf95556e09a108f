import { getDocument, OPS } from 'unpdf/pdfjs';
import { say } from '#language/program/say.ts';
import { pngImage } from './png-image.ts';

/** A page of a PDF. */
export interface PdfPage {
    /** From 1. */
    readonly page: number;
    /** Its text as it is written, line by line; none on a scan. */
    readonly lines: readonly string[];
    /** Its largest picture as PNG, no larger than models look at; undefined where it has none that can be read. */
    picture(): Promise<Uint8Array | undefined>;
}

/** Pixels of the largest picture that is unpacked. */
const MOST_PIXELS = 2 ** 25;
/** How long is waited for a picture that another part of the library unpacks, in milliseconds. */
const PATIENCE = 5000;

/** Goes over the pages of a PDF in order. Nothing of it is executed or fetched. Gives why it cannot be read, where it cannot. */
export async function readPdf(
    bytes: Uint8Array,
    password: string | undefined,
    take: (page: PdfPage) => Promise<void> | void,
): Promise<string | undefined> {
    const task = getDocument({
        // The library keeps what it is given.
        data: bytes.slice(),
        isEvalSupported: false,
        disableFontFace: true,
        useSystemFonts: false,
        stopAtErrors: false,
        maxImageSize: MOST_PIXELS,
        verbosity: 0,
        ...(password !== undefined && { password }),
    });
    try {
        const pdf = await task.promise;
        for (let number = 1; number <= pdf.numPages; number++) {
            const page = await pdf.getPage(number);
            const lines = linesOf((await page.getTextContent()).items);
            await take({ page: number, lines, picture: () => largestPicture(page) });
            page.cleanup();
        }
        return undefined;
    } catch (error) {
        const name = error instanceof Error ? error.name : '';
        if (name === 'PasswordException')
            return password === undefined ? say`is encrypted; give its password` : say`is encrypted with another password`;
        if (!LIBRARY_ERRORS.has(name)) throw error;
        return say`is no PDF that can be read: ${(error as Error).message}`;
    } finally {
        await task.destroy();
    }
}

/** The classes of errors with which the library tells that a file is broken. */
const LIBRARY_ERRORS: ReadonlySet<string> = new Set([
    'InvalidPDFException',
    'FormatError',
    'MissingDataException',
    'XRefEntryException',
    'UnknownErrorException',
    'ResponseException',
]);

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>;
type Item = Awaited<ReturnType<Page['getTextContent']>>['items'][number];

/** Pieces of text on one line stand together; empty lines are none. */
function linesOf(items: readonly Item[]): string[] {
    const lines: string[] = [];
    let line = '';
    for (const item of items) {
        if (!('str' in item)) continue;
        line += item.str;
        if (!item.hasEOL) continue;
        lines.push(line);
        line = '';
    }
    lines.push(line);
    return lines.map(text => text.trim()).filter(text => text !== '');
}

interface Picture {
    readonly width: number;
    readonly height: number;
    readonly data?: Uint8Array | Uint8ClampedArray;
}

async function largestPicture(page: Page): Promise<Uint8Array | undefined> {
    const { fnArray, argsArray } = await page.getOperatorList();
    let largest: Picture | undefined;
    for (const [i, operator] of fnArray.entries()) {
        if (operator !== OPS.paintImageXObject && operator !== OPS.paintInlineImageXObject) continue;
        const given: unknown = argsArray[i]?.[0];
        const picture = typeof given === 'string' ? await unpacked(page, given) : (given as Picture | undefined);
        if (picture?.data === undefined) continue;
        if (largest === undefined || picture.width * picture.height > largest.width * largest.height) largest = picture;
    }
    return largest?.data && pngImage(largest.width, largest.height, largest.data);
}

function unpacked(page: Page, name: string): Promise<Picture | undefined> {
    const objects = name.startsWith('g_') ? page.commonObjs : page.objs;
    return new Promise(resolve => {
        const timer = setTimeout(() => resolve(undefined), PATIENCE);
        objects.get(name, (picture: Picture | null) => {
            clearTimeout(timer);
            resolve(picture ?? undefined);
        });
    });
}
