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
        'Generated from the catalogue by `npm run generate`. The examples are run by a test.',
        `A parameter with \`?\` may be left out, one with \`…\` stands for one or more. An unknown argument makes the result
unknown unless the text says otherwise. Functions marked † give another value each time: \`--seed\` makes those that chance
decides the same in every run.`,
        ...FUNCTION_FAMILIES.map(familySection),
        aggregateSection(),
        relationSection(),
    ].join('\n\n')}\n`;
}

function familySection({ title, functions }: FunctionFamily): string {
    return `## ${title}\n\n${table(['Function', 'What it gives', 'Example'], functions.map(functionRow))}`;
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

Each example stands in the place of \`msum(Q, <P>)\` in this program:

\`\`\`rulelang
${AGGREGATE_FACTS}
result(R, X) <- sale(R, Q, P), X = msum(Q, <P>).
@output("result").
\`\`\`

${table(['Aggregate', 'What it gives', 'Example'], rows)}`;
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

They stand alone in the body of a rule, over a whole predicate: \`reach(X, Y) <- #TC(edge).\`

${table(['Function', 'What it gives', 'Example'], rows)}`;
}
