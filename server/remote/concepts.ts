import { RunStopped } from '#engine/reports/reports.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { reportNotice } from '#server/notices/notice.ts';
import type { RunFormat } from '#server/protocol/jobs.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import { isTableFormat } from '#server/protocol/result-formats.ts';
import { printGivenTable, printRows } from './print-rows.ts';
import { type AskedText, sayDiagnostics, sayNotice, sayRefusal } from './refusal.ts';
import type { Terminal } from './terminal.ts';

export type Scope = 'user' | 'organization';

/** A call of `rulelang concept`. */
export type ConceptRequest = { readonly scope: Scope; readonly project: string } & (
    | { readonly action: 'list'; readonly format: 'table' | 'json' }
    | { readonly action: 'save'; readonly files: readonly string[]; readonly output?: string }
    | {
          readonly action: 'run';
          readonly concept: string;
          readonly parameters: readonly (readonly [name: string, value: string])[];
          /** Stored rows are good enough where nothing has changed. */
          readonly reuse: boolean;
          readonly format: RunFormat;
      }
    | {
          readonly action: 'fetch';
          readonly concept: string;
          readonly page?: number;
          readonly pageSize?: number;
          readonly orderBy?: string;
          readonly format: RunFormat;
      }
);

/** Does what is asked for; gives false where a part of it was refused and the rest was done. */
export async function askConcepts(request: ConceptRequest, client: PlatformClient, terminal: Terminal): Promise<boolean> {
    const { scope } = request;
    const path = { project_id: request.project };
    switch (request.action) {
        case 'list': {
            const concepts = await client.listConcepts({ path, query: { scope } });
            if (request.format === 'json') terminal.print(`${new JsonText(jsonOf(concepts)).indented}\n`);
            else printConcepts(concepts, terminal);
            return true;
        }
        case 'save':
            return await saveConcepts(request, client, terminal);
        case 'run': {
            const { concept, parameters, reuse, format } = request;
            const params = Object.fromEntries(parameters);
            const body = { scope, params, force_rerun: !reuse, diagnose: true };
            const ran = await client.runConcept({ path: { ...path, concept_name: concept }, body });
            if (ran.diagnostics !== undefined && ran.diagnostics.length > 0) {
                const [saved] = await client.listConcepts({ path, query: { scope, concept_name: concept } });
                sayDiagnostics(ran.diagnostics, { file: concept, text: saved?.definition ?? '' }, terminal);
            }
            for (const warning of ran.warnings) terminal.say(say`warning: ${warning}\n`);
            const count = rowsText(ran.rows_processed);
            const shown = ran.truncated
                ? say`${countText(ran.results.length)} of ${count}; 'rulelang concept fetch' has all of them`
                : count;
            const time = `${ran.execution_time.toFixed(1)} s${ran.cached ? say`, stored before` : ''}`;
            printRows(ran.output_predicate, { ...ran, rows: ran.results }, format, `${shown} · ${time}`, terminal);
            if (ran.truncated && !isTableFormat(format)) terminal.say(`${shown}\n`);
            return true;
        }
        case 'fetch': {
            const { concept, page, pageSize, orderBy, format } = request;
            const query = {
                output_predicate: concept,
                scope,
                ...(page !== undefined && { page }),
                ...(pageSize !== undefined && { page_size: pageSize }),
                ...(orderBy !== undefined && { order_by: orderBy }),
            };
            const fetched = await client.fetchResults({ path, query });
            const remark = say`page ${fetched.page} of ${countText(fetched.total_pages)} · ${rowsText(fetched.count)}`;
            printRows(fetched.output_predicate, fetched, format, remark, terminal);
            return true;
        }
    }
}

/** A file that cannot be read or is refused does not stop the others. */
async function saveConcepts(
    { project, scope, files, output }: Extract<ConceptRequest, { action: 'save' }>,
    client: PlatformClient,
    terminal: Terminal,
): Promise<boolean> {
    const saved: Saved[] = [];
    for (const file of files) {
        const asked = textOf(file, terminal);
        if (asked === undefined) continue;
        try {
            const body = { definition: asked.text, scope, ...(output !== undefined && { output_predicate: output }) };
            const concept = await client.saveConcept({ path: { project_id: project }, body });
            for (const warning of concept.warnings ?? []) terminal.say(say`warning: ${file}: ${warning}\n`);
            sayDiagnostics(concept.diagnostics ?? [], asked, terminal);
            saved.push(concept);
        } catch (error) {
            if (!(error instanceof PlatformError)) throw error;
            sayRefusal(error, asked, terminal);
        }
    }
    if (saved.length > 0)
        printGivenTable(
            {
                columns: ['concept', 'columns', say`depends on`, 'saved'],
                types: [],
                rows: saved.map(one => [...shownParts(one), one.created ? 'created' : 'changed']),
            },
            terminal,
        );
    return saved.length === files.length;
}

function textOf(file: string, terminal: Terminal): AskedText | undefined {
    try {
        return { file, text: readNamedText(file).text };
    } catch (error) {
        if (!(error instanceof RunStopped)) throw error;
        sayNotice(reportNotice(error.report), terminal);
        return undefined;
    }
}

type Listed = Awaited<ReturnType<PlatformClient['listConcepts']>>[number];
type Saved = Awaited<ReturnType<PlatformClient['saveConcept']>>;

function printConcepts(concepts: readonly Listed[], terminal: Terminal): void {
    printGivenTable(
        {
            columns: ['concept', 'columns', say`depends on`, 'type', 'rows', 'state'],
            types: ['STRING', 'STRING', 'STRING', 'STRING', 'INT', 'STRING'],
            rows: concepts.map(concept => [...shownParts(concept), concept.concept_type, concept.row_count, stateOf(concept)]),
        },
        terminal,
    );
}

function shownParts({ concept_name, columns, dependencies }: Pick<Listed, 'concept_name' | 'columns' | 'dependencies'>): string[] {
    return [concept_name, columns.map(({ name }) => name).join(', '), dependencies.join(', ')];
}

function stateOf({ is_populated, is_stale }: Listed): string {
    if (!is_populated) return say`not run`;
    return is_stale ? say`changed since` : say`up to date`;
}

function rowsText(count: number): string {
    return `${countText(count)} ${count === 1 ? 'row' : 'rows'}`;
}
