import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPORT_HELP } from '#engine/reports/report-help.ts';
import { LIMIT_REMEDIES, REPORTS } from '#engine/reports/reports.ts';
import { ANNOTATIONS, PARAMETER_WORDS } from '#language/library/annotation-catalogue.ts';
import { dataSourceNamed, dataSourceTypes } from '#language/library/data-sources.ts';
import { FUNCTIONS } from '#language/library/function-catalogue.ts';
import { OPTION_WORDS } from '#language/library/option-words.ts';
import { AGGREGATE_WORDS, RELATION_WORDS } from '#language/library/parameter-words.ts';
import { RELATION_FUNCTIONS } from '#language/library/relation-functions.ts';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import { FORMS } from '#language/syntax/foreign-forms.ts';
import { COMMON_OPTIONS } from '#server/cli/arguments.ts';
import type { Command } from '#server/cli/command.ts';
import { problemTitle } from '#server/problem-help/problem-help.ts';

/** The texts that stand as data, and are translated where they are shown. */
export const DATA_TEXTS: Readonly<Record<'language' | 'engine' | 'server', () => Promise<readonly unknown[]>>> = {
    language: async () => [
        ...ENTRIES.flatMap(entry => [entry.remedy, entry.why]),
        ...FUNCTIONS.map(entry => entry.documentation),
        ...Object.values(AGGREGATES).flatMap(entry => [entry.documentation, entry.takes, entry.words, entry.range?.words]),
        ...[...ANNOTATIONS.values()].map(entry => entry.documentation),
        ...RELATION_FUNCTIONS.map(entry => entry.documentation),
        ...[OPTION_WORDS, AGGREGATE_WORDS, PARAMETER_WORDS, RELATION_WORDS].flatMap(words => Object.values(words)),
        ...[...dataSourceTypes()].flatMap(type => [dataSourceNamed(type)?.outer, dataSourceNamed(type)?.inner]),
        ...FORMS.flatMap(({ words, instead }) => [words, instead]),
    ],
    engine: async () => [
        ...Object.values(REPORTS).map(entry => ('remedy' in entry ? entry.remedy : undefined)),
        ...Object.values(LIMIT_REMEDIES),
        ...Object.values(REPORT_HELP).flatMap(({ title, why }) => [title, why]),
    ],
    server: async () => [
        ...ENTRIES.map(problemTitle),
        ...Object.values(COMMON_OPTIONS).map(({ help }) => help),
        ...(await commands()).flatMap(({ summary, usage, description, options, examples }) => [
            ...[summary, usage, description],
            ...Object.values(options).map(({ help }) => help),
            ...examples.map(([, what]) => what),
        ]),
    ],
};

const ENTRIES: readonly ProblemEntry[] = Object.values(PROBLEMS);

async function commands(): Promise<Command[]> {
    const folder = fileURLToPath(new URL('../../server/cli/commands', import.meta.url));
    const modules = await Promise.all(
        readdirSync(folder).map(name => import(join(folder, name)) as Promise<Readonly<Record<string, unknown>>>),
    );
    return modules.flatMap(module => Object.values(module)).filter(isCommand);
}

function isCommand(value: unknown): value is Command {
    return typeof value === 'object' && value !== null && 'summary' in value;
}
