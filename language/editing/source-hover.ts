import { spanInText, textOf } from '#language/analysis/annotation-arguments.ts';
import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Annotation } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { TablesOf } from './completion-options.ts';
import { bindAt, boundTable, boundTables, kindText, tableText, typeText } from './completions/source-tables.ts';
import type { HoverCard } from './hover-card.ts';
import { codeBlock, inlineCode } from './markdown.ts';

/** The table that a bind names, or the column of it that a mapping names, where a database has told its tables. */
export function sourceHover(document: OpenDocument, offset: number, tablesOf: TablesOf): HoverCard | undefined {
    for (const annotation of document.clauseAt(offset)?.annotations ?? []) {
        const range = rangeOfName(document, annotation, offset);
        if (range === undefined) continue;
        const markdown = annotation.name === 'bind' ? tableCard(document, offset, tablesOf) : columnCard(document, annotation, tablesOf);
        if (markdown !== undefined) return { markdown, range };
    }
    return undefined;
}

/** Returns the range of a table's or column's name in an annotation, if the offset is within it. */
function rangeOfName(document: OpenDocument, { name, arguments: given }: Annotation, offset: number): TextRange | undefined {
    const argument = name === 'bind' ? given[3] : name === 'mapping' ? given[2] : undefined;
    const place = document.clauseAt(offset)?.place;
    const text = textOf(argument);
    if (argument === undefined || place === undefined || text === undefined) return undefined;
    const range = rangeOf({ place, span: spanInText(argument, 0, text.length) });
    return range.start <= offset && offset <= range.end ? range : undefined;
}

function tableCard(document: OpenDocument, offset: number, tablesOf: TablesOf): string | undefined {
    const bind = bindAt(document, offset);
    const table = bind && boundTable(bind, tablesOf);
    return table && [kindText(table.kind), tableText(table)].join('\n\n');
}

function columnCard({ analysed }: OpenDocument, { arguments: given }: Annotation, tablesOf: TablesOf): string | undefined {
    const [predicate = '', name] = [textOf(given[0]), textOf(given[2])];
    const tables = boundTables(analysed, predicate, tablesOf);
    const table = tables.find(({ columns }) => columns.some(column => column.name === name));
    const column = table?.columns.find(one => one.name === name);
    return column && table && [codeBlock(`${column.name}: ${typeText(column)}`), say`Column of ${inlineCode(table.name)}`].join('\n\n');
}
