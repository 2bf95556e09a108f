import { helpSection, withCode } from './help-page.ts';
import { helpCodes, type ProblemHelp, problemHelp } from './problem-help.ts';

interface Family {
    /** Name of its page, without its ending. */
    readonly name: string;
    readonly title: string;
    readonly about: string;
    readonly codes: RegExp;
}

/** A code belongs to the first family that fits. */
const FAMILIES: readonly Family[] = [
    { name: 'syntax', title: 'Reading a program', about: 'Dots, commas, brackets, numbers, strings.', codes: /^RL0/u },
    { name: 'names', title: 'Names and columns', about: 'Predicates that do not exist, or have other columns.', codes: /^RL1/u },
    {
        name: 'logic',
        title: 'Variables, negation and recursion',
        about: 'Rules that have no meaning, or another than they seem to.',
        codes: /^RL2/u,
    },
    { name: 'aggregation', title: 'Aggregation', about: 'Sums, counts, smallest and largest values.', codes: /^RL3/u },
    { name: 'types', title: 'Types and conditions', about: 'Values that do not fit, and conditions that decide nothing.', codes: /^RL4/u },
    { name: 'functions', title: 'Functions', about: 'Calls and their arguments.', codes: /^RL5/u },
    { name: 'sources', title: 'Data sources', about: 'Binds, mappings and their options.', codes: /^RL6(?:05|06|09|1)/u },
    { name: 'annotations', title: 'Annotations and models', about: 'Outputs, inputs, models, sorting.', codes: /^RL6/u },
    { name: 'graphs', title: 'Graph functions, prompts and queries', about: 'Calls that take a whole predicate.', codes: /^RL7/u },
    { name: 'modules', title: 'Parameters and modules', about: 'Values from outside, and programs of several files.', codes: /^RL8/u },
    { name: 'style', title: 'Style', about: 'Programs that run, and could be read more easily.', codes: /^RL9/u },
    { name: 'runs', title: 'Reports of a run', about: 'What only the data show.', codes: /^RT/u },
];

const NOTE = 'Generated from the catalogue by `npm run generate`.';

/** The pages about all problems by their file names. */
export function problemPages(): ReadonlyMap<string, string> {
    const families = FAMILIES.map(family => ({ ...family, problems: [] as ProblemHelp[] }));
    for (const code of helpCodes()) {
        const problem = problemHelp(code);
        const family = families.find(({ codes }) => codes.test(code));
        if (problem === undefined || family === undefined) throw new Error(`No page has a place for ${code}`);
        family.problems.push(problem);
    }
    const pages = families.map(({ name, title, about, problems }): [string, string] => [
        `${name}.md`,
        page(`# ${title}`, `${about} ${NOTE} [All problems](README.md)`, ...problems.map(helpSection)),
    ]);
    const tables = families.map(({ name, title, problems }) => {
        const rows = problems.map(
            ({ code, title: what, severity }) => `| [${code}](${name}.md#${code.toLowerCase()}) | ${severity} | ${what} |`,
        );
        return `## ${title}\n\n${['| code | severity | what |', '|---|---|---|', ...rows].join('\n')}`;
    });
    return new Map([['README.md', page('# Problems', INTRODUCTION, NOTE, ...tables)], ...pages]);
}

const INTRODUCTION = withCode(`'rulelang help RL2002' prints what a code means; in VS Code, **Explain RL2002** stands among the
fixes of the problem. Codes stay the same from version to version.

Errors stop a run. Warnings are mostly mistakes, information and hints are remarks. All but errors can be
[ignored or made milder](../ci.md#ignore-a-problem).`);

function page(...parts: readonly string[]): string {
    return `${parts.join('\n\n')}\n`;
}
