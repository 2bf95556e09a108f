import { stop } from '#engine/reports/reports.ts';
import { eachLine, textOptions } from '#engine/sources/text-lines.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { serviceGrants } from '#server/files/grants.ts';
import { type BoundFile, wholeBytes, withFile } from '../bound-file.ts';
import { boundFile } from '../file-connector.ts';
import { literal, questioned, type SurveyQuestion } from '../surveys/source-description.ts';
import { describedFile, locatedFile } from '../surveys/survey-file.ts';
import type { DocumentLine, DocumentPicture, ReadDocument } from './document.ts';
import { documentKind } from './document-kind.ts';
import { readPdf } from './read-pdf.ts';

/** Bytes of a document, and of an image, which a provider gets as it is. */
const LARGEST = 32 * 2 ** 20;
const LARGEST_IMAGE = 4 * 2 ** 20;
/** Characters of a document that a model reads, and pages that it looks at. */
const MOST_CHARACTERS = 240_000;
const MOST_PICTURES = 20;

/** How a text is read. */
const TEXT_OPTIONS: ReadonlySet<string> = new Set(['encoding', 'compression']);

/** Reads the file that a source describes. A `RunStopped` says why that cannot be done, or why it is too much for a model. */
export async function readDocument(question: SurveyQuestion): Promise<ReadDocument> {
    const { type, source, currentFolder, folders } = question;
    const { folder, name } = describedFile(source, type);
    const { container } = locatedFile({ base: currentFolder, folder, name }, serviceGrants(folders));
    const options = Object.entries(source.options ?? {}).filter(([key]) => TEXT_OPTIONS.has(key));
    const { bind, access } = questioned(question, {
        options: new Map(options),
        outer: literal(container),
        inner: literal(name),
    });
    const file = boundFile(bind, access);
    const size = withFile(file, opened => opened.size);
    if (size > LARGEST) refuse(name, say`has more than ${countText(LARGEST)} bytes, which is as much as a document may have`);
    if (type === 'text') return { name, lines: linesOf(file, name), pictures: [] };
    const bytes = wholeBytes(file);
    const found = documentKind(bytes);
    switch (found.kind) {
        case 'pdf':
            return { name, ...(await pdfParts(bytes, name, source.password)) };
        case 'image':
            if (size > LARGEST_IMAGE)
                refuse(name, say`has more than ${countText(LARGEST_IMAGE)} bytes, which is as much as an image may have`);
            return { name, lines: [], pictures: [{ page: undefined, type: found.type, bytes }] };
        case 'text':
            return { name, lines: linesOf(file, name), pictures: [] };
        case 'other':
            return refuse(name, say`is neither a PDF nor an image (PNG, JPEG, GIF, WebP) nor a text`);
    }
}

function linesOf(file: BoundFile, name: string): DocumentLine[] {
    const lines: DocumentLine[] = [];
    const counter = characterCount(name);
    const add = (text: string, line: number): void => {
        counter.add(text);
        if (text.trim() !== '') lines.push({ page: undefined, line, text });
    };
    const options = textOptions(file.bind.options, name, {});
    withFile(file, bytes => eachLine({ bytes, file: name, options }, add, () => undefined));
    return lines;
}

async function pdfParts(bytes: Uint8Array, name: string, password: string): Promise<Omit<ReadDocument, 'name'>> {
    const lines: DocumentLine[] = [];
    const pictures: DocumentPicture[] = [];
    const counter = characterCount(name);
    const refusal = await readPdf(bytes, password === '' ? undefined : password, async ({ page, lines: texts, picture }) => {
        for (const [i, text] of texts.entries()) {
            counter.add(text);
            lines.push({ page, line: i + 1, text });
        }
        if (texts.length > 0) return;
        const seen = await picture();
        if (seen === undefined) return;
        if (pictures.length === MOST_PICTURES)
            refuse(name, say`has more than ${MOST_PICTURES} pages without text, which is as much as a model is shown; split it`);
        pictures.push({ page, type: 'image/png', bytes: seen });
    });
    if (refusal !== undefined) refuse(name, refusal);
    return { lines, pictures };
}

function characterCount(name: string) {
    let characters = 0;
    return {
        add: (text: string): void => {
            characters += text.length;
            if (characters > MOST_CHARACTERS)
                refuse(name, say`has more than ${countText(MOST_CHARACTERS)} characters, which is as much as a model reads; split it`);
        },
    };
}

function refuse(name: string, reason: string): never {
    return stop('RT064', {}, name, reason);
}
