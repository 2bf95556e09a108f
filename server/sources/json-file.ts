import { stop } from '#engine/reports/reports.ts';
import { MODEL_TYPE_MAKER } from '#engine/sources/json-makers.ts';
import { type JsonOptions, jsonOptions } from '#engine/sources/json-options.ts';
import { peekJson, readJsonRows } from '#engine/sources/json-reader.ts';
import { arrayEnd, isOneObject, type JsonColumns, type JsonInput, jsonColumns } from '#engine/sources/json-rows.ts';
import { JsonSurvey } from '#engine/sources/json-survey.ts';
import { writeJson } from '#engine/sources/json-writer.ts';
import { type TableColumns, tableColumns } from '#engine/sources/table-part.ts';
import { requireEncoding } from '#engine/sources/utf8-reader.ts';
import { CONNECTED_SOURCES } from '#language/library/connected-sources.ts';
import { say } from '#language/program/say.ts';
import { type BoundFile, copyLines, copyTarget, type FileFormat, lineEndOf, readableTarget, withFile } from './bound-file.ts';
import { chosenSchema, type FileEndings, type FilePart, fileParts, partsReading } from './file-parts.ts';
import { writePacked } from './packed-target.ts';

const JSON_NAMES: FileEndings = { ...CONNECTED_SOURCES.json, haveAllColumns: true };

export const JSON_FILES: FileFormat = {
    verify: file => {
        if (file.bind.direction === 'output') writtenOptions(file);
        else requireEncoding(optionsOf(file).encoding, file.shown, file.access.report);
    },
    many: JSON_NAMES,
    load: (file, target) => {
        const parts = fileParts(file, JSON_NAMES);
        if (parts === undefined) {
            readJsonRows({ ...inputOf(file), predicate: file.bind.predicate }, target);
            return;
        }
        const files = filesOf(parts, () => target.checkpoint());
        const table = tableOf(files);
        if (table.stored === 0) return;
        const reading = partsReading(file, table, optionsOf(file), target);
        for (const [i, one] of parts.entries()) {
            const part = { ...reading.partOf(one), sharesLines: files[i]?.sharesLines === true };
            readJsonRows({ ...inputOf(one.file), predicate: one.file.bind.predicate, part }, target);
        }
        reading.end();
    },
    peek: (file, records) => {
        const parts = fileParts(file, JSON_NAMES);
        if (parts === undefined) return peekJson(inputOf(file), records);
        const survey = records > 0 ? new JsonSurvey(records) : undefined;
        const table = tableOf(filesOf(parts, () => undefined, survey));
        return chosenSchema(file, table, optionsOf(file), name => survey?.textsOf(name));
    },
    foreign: file => (isOneObject(inputOf(file)) ? say`it is one object, and a run writes a list of rows` : undefined),
    survey: ({ withBytes, name, options }, checkpoint) => [
        jsonColumns({ withBytes, file: name, options: jsonOptions(options, name, {}) }, checkpoint, { make: MODEL_TYPE_MAKER }),
    ],
    write: (file, rows, target) => {
        const options = writtenOptions(file);
        const { multiline, packing } = options;
        return writePacked(packing, target, packed => {
            const { appends, write, checkpoint } = packed;
            const lineEnd = appends ? lineEndOf(file, options) : '\n';
            if (appends && multiline) {
                const { offset, isEmpty } = arrayEnd(inputOf(readableTarget(file)), checkpoint);
                copyTarget(file, packed, packing, offset);
                writeJson(rows, { multiline, continues: isEmpty ? 'first' : 'further', lineEnd }, write, checkpoint);
                return;
            }
            const encoder = new TextEncoder();
            if (appends) copyLines(file, packed, packing, encoder.encode('\n'), encoder.encode(lineEnd));
            writeJson(rows, { multiline, lineEnd }, write, checkpoint);
        });
    },
};

/** Each of the files is read to its end. */
function filesOf(parts: readonly FilePart[], checkpoint: () => void, survey?: JsonSurvey): (JsonColumns & Pick<FilePart, 'folders'>)[] {
    const reading = survey === undefined ? {} : { survey };
    return parts.map(({ file, folders }) => ({ ...jsonColumns(inputOf(file), checkpoint, reading), folders }));
}

function tableOf(files: ReturnType<typeof filesOf>): TableColumns {
    return tableColumns(files, { ofAll: JSON_NAMES.haveAllColumns, areTexts: false });
}

function optionsOf({ bind, shown, access }: BoundFile): JsonOptions {
    return jsonOptions(bind.options, shown, access.report);
}

function writtenOptions(file: BoundFile): JsonOptions {
    const options = optionsOf(file);
    const { encoding } = options;
    if (!/^utf-?8$/iu.test(encoding)) {
        stop('RT064', file.access.report, file.shown, say`cannot be written: JSON files are written in UTF-8, not in '${encoding}'`);
    }
    return options;
}

function inputOf(file: BoundFile): JsonInput {
    return { withBytes: use => withFile(file, use), file: file.shown, options: optionsOf(file), context: file.access.report };
}
