import { dirname, relative } from 'node:path';
import { Type } from 'typebox';
import { say } from '#language/program/say.ts';
import { queryClauses } from '#language/tools/query-clauses.ts';
import { readNamedText, STANDARD_INPUT } from '#server/files/named-text.ts';
import { EXIT } from '#server/protocol/jobs.ts';
import type { CommandEnd } from './commands.ts';
import { fileOf } from './program-file.ts';
import { type Tool, type ToolAnswer, ToolMisuse, type ToolPlace, tool } from './tool.ts';

/** Clients refuse what a tool does not know, rather than send it in vain. */
const STRICT = { additionalProperties: false } as const;
const PROGRAM = {
    program: Type.Optional(Type.String({ description: 'The text of a program. Give either this or file.' })),
    file: Type.Optional(Type.String({ description: 'The path of a .rulelang file, relative to the first folder of the workspace.' })),
};
const PARAMETERS = {
    parameters: Type.Optional(
        Type.Array(Type.String(), { description: 'Values of parameters that the program declares with @param: "name=value".' }),
    ),
};
const ROWS = { usual: 100, most: 1000 } as const;
const LIMIT = {
    limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: ROWS.most, description: `Rows of each output at most; ${ROWS.usual} where absent.` }),
    ),
};
const FACT = Type.String({
    description:
        'A fact as in a program, with _ for any value: control("Ann", _). Texts stand in double quotes; a name without them is a variable.',
});

export const PROGRAM_TOOLS: readonly Tool[] = [
    tool({
        name: 'check',
        title: 'Check a program',
        description: `Says what is wrong with a rulelang program, without running it: syntax, unknown names, columns, types, safety, recursion through
negation, sources that cannot be read. Each problem has its place, a code and a remedy. Use it after every change of a program.`,
        input: Type.Object({ ...PROGRAM }, STRICT),
        isReadOnly: true,
        viewer: true,
        async call(input, place) {
            const { path, ...how } = given(input, place);
            const { exitCode, output, errors } = await place.commands(
                ['check', ...place.options.read, ...place.options.write, '--', path],
                how,
            );
            return { text: `${output}${errors}`.trim(), isError: exitCode > EXIT.failed, hasErrors: exitCode === EXIT.failed };
        },
    }),
    tool({
        name: 'format',
        title: 'Lay out a program',
        description: 'Gives the text of a rulelang program in the usual form. Nothing is written.',
        input: Type.Object({ ...PROGRAM }, STRICT),
        isReadOnly: true,
        viewer: true,
        async call(input, place) {
            const { input: text, folder } = asText(input, place);
            return answered(await place.commands(['format', STANDARD_INPUT], { folder, input: text, signal: place.signal }), place);
        },
    }),
    tool({
        name: 'run',
        title: 'Run a program',
        description: `Evaluates a rulelang program and gives the rows of its outputs, with names and types of their columns, as JSON. Files are written only
where the user has allowed it. Use query to ask something that is no output.`,
        input: Type.Object(
            {
                ...PROGRAM,
                ...PARAMETERS,
                ...LIMIT,
                outputs: Type.Optional(Type.Array(Type.String(), { description: 'Only these outputs; all where absent.' })),
            },
            STRICT,
        ),
        isReadOnly: false,
        viewer: false,
        async call(input, place) {
            const { path, ...how } = given(input, place);
            const outputs = (input.outputs ?? []).map(name => `--output=${name}`);
            return answered(await place.commands([...running(input, place), ...outputs, '--', path], how), place);
        },
    }),
    tool({
        name: 'query',
        title: 'Ask a program',
        description: `Evaluates a rulelang program and gives, as JSON, the values for which a body holds: control("Ann", X), company(X, "IT") gives the companies in
IT that Ann controls. The columns are the variables in the order in which they first occur. The program is not changed.`,
        input: Type.Object(
            {
                ...PROGRAM,
                ...PARAMETERS,
                ...LIMIT,
                body: Type.String({ description: 'Atoms and conditions with commas between them, as in the body of a rule.' }),
            },
            STRICT,
        ),
        isReadOnly: false,
        viewer: false,
        async call(input, place) {
            const { input: text, folder } = asText(input, place);
            const query = queryClauses(text, input.body);
            if (query === undefined)
                throw new ToolMisuse(say`'${input.body}' is no body of a rule: write atoms and conditions with commas between them`);
            const { predicate, clauses } = query;
            const args = [...running(input, place), `--output=${predicate}`, '--', STANDARD_INPUT];
            return answered(await place.commands(args, { folder, input: `${text}\n${clauses}\n`, signal: place.signal }), place);
        },
    }),
    tool({
        name: 'explain',
        title: 'Why a fact holds',
        description: `Shows how a fact of a rulelang program was derived: the rules, what they rest on, down to facts and lines of data, then the same in words.
Where there is no such fact it says why not.`,
        input: Type.Object({ ...PROGRAM, ...PARAMETERS, fact: FACT }, STRICT),
        isReadOnly: true,
        viewer: false,
        call: explained,
    }),
    tool({
        name: 'why_not',
        title: 'Why a fact is missing',
        description: `Says why a rulelang program does not derive a fact: for each rule what came nearest to it, what was lacking, and where to look first.`,
        input: Type.Object({ ...PROGRAM, ...PARAMETERS, fact: FACT }, STRICT),
        isReadOnly: true,
        viewer: false,
        call: explained,
    }),
];

