import { stop } from '#engine/reports.ts';
import { say } from '#language/program/say.ts';
import { DIALECTS, isDatabaseType } from '../databases/dialects.ts';
import { isFileType } from '../file-formats.ts';
import type { Survey, SurveyQuestion } from './source-description.ts';
import { surveyDatabase } from './survey-database.ts';
import { surveyFile } from './survey-file.ts';
import { surveySqlite } from './survey-sqlite.ts';

/** Looks at a source for its tables and columns; whoever asks is granted the host that he names. A `RunStopped` says why that cannot be done. */
export async function survey(question: SurveyQuestion): Promise<Survey> {
    const { type } = question;
    const found = await (isFileType(type)
        ? surveyFile(question, type)
        : type === 'sqlite'
          ? surveySqlite(question)
          : isDatabaseType(type)
            ? surveyDatabase(question, DIALECTS[type])
            : stop('RT064', {}, type, say`has no connector in this version`));
    return { ...found, tables: found.tables.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
