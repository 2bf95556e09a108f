import { formatText } from '#language/editing/format-edits.ts';
import { uniqueName } from '#language/library/unique-name.ts';
import { say } from '#language/program/say.ts';
import { parseSelect } from '#language/sql/parse-select.ts';
import { renamePredicate } from '#language/tools/rename-predicate.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { positionAt, sourceText } from '#server/notices/source-texts.ts';
import type { ParamsOf, ResultOf } from '#server/protocol/methods.ts';
import type { TRANSLATION_METHODS } from '#server/protocol/translations.ts';
import { predicateName } from '#server/sources/program-names.ts';
import { owlProgram } from './owl/program.ts';
import { rdfProgram } from './rdf/program.ts';
import { type RdfProblem, rdfTriples } from './rdf/triples.ts';
import { HELPER, OUTPUT, sqlTranslation } from './sql/sql-program.ts';
import type { KnownTable } from './sql/table-columns.ts';

type Asked = ParamsOf<typeof TRANSLATION_METHODS, 'rulelang/translate'>;
export type EditorTranslation = ResultOf<typeof TRANSLATION_METHODS, 'rulelang/translate'>;
type Remark = Extract<EditorTranslation, { kind: 'refused' }>['problems'][number];

/** Characters of a program that is laid out in the usual form. */
const LONGEST_LAID_OUT = 100_000;
/** Most lines in an answer about unstated statements. */
const MOST_UNSTATED = 1_000;

/** A text as rules, with what was not translated and where it stands in it. `taken` are names that rules may not have. */
export function editorTranslation(
    { kind, text, name }: Pick<Asked, 'kind' | 'text' | 'name'>,
    tables: readonly KnownTable[],
    taken: ReadonlySet<string>,
): EditorTranslation {
    return kind === 'sql' ? translatedSql(text, name, tables, taken) : translatedRdf(kind, text);
}

function translatedSql(query: string, name: string, tables: readonly KnownTable[], taken: ReadonlySet<string>): EditorTranslation {
    const source = sourceText(query);
    const at = (message: string, start: number, end: number): Remark => ({
        message,
        range: { start: positionAt(source, start), end: positionAt(source, end) },
    });
    const parsed = parseSelect(query);
    if (!parsed.ok) {
        const { message, start, end } = parsed.problem;
        return { kind: 'refused', problems: [at(message, start, end)] };
    }
    const translation = sqlTranslation(query, tables, parsed);
    if (translation === undefined)
        return { kind: 'refused', problems: [at(say`no rules are written for it: it reads a table called '${OUTPUT}'`, 0, query.length)] };
    const { program, beyond } = translation;
    const words = new Set(Array.from(program.matchAll(/\w+/gu), ([word]) => word));
    const own = [...words].filter(word => word === OUTPUT || word.startsWith(HELPER));
    const used = new Set([...words, ...tables.map(table => table.name)].filter(word => !own.includes(word)));
    for (const word of taken) used.add(word);
    const output = uniqueName(predicateName(name), '_', used);
    const renamed = (text: string, from: string): string => {
        const to = from === OUTPUT ? output : uniqueName(from.replace(OUTPUT, output), '_', used);
        return to === from ? text : renamePredicate(text, from, to);
    };
    return {
        kind: 'program',
        program: formatText(own.reduce(renamed, program)),
        output,
        unmapped: beyond === undefined ? [] : [at(beyond.reason, beyond.start, beyond.end)],
    };
}

/** Longer programs, which are mostly facts, stay as they are written. */
function laidOut(program: string): string {
    return program.length > LONGEST_LAID_OUT ? program : formatText(program);
}

function translatedRdf(kind: 'rdf' | 'owl', text: string): EditorTranslation {
    const lines = text.split('\n');
    const atLine = (message: string, line: number, from = 0): Remark => ({
        message,
        range: {
            start: { line: line - 1, character: from },
            end: { line: line - 1, character: lines[line - 1]?.trimEnd().length ?? 0 },
        },
    });
    const refused = ({ message, line, column }: RdfProblem): EditorTranslation => ({
        kind: 'refused',
        problems: [atLine(message, line, Math.min(column - 1, lines[line - 1]?.length ?? 0))],
    });
    const read = rdfTriples(text);
    if (read.kind === 'refused') return refused(read.problem);
    const unstated = read.unstated
        .slice(0, MOST_UNSTATED)
        .map(line => atLine(say`what stands in formulas or has variables is left out`, line));
    try {
        if (kind === 'rdf') return { kind: 'program', program: laidOut(rdfProgram(read.triples)), unmapped: unstated };
        const { program, unmapped } = owlProgram(read.triples, { includeSchema: true, includeNotRules: true });
        return {
            kind: 'program',
            program: laidOut(program),
            unmapped: [...unmapped.map(({ message, line }) => atLine(message, line)), ...unstated],
        };
    } catch (error) {
        if (isRefusal(error, 'document')) return refused({ message: error.message, line: 1, column: 1 });
        throw error;
    }
}
