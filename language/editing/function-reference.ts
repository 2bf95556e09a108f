import { FUNCTION_FAMILIES, type FunctionFamily } from '#language/library/function-catalogue.ts';
import type { FunctionEntry } from '#language/library/function-entry.ts';
import { functionExample } from '#language/library/function-examples.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { AGGREGATE_FACTS, AGGREGATES } from '#language/program/aggregates.ts';
import { codeCell, table, textCell } from './markdown.ts';
import { aggregateSignature, functionSignature, relationSignature } from './signatures.ts';

/** The page about all functions, as Markdown. */
export function functionReference(): string {
    return `${[
        '# Functions',
        `How to read the signatures: you may omit a parameter with \`?\`, and a parameter with \`…\` takes one or more values. If an argument is
unknown, the result is unknown, unless the description says otherwise. A function marked † can return another value in each run. With the
option \`--seed\`, random functions return the same values in every run.`,
        'This page is generated from the catalogue of functions by `npm run generate`. A test runs the examples.',
        ...FUNCTION_FAMILIES.map(familySection),
        aggregateSection(),
        relationSection(),
    ].join('\n\n')}\n`;
}

function familySection({ title, functions }: FunctionFamily): string {
    return `## ${title}\n\n${table(['Function', 'Result', 'Example'], functions.map(functionRow))}`;
}

function functionRow(entry: FunctionEntry): string[] {
    const example = functionExample(entry.name);
    const aliases = entry.aliases.length === 0 ? '' : ` Also ${entry.aliases.map(name => codeCell(name)).join(', ')}.`;
    const provider = entry.provider ? ' Needs a provider.' : '';
    const shown =
        example?.value === undefined ? codeCell(example?.call ?? '') : `${codeCell(example.call)} gives ${codeCell(example.value)}`;
    const mark = entry.variesBy === undefined ? '' : ' †';
    return [`${codeCell(functionSignature(entry).label)}${mark}`, `${textCell(entry.documentation)}${provider}${aliases}`, shown];
}

function aggregateSection(): string {
    const rows = Object.values(AGGREGATES).map(entry => {
        const recursive = entry.direction === undefined ? '' : ' Allowed in recursion.';
        return [
            codeCell(aggregateSignature(entry).label),
            `${textCell(entry.documentation)}${recursive}`,
            `${codeCell(entry.example.call)} gives ${codeCell(entry.example.rows)}`,
        ];
    });
    return `## Aggregates

To try an example, put it in place of \`msum(Q, <P>)\` in this program:

\`\`\`rulelang
${AGGREGATE_FACTS}
result(R, X) <- sale(R, Q, P), X = msum(Q, <P>).
@output("result").
\`\`\`

${table(['Aggregate', 'Result', 'Example'], rows)}`;
}

function relationSection(): string {
    const rows = RELATION_FUNCTIONS.map(({ name, columns, documentation, example }) => {
        const result = example.rows === undefined ? ' needs a provider' : ` gives ${codeCell(example.rows)}`;
        return [
            codeCell(relationSignature(name, columns).label),
            textCell(documentation),
            `${codeCell(example.facts)} ${codeCell(example.call)}${result}`,
        ];
    });
    return `## Relation functions

A relation function takes a whole predicate. It must be the only item in the body of a rule: \`reach(X, Y) <- #TC(edge).\`

${table(['Function', 'Result', 'Example'], rows)}`;
}
