import { say } from '#language/program/say.ts';
import type { ExplanationPart } from '#server/runs/jobs/explain-question.ts';
import { type Arguments, choiceOf, countOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { EVALUATION_OPTIONS, evaluationOf } from '../evaluation-options.ts';

/** Facts explained as text where the command line does not say how many. */
const LIMIT = 20;

const PARTS: readonly ExplanationPart[] = ['tree', 'text'];

export const explain: Command = {
    name: 'explain',
    summary: 'Explain why a fact holds or does not, down to the data',
    usage: "FILE 'fact(…)' [options]",
    description: `Evaluates FILE, writes nothing, and shows how a fact was derived: first as a
tree of premises with their rules and places, then in words. A variable or _
stands for any value; every matching fact is explained. Write an unknown value
by its label: p("a", z1).

If no fact matches, the answer shows why not: for each rule the nearest attempt,
what it lacks, and where to look first. The exit code is then 1.

'z1 = z2', or --same with two facts, explains why two unknown values were not
made equal: what the rules with an equality in their head lack.`,
    options: {
        format: {
            value: 'text|json',
            help: 'Output format. Default: text. JSON is one object; with open columns or --all it is an array.',
        },
        all: { help: 'Show every derivation, or every reason why there is none, instead of the first.' },
        same: { help: "Take two facts, such as 'who(4, _)' 'who(5, _)', and explain why their unknown values differ." },
        limit: {
            value: 'N',
            help: `Explain at most N of the matching facts. Default: ${LIMIT} as text, all as JSON.`,
        },
        depth: { value: 'N', help: 'Show N levels of premises; three dots mark a fact with more. Default: 30.' },
        tree: { help: 'Print only the tree.' },
        text: { help: 'Print only the words.' },
        'in-words': {
            help: 'Also have the language model explain the proof. Each of its sentences cites steps of the proof; sentences with other facts or names are removed. Needs --allow-model.',
        },
        ...EVALUATION_OPTIONS,
    },
    examples: [
        [`rulelang explain reach.rulelang 'reach("k", "p")'`, 'one fact'],
        [`rulelang explain reach.rulelang 'reach("k", X)' --all`, 'every fact that starts with "k", by every derivation'],
        [`rulelang explain reach.rulelang 'reach(_, _)' --limit 3 --text`, 'three of its facts, in words alone'],
        [`rulelang explain reach.rulelang 'reach("k", "p")' --in-words --allow-model`, 'also in the words of a language model'],
        [`rulelang explain reach.rulelang 'reach("p", "k")'`, 'why there is no such fact'],
        [`rulelang explain people.rulelang --same 'who(4, _)' 'who(5, _)'`, 'why two unknown values were not made equal'],
    ],
    job: args => {
        const isSame = args.has('same');
        const [file, fact, ...others] = args.positionals;
        const [other, ...more] = isSame ? others : [undefined, ...others];
        if (file === undefined || fact === undefined) throw new UsageError(say`name the program and the fact to explain`);
        if (isSame && other === undefined) throw new UsageError(say`option '--same' needs two facts, each in quotes`);
        if (more.length > 0)
            throw new UsageError(
                isSame
                    ? say`two facts at a time, in quotes, not also '${more[0]}'`
                    : say`one fact at a time, in quotes, not also '${more[0]}'`,
            );
        const format = choiceOf(args, 'format', ['text', 'json'], 'text');
        const depth = positiveOf(args, 'depth');
        const ofText = ['depth', 'in-words', ...PARTS].find(name => args.has(name));
        if (format === 'json' && ofText !== undefined) throw new UsageError(say`option '--${ofText}' is for '--format text'`);
        if (args.has('in-words') && !args.has('allow-model'))
            throw new UsageError(say`option '--in-words' needs '--allow-model' beside it`);
        const parts = PARTS.filter(part => args.has(part));
        return {
            kind: 'explain',
            file,
            fact,
            ...(other === undefined ? {} : { same: [fact, other] as const }),
            format,
            all: args.has('all'),
            limit: positiveOf(args, 'limit') ?? (format === 'text' ? LIMIT : Number.POSITIVE_INFINITY),
            ...(depth === undefined ? {} : { depth }),
            parts: parts.length === 0 ? PARTS : parts,
            inWords: args.has('in-words'),
            ...evaluationOf(args),
        };
    },
};

function positiveOf(args: Arguments, name: string): number | undefined {
    const count = countOf(args, name);
    if (count === 0) throw new UsageError(say`option '--${name}' needs at least 1`);
    return count;
}
