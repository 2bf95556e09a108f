import { stop } from '#engine/reports/reports.ts';
import { sourceOptions } from '#engine/sources/source-options.ts';
import { isFileType } from '#language/library/connected-sources.ts';
import { dataSourceNamed } from '#language/library/data-sources.ts';
import { say } from '#language/program/say.ts';
import { DIALECTS, isDatabaseType } from '../databases/dialects.ts';
import type { SourceDescription, Survey, SurveyQuestion } from './source-description.ts';
import { surveyDatabase } from './survey-database.ts';
import { surveyFile } from './survey-file.ts';
import { surveySqlite } from './survey-sqlite.ts';

/** Looks at a source for its tables and columns; whoever asks is granted the host that he names. A `RunStopped` says why that cannot be done. */
export async function survey(asked: SurveyQuestion): Promise<Survey> {
    // The platform calls some types by another of their names.
    const type = dataSourceNamed(asked.type)?.type ?? asked.type;
    const question = { ...asked, type, source: withColumnsOfOptions(asked.source, type) };
    const found = await (isFileType(type)
        ? surveyFile(question, type)
        : type === 'sqlite'
          ? surveySqlite(question)
          : isDatabaseType(type)
            ? surveyDatabase(question, DIALECTS[type])
            : stop('RT064', {}, type, say`has no connector in this version`));
    return { ...found, tables: found.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** The option that chooses columns means what the field of that name does; numbers mean other columns in each table. */
function withColumnsOfOptions(source: SourceDescription, type: string): SourceDescription {
    const { selectedColumns, ...options } = source.options ?? {};
    const { selectedColumns: chosen = [] } = source;
    if (selectedColumns === undefined) return source;
    const choices = sourceOptions(new Map([['selectedColumns', selectedColumns]]), type, {}).selectedColumns() ?? [];
    const names = choices.map(choice =>
        choice.kind === 'name'
            ? choice.name
            : stop('RT064', {}, type, say`cannot be looked at: option 'selectedColumns' has to name columns here`),
    );
    return { ...source, options, selectedColumns: chosen.length > 0 ? chosen : names };
}
