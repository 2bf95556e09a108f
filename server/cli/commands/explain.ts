import { choiceOf, pairsOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import {
    ACCESS_OPTIONS,
    accessOf,
    LIMIT_OPTIONS,
    limitsOf,
    PARAMETER_OPTION,
    SURROUNDING_OPTIONS,
    surroundingsOf,
} from '../evaluation-options.ts';

export const explain: Command = {
    name: 'explain',
    summary: 'Say why a fact holds, or why not: its rules and premises, down to data',
    usage: "FILE 'fact(…)' [options]",
    description: `Evaluates FILE, writes nothing, and shows how a fact was derived: as a tree of
premises with the rules between them and the places they come from, then in
words. Variables or _ in the question leave a column open; every fact that fits
is explained. A null is named by its label: p("a", z1).

Where no such fact is derived, it says why not: for each rule what came nearest
to deriving it and what was lacking, and where to look first. Exit code 1 then.`,
    options: {
        format: {
            value: 'text|json',
            help: 'How the explanation is printed, usually text. JSON is one object, or an array of them with open columns or --all.',
        },
        all: { help: 'Show every derivation instead of the first, or every reason why there is none.' },
        ...PARAMETER_OPTION,
        ...SURROUNDING_OPTIONS,
        ...LIMIT_OPTIONS,
        'allow-read': ACCESS_OPTIONS['allow-read'] ?? { help: '' },
    },
    examples: [
        [`rulelang explain reach.rulelang 'reach("k", "p")'`, 'one fact'],
        [`rulelang explain reach.rulelang 'reach("k", X)' --all`, 'every fact that starts with "k", by every derivation'],
        [`rulelang explain reach.rulelang 'reach("p", "k")'`, 'why there is no such fact'],
    ],
    job: args => {
        const [file, fact, ...more] = args.positionals;
        if (file === undefined || fact === undefined) throw new UsageError('name the program and the fact to explain');
        if (more.length > 0) throw new UsageError(`one fact at a time, in quotes, not also '${more[0]}'`);
        return {
            kind: 'explain',
            file,
            fact,
            parameters: pairsOf(args, 'param'),
            format: choiceOf(args, 'format', ['text', 'json'], 'text'),
            all: args.has('all'),
            limits: limitsOf(args),
            surroundings: surroundingsOf(args),
            ...accessOf(args),
        };
    },
};
