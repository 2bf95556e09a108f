import type { Database, RunStatistics } from '#engine/contracts/database.ts';
import { profileReports } from '#engine/explain/profile-reports.ts';
import { say } from '#language/program/say.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { ProfileFormat, RunJob } from '#server/protocol/jobs.ts';
import { profileFlame } from '#server/terminal/profile-formats/profile-flame.ts';
import { type ProfileReport, profileReport } from '#server/terminal/profile-formats/profile-report.ts';
import { profileText } from '#server/terminal/profile-formats/profile-text.ts';
import type { JobContext } from './job-context.ts';
import type { LoadedProgram } from './load-program.ts';
import { sayNotices } from './say-notices.ts';
import { writeNamed } from './write-named.ts';

/** Prints the profile of a run, or writes it into the file that the user named, whole or not at all. */
export function tellProfile(
    { format, file }: NonNullable<RunJob['profile']>,
    statistics: RunStatistics,
    database: Database,
    { file: program }: LoadedProgram,
    context: JobContext,
): void {
    const width = file === undefined ? context.streams.errorWidth : undefined;
    const text = formatted(format, profileReport(program, statistics, context.texts), width);
    if (file !== undefined) {
        writeNamed(file, new TextEncoder().encode(text), context);
        context.say(say`Wrote the profile to ${visible(file)}\n`);
    } else if (format === 'text') {
        context.say(`\n${text}`);
    } else {
        context.print(text);
    }
    const found = profileReports(statistics.rules ?? [], relation => database.relation(relation)?.count);
    if (found.length > 0) context.say('\n');
    sayNotices(found.map(reportNotice), context);
}

function formatted(format: ProfileFormat, report: ProfileReport, width: number | undefined): string {
    switch (format) {
        case 'text':
            return profileText(report, width);
        case 'json':
            return `${JSON.stringify(report, undefined, 2)}\n`;
        case 'flame':
            return profileFlame(report);
    }
}
