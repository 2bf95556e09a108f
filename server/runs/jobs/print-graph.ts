import { type DependencyView, dependencyView } from '#language/editing/dependency-view.ts';
import { readProgramText } from '#server/files/program-text.ts';
import { problemNotice } from '#server/notices/notice.ts';
import { positionAt, type SourceText } from '#server/notices/source-texts.ts';
import { visibleJson } from '#server/notices/visible-text.ts';
import { type Access, EXIT } from '#server/protocol/jobs.ts';
import { dotGraph } from '#server/terminal/graph-formats/dot.ts';
import { mermaidGraph } from '#server/terminal/graph-formats/mermaid.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { fileSource } from '../file-source.ts';
import type { JobContext } from '../job-context.ts';
import { loadProgram } from '../load-program.ts';
import { sayNotices } from '../say-notices.ts';

export interface GraphJob extends Access {
    readonly kind: 'graph';
    readonly file: string;
    readonly format: 'dot' | 'mermaid' | 'json';
}

/** Prints which predicates are derived from which. A program with errors has a graph too: of what can be read of it. */
export async function printGraph(job: GraphJob, context: JobContext): Promise<number> {
    const loading = fileSource(readProgramText(job.file).text, job.file, job, new Map());
    const { file, source, program, texts, problems } = await loadProgram(loading, new SourceLookup({ tellsMissing: true }));
    const errors = problems.filter(({ severity }) => severity === 'error');
    for (const [name, text] of texts) context.texts.set(name, text);
    sayNotices(errors.map(problemNotice), context);
    context.print(graphText(dependencyView(program), job.format, file, source));
    return errors.length > 0 ? EXIT.failed : EXIT.fine;
}

function graphText(view: DependencyView, format: GraphJob['format'], file: string, source: SourceText): string {
    switch (format) {
        case 'dot':
            return dotGraph(view);
        case 'mermaid':
            return mermaidGraph(view);
        case 'json':
            return `${visibleJson(JSON.stringify(jsonGraph(view, file, source), undefined, 2))}\n`;
    }
}

/** Positions count from 0, in UTF-16 units; a place in another file is that file alone. */
function jsonGraph({ predicates, edges }: DependencyView, file: string, source: SourceText): object {
    return {
        predicates: predicates.map(({ place, ...node }) => ({
            ...node,
            ...(place === undefined ? {} : { file: place.file }),
            ...(place?.file !== file ? {} : { range: { start: positionAt(source, place.start), end: positionAt(source, place.end) } }),
        })),
        edges,
    };
}
