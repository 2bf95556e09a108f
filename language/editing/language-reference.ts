import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { CONNECTED_TYPES, isConnected } from '#language/library/connected-sources.ts';
import { type DataSource, dataSourceNamed, dataSourceTypes, optionKindText, type SourceOption } from '#language/library/data-sources.ts';
import { OPERATOR_GROUPS } from '#language/library/operators.ts';
import { AGGREGATE_FACTS, AGGREGATES } from '#language/program/aggregates.ts';
import { directiveDocumentation } from './directive-documentation.ts';
import { codeCell, table, textCell } from './markdown.ts';
import { aggregateSignature, annotationSignature } from './signatures.ts';

/** The tables of the pages about the language that come from catalogues, by name. */
const TABLES: ReadonlyMap<string, () => string> = new Map([
    ['operators', operatorTable],
    ['aggregates', aggregateTable],
    ['annotations', annotationTable],
    ['directives', directiveTable],
    ['sources', sourceTable],
    ...CONNECTED_TYPES.map(type => [`options of ${type}`, () => optionTable(type)] as const),
]);

/** The page with the text between each pair of comments `table: name` and `end` written anew. */
export function withCurrentTables(page: string): string {
    return page.replaceAll(/(<!-- table: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/gu, (_, start: string, name: string, end: string) => {
        const written = TABLES.get(name);
        if (written === undefined) throw new Error(`There is no table '${name}'`);
        return `${start}\n${written()}\n\n${end}`;
    });
}

function operatorTable(): string {
    const rows = OPERATOR_GROUPS.flatMap((group, level) =>
        group.map(({ operator, documentation, example }) => [
            String(level + 1),
            operator.split(' ').map(codeCell).join(' '),
            textCell(documentation),
            `${codeCell(example.call)} gives ${codeCell(example.value)}`,
        ]),
    );
    return table(['precedence', 'operator', 'meaning', 'example'], rows);
}

function aggregateTable(): string {
    const rows = Object.values(AGGREGATES).map(entry => [
        codeCell(aggregateSignature(entry).label),
        entry.direction === undefined ? '–' : 'yes',
        textCell(entry.documentation),
        `${codeCell(entry.example.call)} gives ${codeCell(entry.example.rows)}`,
    ]);
    return `The examples use the facts ${codeCell(AGGREGATE_FACTS)} The group is the region.

${table(['aggregate', 'in recursion', 'result', 'example'], rows)}`;
}

const HOW_OFTEN = {
    'per program': 'once per program',
    'per file': 'once per file',
    'per predicate': 'once per predicate',
    'per parameter': 'once per parameter',
    'per column': 'once per column',
    freely: 'any number of times',
} as const;

function annotationTable(): string {
    const rows = [...ANNOTATIONS.values()]
        .filter(({ unsupported }) => !unsupported)
        .map(entry => [codeCell(annotationSignature(entry).label), HOW_OFTEN[entry.repeatable], textCell(entry.documentation)]);
    return table(['annotation', 'how often', 'what it does'], rows);
}

function directiveTable(): string {
    const rows = [...DIRECTIVE_FORMS].map(([word, form]) => [
        codeCell(form),
        textCell((directiveDocumentation(word) ?? '').replace(/^`[^`]*` /u, '')),
    ]);
    return table(['directive', 'what it does'], rows);
}

function sourceTable(): string {
    const rows = sources().map(({ type, aliases, direction, outer, inner }) => [
        [type, ...aliases].map(codeCell).join(', '),
        { in: 'read', out: 'write', both: 'read and write' }[direction],
        outer,
        inner,
        type === 'console' || isConnected(type) ? 'yes' : 'with a connector',
    ]);
    return table(['type', 'direction', 'third argument', 'fourth argument', 'runs here'], rows);
}

/** Its own options; those that all types have stand in the text. */
function optionTable(type: string): string {
    const options = [...(dataSourceNamed(type)?.options.values() ?? [])];
    return table(['option', 'values', 'default'], options.filter(({ group }) => group === 'own').map(optionRow));
}

function optionRow({ key, value, ...option }: SourceOption): string[] {
    return [codeCell(key), optionKindText(value), option.default === undefined ? '' : codeCell(option.default)];
}

function sources(): DataSource[] {
    return [...new Set([...dataSourceTypes()].flatMap(type => dataSourceNamed(type) ?? []))];
}
