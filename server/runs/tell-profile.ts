import { basename, dirname, join, resolve } from 'node:path';
import type { RunStatistics } from '#engine/database.ts';
import { say } from '#language/program/say.ts';
import { chosenFile } from '#server/files/grants.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { writeTarget } from '#server/files/write-granted.ts';
import type { ProfileFormat, RunJob } from '#server/protocol/jobs.ts';
import { profileFlame } from '#server/terminal/profile-formats/profile-flame.ts';
import { type ProfileReport, profileReport } from '#server/terminal/profile-formats/profile-report.ts';
import { profileText } from '#server/terminal/profile-formats/profile-text.ts';
import { visible } from '#server/terminal/visible-text.ts';
import type { JobContext } from './job-context.ts';
import type { LoadedProgram } from './load-program.ts';

/** Prints the profile of a run, or writes it into the file that the user named, whole or not at all. */
export function tellProfile(
    { format, file }: NonNullable<RunJob['profile']>,
    statistics: RunStatistics,
    { file: program }: LoadedProgram,
    context: JobContext,
): void {
    const width = file === undefined ? context.streams.errorWidth : undefined;
    const text = formatted(format, profileReport(program, statistics, context.texts), width);
    if (file !== undefined) {
        writeNamed(file, text, context);
        context.say(say`Wrote the profile to ${visible(file)}\n`);
    } else if (format === 'text') {
        context.say(`\n${text}`);
    } else {
        context.print(text);
    }
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

function writeNamed(path: string, text: string, { send }: JobContext): void {
    const folder = dirname(resolve(path));
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const file = writeTarget({ base: folder, parts: [basename(path)], shown: path }, access).prepare(temporary =>
        send({ kind: 'temporary', path: temporary, exists: true }),
    );
    try {
        file.write(new TextEncoder().encode(text));
        file.finish();
        file.commit();
    } finally {
        file.discard();
        send({ kind: 'temporary', path: file.temporary, exists: false });
    }
}
