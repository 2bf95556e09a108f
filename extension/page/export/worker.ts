import { mountedFiles } from '#server/browser/file-system.ts';
import { gatheredFile } from '#server/runs/gathered-file.ts';
import { answerInTurn } from '../language/answer-in-turn.ts';
import type { AnswersOf } from '../language/messages.ts';
import type { ExportMethods } from './messages.ts';

/** In the file system of the worker, which holds nothing else. */
const PATH = '/rows';

let gathered = gatheredFile({ name: '', columns: [], types: [] });

answerInTurn({
    open: rows => {
        gathered = gatheredFile(rows);
        return null;
    },
    give: rows => {
        gathered.give(rows);
        return null;
    },
    write: async format => {
        const { rows } = await gathered.write({ format, path: PATH, onTemporary: () => undefined });
        const [, bytes = new Uint8Array()] = mountedFiles().find(([path]) => path === PATH) ?? [];
        return { rows, file: new Blob([bytes as Uint8Array<ArrayBuffer>]) };
    },
} satisfies AnswersOf<ExportMethods>);
