import { dirname, relative } from 'node:path';
import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { queryClauses } from '#language/tools/query-clauses.ts';
import { readNamedText, STANDARD_INPUT } from '#server/files/named-text.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import type { CommandEnd } from './commands.ts';
import { LIMITS } from './limits.ts';
import { fileOf } from './program-file.ts';
import { CONCEPT_NAME, PROJECT, projectOf, type ToolProject } from './project.ts';
import { type Answer, type ProgramFolder, type Tool, type ToolPlace, tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const PROGRAM = Type.String({ description: 'The text of a program.' });
const WITH_FILES = {
    program: Type.Optional(Type.String({ description: 'The text of a program. Give either this or file.' })),
    file: Type.Optional(Type.String({ description: 'The path of a .rulelang file, relative to the first folder of the workspace.' })),
};
const PARAMETERS = {
    parameters: Type.Optional(
        Type.Array(Type.String(), { description: 'Values of parameters that the program declares with @param: "name=value".' }),
    ),
};
const { rows: ROWS } = LIMITS;
const LIMIT = {
    limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: ROWS.most, description: `Rows of each output at most; ${ROWS.usual} where absent.` }),
    ),
};
const FACT = Type.String({
    description:
        'A fact as in a program, with _ for any value: control("Ann", _). Texts stand in double quotes; a name without them is a variable.',
});
const ROW = Type.Integer({ minimum: 0, description: 'The number of a stored row of the concept in the stored order, from 0.' });
/** A program, or a concept of a project. */
const EITHER = { program: Type.Optional(PROGRAM), name: Type.Optional(CONCEPT_NAME), ...PARAMETERS };
const OF_ANY_PROJECT = { ...PROJECT, project: Type.Optional(PROJECT.project) };

