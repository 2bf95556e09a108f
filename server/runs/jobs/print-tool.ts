import type { Problem } from '#language/program/problem.ts';
import { parseBinds } from '#language/tools/parse-binds.ts';
import { programInterface, type Tool } from '#language/tools/program-interface.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { problemNotice } from '#server/notices/notice.ts';
import { sourceText } from '#server/notices/source-texts.ts';
import { visibleJson } from '#server/notices/visible-text.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import { forViewer } from '#server/secrets/for-viewer.ts';
import type { JobContext } from '../job-context.ts';
import { sayNotices } from '../say-notices.ts';

/** Prints what a program says about itself. */
export interface ToolJob {
    readonly kind: 'tool';
    readonly tool: 'analyze' | 'binds';
    readonly file: string;
    /** A predicate whose binds are outputs. */
    readonly outputPredicate?: string;
}

/** Prints what a program offers and needs, or its binds, as JSON without secrets: it goes into logs and files. */
export function printTool({ file, tool, outputPredicate }: ToolJob, context: JobContext): number {
    const { text } = readProgramText(file);
    const read: Tool<object> = tool === 'analyze' ? programInterface(text) : parseBinds(text, outputPredicate);
    if (read.ok) {
        context.print(`${visibleJson(JSON.stringify(forViewer(read.value), undefined, 2))}\n`);
        return EXIT.fine;
    }
    context.texts.set(file, sourceText(text));
    sayNotices(
        read.problems.map(problem => problemNotice(inFile(problem, file))),
        context,
    );
    return EXIT.failed;
}

function inFile(problem: Problem, file: string): Problem {
    return { ...problem, place: { ...problem.place, file } };
}
