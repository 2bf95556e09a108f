import { countText } from '#language/program/count-text.ts';
import { colourOf } from '#server/terminal/colour.ts';
import type { Notice } from '#server/terminal/notice.ts';
import { countsText, type NoticeStyle, noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';
import type { JobContext } from './job-context.ts';

/** At most so many are told in full; the counts cover all. */
const TOLD = 100;

/** Tells problems and reports on standard error, each with an empty line after it. */
export function sayNotices(notices: readonly Notice[], context: JobContext): void {
    const style: NoticeStyle = {
        colour: colourOf(context.streams.errorColour),
        width: Math.min(TEXT_WIDTH, context.streams.errorWidth ?? TEXT_WIDTH),
        sources: context.texts,
    };
    for (const notice of notices.slice(0, TOLD)) context.say(`${noticeText(notice, style)}\n`);
    if (notices.length > TOLD) context.say(`… and ${countText(notices.length - TOLD)} more\n\n`);
}

/** Tells how many there were of each severity, if any. */
export function sayCounts(notices: readonly Notice[], context: JobContext): void {
    const counts = countsText(notices);
    if (counts !== '') context.say(`${colourOf(context.streams.errorColour).strong(counts)}\n`);
}
