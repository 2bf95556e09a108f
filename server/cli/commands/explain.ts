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
    summary: 'Say why a fact holds, or why not: its rules and premises, down to data',
    usage: "FILE 'fact(…)' [options]",
    description: `Evaluates FILE, writes nothing, and shows how a fact was derived: as a tree of
premises with the rules between them and the places they come from, then in
words. Variables or _ in the question leave a column open; every fact that fits
is explained. A null is named by its label: p("a", z1).

Where no such fact is derived, it says why not: for each rule what came nearest
to deriving it and what was lacking, and where to look first. Exit code 1 then.

'z1 = z2', or --same with two facts, asks why two unknown values are two: what
the rules with an equality in their head lack that could have made them equal.`,
    options: {
        format: {
            value: 'text|json',
            help: 'Output format. Default: text. JSON is one object; with open columns or --all it is an array.',
        },
        all: { help: 'Show every derivation, or every reason why there is none, instead of the first.' },
        same: { help: "Take two facts, such as 'who(4, _)' 'who(5, _)', and say why their unknown values are not one." },
        limit: {
            value: 'N',
            help: `Explain at most N of the matching facts. Default: ${LIMIT} as text, all as JSON.`,
        },
        depth: { value: 'N', help: 'Show N levels of premises; three dots mark a fact with more. Default: 30.' },
        tree: { help: 'Print only the tree.' },
        text: { help: 'Print only the words.' },
        'in-words': {
            help: 'Have the language model tell it, too, from what is printed. Each of its sentences cites steps of the proof; those that name what is not in them are removed. Needs --allow-model.',
        },
        ...EVALUATION_OPTIONS,
    },
    examples: [
        [`rulelang explain reach.rulelang 'reach("k", "p")'`, 'one fact'],
        [`rulelang explain reach.rulelang 'reach("k", X)' --all`, 'every fact that starts with "k", by every derivation'],
        [`rulelang explain reach.rulelang 'reach(_, _)' --limit 3 --text`, 'three of its facts, in words alone'],
        [`rulelang explain reach.rulelang 'reach("k", "p")' --in-words --allow-model`, 'told by a language model, beside the proof'],
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
