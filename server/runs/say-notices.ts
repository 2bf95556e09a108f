import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Notice } from '#server/notices/notice.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { countsText, type NoticeStyle, noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';
import type { JobContext } from './job-context.ts';

/** Notices to print in full; the counts cover all. */
const TOLD = 100;

/** Tells problems and reports on standard error, each with an empty line after it. */
export function sayNotices(notices: readonly Notice[], context: JobContext): void {
    for (const notice of notices.slice(0, TOLD)) context.say(toldText(notice, context));
    if (notices.length > TOLD) context.say(say`… and ${countText(notices.length - TOLD)} more\n\n`);
}

/** Returns the text on standard error about a problem or report. */
export function toldText(notice: Notice, { streams, texts }: JobContext): string {
    const style: NoticeStyle = {
        colour: colourOf(streams.errorColour),
        width: Math.min(TEXT_WIDTH, streams.errorWidth ?? TEXT_WIDTH),
        sources: texts,
    };
    return `${noticeText(notice, style)}\n`;
}

/** Tells how many there were of each severity, if any. */
export function sayCounts(notices: readonly Notice[], context: JobContext): void {
    const counts = countsText(notices);
    if (counts !== '') context.say(`${colourOf(context.streams.errorColour).strong(counts)}\n`);
}
