import { say } from '#language/program/say.ts';
import { choiceOf, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { accessOf, READING_OPTIONS } from '../evaluation-options.ts';

const FORMATS = ['dot', 'mermaid', 'json'] as const;

export const graph: Command = {
    name: 'graph',
    summary: 'Print the dependency graph of the predicates',
    usage: 'FILE [options]',
    description: `Prints the dependency graph of FILE, or of standard input if FILE is -. An arrow
leads from a predicate to each predicate derived from it. Predicates are grouped
by stratum. Recursion, negation, aggregation, inputs and outputs are marked.

Formats:
  dot      for Graphviz
  mermaid  a flowchart for Markdown pages
  json     {"predicates": [{key, name, arity, stratum, recursive, input, output,
           facts, rules, file, range}], "edges": [{predicate, needs, kind,
           recursive, forbidden}]}; kind is positive, negated or aggregated`,
    options: {
        format: { value: FORMATS.join('|'), help: 'Output format. Default: dot.' },
        ...READING_OPTIONS,
    },
    examples: [
        ['rulelang graph control.rulelang | dot -Tsvg > control.svg', 'as a picture'],
        ['rulelang graph control.rulelang --format mermaid', 'for a page'],
    ],
    job: args => {
        const [file, ...more] = args.positionals;
        if (file === undefined || more.length > 0) throw new UsageError(say`name one program`);
        return { kind: 'graph', file, format: choiceOf(args, 'format', FORMATS, 'dot'), ...accessOf(args) };
    },
};