/** Tools for a program that a call gives. Those that explain take stored rows of a concept, too. */
export const PROGRAM_TOOLS: readonly Tool[] = [
    tool({
        name: 'check',
        title: 'Check a program',
        description: `Says what is wrong with a rulelang program, without running it: syntax, unknown names, columns, types, safety, recursion through
negation, sources that cannot be read. Each problem has its place, a code and a remedy. Use it after every change of a program.`,
        input: { program: PROGRAM },
        inputWith: { files: WITH_FILES },
        isReadOnly: true,
        viewer: true,
        async call(input, place) {
            if (place.project !== undefined)
                return { kind: 'answer', data: { diagnostics: await place.project.check(input.program ?? '') } };
            const folder = folderOf(place);
            const { path, ...how } = given(input, folder, place);
            const end = await folder.commands(['check', ...folder.options.read, ...folder.options.write, '--', path], how);
            const text = `${end.output}${end.errors}`.trim();
            if (end.exitCode > EXIT.failed) throw new ToolError('command_failed', text);
            return { ...told(text), hasErrors: end.exitCode === EXIT.failed };
        },
    }),
    tool({
        name: 'format',
        title: 'Lay out a program',
        description: 'Gives the text of a rulelang program in the usual form. Nothing is written.',
        needs: 'folder',
        input: { program: PROGRAM },
        inputWith: { files: WITH_FILES },
        isReadOnly: true,
        viewer: true,
        async call(input, place) {
            const folder = folderOf(place);
            const { input: text, folder: at } = asText(input, folder);
            return answered(await folder.commands(['format', STANDARD_INPUT], { folder: at, input: text, signal: place.signal }), folder);
        },
    }),
    tool({
        name: 'analyze_program',
        title: 'Analyse a program',
        description: 'Which predicates a program defines, and which it needs from elsewhere.',
        input: { program: PROGRAM },
        isReadOnly: true,
        viewer: true,
        call: async ({ program }, { platform, signal }) => ({
            kind: 'answer',
            data: await platform().analyze({ body: { program } }, signal),
        }),
    }),
    tool({
        name: 'run',
        title: 'Run a program',
        description: `Evaluates a rulelang program and gives the rows of its outputs, with names and types of their columns, as JSON. Files are written only
where the user has allowed it. Use query to ask something that is no output.`,
        needs: 'folder',
        input: {
            program: PROGRAM,
            ...PARAMETERS,
            ...LIMIT,
            outputs: Type.Optional(Type.Array(Type.String(), { description: 'Only these outputs; all where absent.' })),
        },
        inputWith: { files: WITH_FILES },
        isReadOnly: false,
        viewer: false,
        async call(input, place) {
            const folder = folderOf(place);
            const { path, ...how } = given(input, folder, place);
            const outputs = (input.outputs ?? []).map(name => `--output=${name}`);
            return answered(await folder.commands([...running(input, folder), ...outputs, '--', path], how), folder);
        },
    }),
    tool({
        name: 'query',
        title: 'Ask a program',
        description: `Evaluates a rulelang program and gives, as JSON, the values for which a body holds: control("Ann", X), company(X, "IT") gives the companies in
IT that Ann controls. The columns are the variables in the order in which they first occur. The program is not changed.`,
        needs: 'folder',
        input: {
            program: PROGRAM,
            ...PARAMETERS,
            ...LIMIT,
            body: Type.String({ description: 'Atoms and conditions with commas between them, as in the body of a rule.' }),
        },
        inputWith: { files: WITH_FILES },
        isReadOnly: false,
        viewer: false,
        async call(input, place) {
            const folder = folderOf(place);
            const { input: text, folder: at } = asText(input, folder);
            const query = queryClauses(text, input.body);
            if (query === undefined) {
                const message = say`'${input.body}' is no body of a rule: write atoms and conditions with commas between them`;
                throw new ToolError('validation_error', message);
            }
            const { predicate, clauses } = query;
            const args = [...running(input, folder), `--output=${predicate}`, '--', STANDARD_INPUT];
            const how = { folder: at, input: `${text}\n${clauses}\n`, signal: place.signal };
            return answered(await folder.commands(args, how), folder);
        },
    }),
    tool({
        name: 'explain',
        title: 'Why a fact holds',
        description: `Shows how a fact of a program, or a stored row of a concept, was derived: the rules, what they rest on, down to facts and lines of data, then
the same in words. Where a program has no such fact it says why not.`,
        input: { name: CONCEPT_NAME, row: ROW },
        inputWith: {
            folder: { ...EITHER, fact: Type.Optional(FACT), row: Type.Optional(ROW) },
            files: WITH_FILES,
            projects: OF_ANY_PROJECT,
        },
        isReadOnly: true,
        viewer: false,
        async call(input, place) {
            const { fact, row } = input;
            const concept = conceptOf(input, place);
            if (concept === undefined) {
                refuseOthers(input, ['row', 'project', 'scope']);
                return explained({ ...input, fact: needed(fact, 'fact') }, place);
            }
            refuseOthers(input, ['fact', 'parameters']);
            return explainedRow(concept, needed(row, 'row'), projectOf(input, place));
        },
    }),
    tool({
        name: 'why_not',
        title: 'Why a fact is missing',
        description: `Says why a program does not derive a fact, or why the last run of a concept gave no such row: for each rule what came nearest to it, what was
lacking, and where to look first.`,
        input: { name: CONCEPT_NAME, fact: FACT },
        inputWith: { folder: EITHER, files: WITH_FILES, projects: OF_ANY_PROJECT },
        isReadOnly: true,
        viewer: false,
        async call(input, place) {
            const concept = conceptOf(input, place);
            if (concept === undefined) {
                refuseOthers(input, ['project', 'scope']);
                return explained(input, place);
            }
            refuseOthers(input, ['parameters']);
            return explainedAbsence(concept, input.fact, projectOf(input, place));
        },
    }),
];

interface ProgramInput {
    readonly program?: string | undefined;
    readonly file?: string | undefined;
}
type Parameters = readonly string[] | undefined;

/** The concept that a call is about; undefined where it is about a program. */
function conceptOf({ program, file, name }: ProgramInput & { readonly name?: string }, { folder }: ToolPlace): string | undefined {
    const given = [program, file, name].filter(one => one !== undefined);
    if (given.length === 1) return name;
    const message = folder?.hasFiles
        ? say`Give either 'program', a text, 'file', a path, or 'name', a concept`
        : say`Give either 'program', a text, or 'name', a concept`;
    throw new ToolError('validation_error', message);
}