type ProgramInput = { readonly program?: string | undefined; readonly file?: string | undefined };
type Parameters = readonly string[] | undefined;

async function explained(
    input: ProgramInput & { readonly fact: string; readonly parameters?: Parameters },
    place: ToolPlace,
): Promise<ToolAnswer> {
    const { path, ...how } = given(input, place);
    const { read, python, limits } = place.options;
    const args = ['explain', ...parametersOf(input.parameters), ...read, ...python, ...limits, '--', path, input.fact];
    const end = await place.commands(args, how);
    // An answer that it does not hold is an answer, too.
    return end.output.trim() === '' ? answered(end, place) : { text: end.output.trim() };
}

function running(
    { parameters, limit = ROWS.usual }: { readonly parameters?: Parameters; readonly limit?: number | undefined },
    place: ToolPlace,
): string[] {
    const { read, write, python, limits } = place.options;
    const all = [...parametersOf(parameters), ...read, ...write, ...python, ...limits];
    return ['run', '--format=json', `--limit=${limit}`, '--no-write', ...all];
}

/** One argument each: what others say never becomes an option. */
function parametersOf(parameters: Parameters = []): string[] {
    return parameters.map(parameter => `--param=${parameter}`);
}

/** What a command says: its output, and its words where it failed or had something to remark. */
function answered({ exitCode, output, errors }: CommandEnd, { hasFiles }: ToolPlace): ToolAnswer {
    const isError = exitCode !== 0;
    const closed =
        isError && !hasFiles ? say`Programs that are given here as texts read no files and databases: save a concept that reads them` : '';
    return {
        text: [output, errors, closed]
            .map(text => text.trim())
            .filter(text => text !== '')
            .join('\n\n'),
        ...(isError && { isError }),
    };
}

/** How a command gets at a program. */
function given(input: ProgramInput, place: ToolPlace): { path: string; folder: string; input?: string; signal: AbortSignal } {
    const { signal } = place;
    const [folder = '.'] = place.folders;
    const text = programText(input);
    if (text !== undefined) return { path: STANDARD_INPUT, folder, input: text, signal };
    const path = fileOf(input.file ?? '', place);
    return { path: relative(folder, path), folder, signal };
}

/** The text of a program, and the folder in which it is to be read. */
function asText(input: ProgramInput, place: ToolPlace): { readonly input: string; readonly folder: string } {
    const text = programText(input);
    if (text !== undefined) return { input: text, folder: place.folders[0] ?? '.' };
    const path = fileOf(input.file ?? '', place);
    return { input: readNamedText(path).text, folder: dirname(path) };
}

function programText({ program, file }: ProgramInput): string | undefined {
    if ((program === undefined) === (file === undefined)) throw new ToolMisuse(say`Give either 'program', a text, or 'file', a path`);
    return program;
}
