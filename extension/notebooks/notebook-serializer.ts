import { NotebookCellData, NotebookCellKind, NotebookData, type NotebookSerializer } from 'vscode';
import {
    type NotebookCell,
    type NotebookForm,
    readNotebook,
    USUAL_FORM,
    type WrittenCell,
    writeNotebook,
} from '#server/protocol/notebooks/notebook-text.ts';

/** Reads and writes the text of notebooks. The text of a cell is remembered with it, so that unchanged cells stay as they were. */
export const notebookSerializer: NotebookSerializer = {
    deserializeNotebook(content) {
        const { cells, form } = readNotebook(new TextDecoder('utf-8', { ignoreBOM: true }).decode(content));
        const data = new NotebookData(
            cells.map(({ kind, language, text, written }) => {
                const cell = new NotebookCellData(kind === 'code' ? NotebookCellKind.Code : NotebookCellKind.Markup, text, language);
                cell.metadata = { written };
                return cell;
            }),
        );
        data.metadata = { form };
        return data;
    },
    serializeNotebook({ cells, metadata }) {
        const form = (metadata?.form as NotebookForm | undefined) ?? USUAL_FORM;
        const plain = cells.map(({ kind, languageId, value, metadata: own }): NotebookCell => {
            const written = own?.written as WrittenCell | undefined;
            const text = value.replaceAll('\r\n', '\n');
            return { kind: kind === NotebookCellKind.Code ? 'code' : 'markdown', language: languageId, text, ...(written && { written }) };
        });
        return new TextEncoder().encode(writeNotebook({ cells: plain, form }));
    },
};