function refuseOthers(input: object, names: readonly string[]): void {
    const other = names.find(name => Object.hasOwn(input, name));
    if (other !== undefined) throw new ToolError('validation_error', say`'${other}' does not go with the other arguments`);
}

function needed<T>(value: T | undefined, name: string): T {
    if (value === undefined) throw new ToolError('validation_error', say`Give '${name}'`);
    return value;
}

function folderOf({ folder }: ToolPlace): ProgramFolder {
    if (folder === undefined) throw new TypeError('a tool that needs a folder was called without one');
    return folder;
}

async function explained(
    input: ProgramInput & { readonly fact: string; readonly parameters?: Parameters },
    place: ToolPlace,
): Promise<Answer> {
    const folder = folderOf(place);
    const { path, ...how } = given(input, folder, place);
    const { read, python, limits } = folder.options;
    const args = ['explain', ...parametersOf(input.parameters), ...read, ...python, ...limits, '--', path, input.fact];
    const end = await folder.commands(args, how);
    // An answer that it does not hold is an answer, too.
    return end.output.trim() === '' ? answered(end, folder) : told(end.output.trim());
}

async function explainedRow(name: string, row: number, { client, project, scope, signal }: ToolProject): Promise<Answer> {
    const query = { concept_name: name, row, scope };
    const { words, changed_files } = await client.explainRow({ path: { project_id: project }, query }, signal);
    return { kind: 'answer', data: { explanation: words, ...(changed_files.length > 0 && { changed_files }) } };
}

async function explainedAbsence(name: string, fact: string, { client, project, scope, signal }: ToolProject): Promise<Answer> {
    const query = { concept_name: name, question: fact, scope };
    const { explanation_id: _, ...data } = await client.explainMissing({ path: { project_id: project }, query }, signal);
    return { kind: 'answer', data };
}

function running(
    { parameters, limit = ROWS.usual }: { readonly parameters?: Parameters; readonly limit?: number | undefined },
    { options: { read, write, python, limits } }: ProgramFolder,
): string[] {
    const all = [...parametersOf(parameters), ...read, ...write, ...python, ...limits];
    return ['run', '--format=json', `--limit=${limit}`, '--no-write', ...all];
}

/** One argument each: what others say never becomes an option. */
function parametersOf(parameters: Parameters = []): string[] {
    return parameters.map(parameter => `--param=${parameter}`);
}

/** Returns the output and the remarks of a command. If it failed, its words are a `ToolError`. */
function answered({ exitCode, output, errors }: CommandEnd, { hasFiles }: ProgramFolder): Answer {
    const isError = exitCode !== 0;
    const closed =
        isError && !hasFiles ? say`Programs that are given here as texts read no files and databases: save a concept that reads them` : '';
    const text = [output, errors, closed]
        .map(text => text.trim())
        .filter(text => text !== '')
        .join('\n\n');
    if (isError) throw new ToolError('command_failed', text);
    return told(text);
}

function told(text: string): Answer {
    return { kind: 'answer', data: { text }, text };
}

/** How a command gets at a program. */
function given(
    input: ProgramInput,
    place: ProgramFolder,
    { signal }: ToolPlace,
): { path: string; folder: string; input?: string; signal: AbortSignal } {
    const [folder = '.'] = place.folders;
    const text = programText(input);
    if (text !== undefined) return { path: STANDARD_INPUT, folder, input: text, signal };
    const path = fileOf(input.file ?? '', place);
    return { path: relative(folder, path), folder, signal };
}

/** The text of a program, and the folder in which it is to be read. */
function asText(input: ProgramInput, place: ProgramFolder): { readonly input: string; readonly folder: string } {
    const text = programText(input);
    if (text !== undefined) return { input: text, folder: place.folders[0] ?? '.' };
    const path = fileOf(input.file ?? '', place);
    return { input: readNamedText(path).text, folder: dirname(path) };
}

function programText({ program, file }: ProgramInput): string | undefined {
    if ((program === undefined) === (file === undefined))
        throw new ToolError('validation_error', say`Give either 'program', a text, or 'file', a path`);
    return program;
}
