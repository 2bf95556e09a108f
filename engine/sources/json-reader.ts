import type { Column, SourceSchema } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { isNumeric, MIXED } from '#language/program/types.ts';
import { castText, castValue } from '../values/cast.ts';
import type { Dictionary } from '../values/dictionary.ts';
import { fromJson, jsonSource } from '../values/from-json.ts';
import { textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import { chosenColumns, columnPlan } from './column-plan.ts';
import { JSON_MAKER, SOURCE_MAKER, TYPE_MAKER, valueMaker } from './json-makers.ts';
import { eachRow, type JsonColumns, type JsonInput, jsonColumns, openJson } from './json-rows.ts';
import { JsonSurvey } from './json-survey.ts';
import { type JsonText, LETTER_N, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-text.ts';
import { nullMaker, RowFaults } from './row-faults.ts';
import type { RowTarget } from './source.ts';
import { partFill, partPlan, type TablePart } from './table-part.ts';

/**
 * Reads all rows into the target, in two passes: the first finds the columns, the second adds the rows. Nothing but a
 * window of the text and the values of one row are held. Of one of many files, which a `part` is, all columns are known.
 */
export function readJsonRows(
    input: JsonInput & { readonly predicate: string; readonly part?: TablePart & Pick<JsonColumns, 'sharesLines'> },
    target: RowTarget,
): void {
    const { options, file, part } = input;
    const { dictionary, columns } = target;
    const checkpoint = (): void => target.checkpoint();
    const { names, rows, sharesLines } =
        part === undefined ? jsonColumns(input, checkpoint) : { names: part.table.names, rows: undefined, sharesLines: part.sharesLines };
    if (rows === 0) return;
    if (sharesLines) target.enterFile?.(file, 'items');
    const plan = part === undefined ? columnPlan(columns, names, input) : partPlan(part, undefined, input);
    const sourceOf = new Map(names.map((name, source) => [name, source]));
    const nulls = nullMaker(input, options.sameNull, dictionary);
    const nullFor = part === undefined ? nulls : partFill(part, target, nulls);
    const faults = part?.faults ?? new RowFaults(input, columns);
    const width = part?.table.stored ?? names.length;
    const cells = columns.map(column => cellReader(column, dictionary, file));
    const row = new Int32Array(columns.length);
    const filled = new Int32Array(columns.length);
    let count = 0;
    input.withBytes(bytes => {
        const text: JsonText = openJson(input, bytes, checkpoint);
        eachRow(text, options, () => {
            const { line } = text;
            count++;
            let isCut = false;
            text.members(name => {
                const source = sourceOf.get(name);
                if (source === undefined) text.fail(say`it changed while it was read: '${name}' is new`);
                const at = plan.targets[source] ?? -1;
                if (at < 0 || text.sign() === LETTER_N) {
                    text.value(TYPE_MAKER);
                    isCut ||= source >= plan.expected && source < width;
                    return;
                }
                row[at] = cells[at]!(text, found => {
                    faults.unreadable(at, text.line, () => found);
                    return nullFor(at);
                });
                filled[at] = count;
            });
            if (width < plan.expected) faults.padded(line);
            if (isCut && plan.cutsMore) faults.cut(line);
            for (let at = 0; at < row.length; at++) if (filled[at] !== count) row[at] = nullFor(at);
            for (const [from, to] of plan.copies) row[to] = row[from]!;
            target.add(row, sharesLines ? count : line);
        });
    });
    if (part === undefined) for (const found of faults.reports(plan.expected)) target.report(found);
    target.checkpoint();
}

/** Takes a value as a column wants it; `unread` says what stands for a value that cannot be one, given as it is written. */
type CellReader = (text: JsonText, unread: (text: string) => ValueId) => ValueId;

function cellReader({ type, cast }: Column, dictionary: Dictionary, file: string): CellReader {
    let notRead: (text: string) => ValueId = () => 0;
    const make = valueMaker(dictionary, file, text => notRead(text));
    const plain: CellReader = (text, unread) => {
        notRead = unread;
        return text.value(make);
    };
    if (!cast || type.kind === 'mixed' || type.kind === 'unknown') return plain;
    if (type.kind === 'string' || type.kind === 'json') {
        return text => (text.sign() === QUOTE ? text.value(make) : dictionary.string(text.value(SOURCE_MAKER)));
    }
    const exact = isNumeric(type) ? { ...make, number: (text: string) => castText(dictionary, text, type) ?? notRead(text) } : make;
    return (text, unread) => {
        const sign = text.sign();
        if (sign !== OPEN_BRACE && sign !== OPEN_BRACKET) {
            notRead = unread;
            const value = text.value(exact);
            return castValue(dictionary, value, type, MIXED) ?? unread(textOf(dictionary, value, MIXED, String));
        }
        const json = text.value(JSON_MAKER);
        let isReadable = true;
        const absent = (): ValueId => dictionary.freshNull(file);
        const unreadable = (): ValueId => {
            isReadable = false;
            return absent();
        };
        const value = fromJson(dictionary, json, type, { absent, unreadable });
        return isReadable ? value : unread(jsonSource(json));
    };
}

/**
 * The columns that the rows of a file show, their types, and what the texts of so many rows show; undefined without any. RT064 where it cannot be
 * read to its end.
 */
export function peekJson(input: JsonInput, records = 0): SourceSchema | undefined {
    const survey = records > 0 ? new JsonSurvey(records) : undefined;
    const { names, types } = jsonColumns(input, () => undefined, { ...(survey && { survey }) });
    if (names.length === 0) return undefined;
    const chosen = chosenColumns(names, input) ?? names.map((_, at) => at);
    return {
        columns: chosen.map(at => {
            const name = names[at];
            const type = types[at];
            const texts = survey?.textsOf(name ?? '');
            return { ...(name === undefined ? {} : { name }), ...(type === undefined ? {} : { type }), ...(texts && { texts }) };
        }),
    };
}
