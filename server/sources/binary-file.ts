import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { eachLine, type TextOptions, textOptions } from '#engine/sources/text-lines.ts';
import { requireEncoding } from '#engine/sources/utf8-reader.ts';
import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import type { OpenedFile } from '#server/files/open-granted.ts';
import { whileLooked } from '#server/processes/while-looked.ts';
import { type BoundFile, bytesOf, type FileFormat, type SurveyedFile, withFile } from './bound-file.ts';
import { documentKind } from './documents/document-kind.ts';
import { type LineTable, lineRows, lineSchema } from './line-rows.ts';

const LINES: LineTable = {
    names: ['text', 'line', 'page', 'file'],
    types: [{ kind: 'string' }, { kind: 'int' }, { kind: 'int' }, { kind: 'string' }],
    endings: { ...CONNECTED_SOURCES.binary, haveAllColumns: false },
};

/** PDF files, whose rows are the lines of their text with their numbers in the page and the numbers of their pages; and texts, which have no pages. */
export const BINARY_FILES: FileFormat = {
    verify: file => requireEncoding(optionsOf(file).encoding, file.shown, file.access.report),
    many: LINES.endings,
    load: async (file, target) => {
        const rows = lineRows(file, LINES, optionsOf(file), target);
        for (const { file: one, begin } of rows.files) {
            const add = begin();
            const { bind, shown: name, access } = one;
            const document = {
                withBytes: <T>(use: (opened: OpenedFile) => T): T => withFile(one, use),
                name,
                options: bind.options,
                context: access.report,
            };
            await eachDocumentLine(
                document,
                (text, line, page) => add([text, line, page], line),
                () => target.checkpoint(),
            );
        }
        rows.end();
    },
    peek: file => lineSchema(file, LINES, optionsOf(file)),
    survey: async (file, checkpoint) => {
        let rows = 0;
        // An image is a table without lines; a model finds its facts.
        if (isImage(file)) return [{ names: LINES.names, types: LINES.types, rows }];
        await eachDocumentLine(file, () => void rows++, checkpoint);
        return [{ names: LINES.names, types: LINES.types, rows }];
    },
    write: ({ shown, access }) => stop('RT064', access.report, shown, say`cannot be written: binds of type binary only read`),
};

function isImage({ withBytes, name }: SurveyedFile): boolean {
    return documentKind(withBytes(opened => bytesOf(opened, name, {}))).kind === 'image';
}

/** A document, wherever it was named. */
interface OpenableDocument extends SurveyedFile {
    readonly context?: ReportContext;
}

async function eachDocumentLine(
    { withBytes, name, options: given, context = {} }: OpenableDocument,
    take: (text: string, line: number, page: number | undefined) => void,
    checkpoint: () => void,
): Promise<void> {
    const refuse = (reason: string): never => stop('RT064', { ...context, source: { file: name } }, name, reason);
    const bytes = withBytes(opened => bytesOf(opened, name, context));
    switch (documentKind(bytes).kind) {
        case 'pdf': {
            const { readPdf } = await import('./documents/read-pdf.ts');
            const read = () =>
                readPdf(bytes, given.get('password'), ({ page, lines }) => {
                    for (const [i, text] of lines.entries()) take(text, i + 1, page);
                    checkpoint();
                });
            const refusal = await whileLooked(checkpoint, read);
            if (refusal !== undefined) refuse(refusal);
            return;
        }
        case 'text': {
            const options = textOptions(given, name, context, 'binary');
            const add = (text: string, line: number): void => take(text, line, undefined);
            withBytes(opened => eachLine({ bytes: opened, file: name, options, context }, add, checkpoint));
            return;
        }
        case 'image':
            return refuse(say`is an image, which has no text; a model finds facts in it: rulelang data infer`);
        case 'other':
            return refuse(say`is neither a PDF nor a text`);
    }
}

function optionsOf({ bind, shown, access }: BoundFile): TextOptions {
    return textOptions(bind.options, shown, access.report, 'binary');
}
