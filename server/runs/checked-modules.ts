import { reportedProblems } from '#language/reporting/reported-problems.ts';
import type { Severities } from '#language/reporting/severities.ts';
import { type Notice, problemNotice } from '#server/notices/notice.ts';
import { type CheckedFile, isAtLeast } from '#server/terminal/problem-formats/checked-file.ts';
import type { LoadedProgram } from './load-program.ts';

/** Lists the problems of a program's modules, each in its own file. */
export function checkedModules({ program, texts, problems }: LoadedProgram, severities: Severities): CheckedFile[] {
    return (program.program.inclusion?.modules ?? []).map(({ file, clauses }) => {
        const source = texts.get(file);
        const own = problems.filter(({ place }) => place.file === file);
        const told = reportedProblems({ file, text: source?.text ?? '', clauses, problems: own }, severities);
        // What a comment ignores may come up where the module is checked by itself.
        const certain = told.filter(({ code }) => code !== 'RL9040');
        return { file, notices: certain.map(problemNotice), fixesOf: () => [], ...(source !== undefined && { source }) };
    });
}

/**
 * Each file once: what is wrong with it alone and in the programs that include it. Of the same problem, the most severe
 * counts.
 */
export function mergedFiles(checked: readonly CheckedFile[]): CheckedFile[] {
    const merged = new Map<string, CheckedFile>();
    for (const one of checked) {
        const before = merged.get(one.file);
        merged.set(one.file, before === undefined ? one : merge(before, one));
    }
    return [...merged.values()];
}

function merge(a: CheckedFile, b: CheckedFile): CheckedFile {
    const notices = new Map<string, Notice>();
    for (const notice of [...a.notices, ...b.notices]) {
        const key = JSON.stringify([notice.code, notice.place, notice.message]);
        const before = notices.get(key);
        if (before === undefined || !isAtLeast(before.severity, notice.severity)) notices.set(key, notice);
    }
    const startOf = ({ place }: Notice): number => place?.start ?? 0;
    const sorted = [...notices.values()].sort((x, y) => startOf(x) - startOf(y));
    return { ...a, notices: sorted, fixesOf: notice => [...a.fixesOf(notice), ...b.fixesOf(notice)] };
}
