import { say } from '#language/program/say.ts';
import type { InferredSource } from '#server/translate/infer-sources.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { Command } from '../command.ts';
import { databaseOf, SOURCE_OPTIONS } from '../source-options.ts';

/** Types whose facts a language model finds. */
const READ_BY_MODELS: ReadonlySet<string> = new Set(['text', 'binaryfile']);

export const infer: Command = {
    name: 'infer',
    summary: 'Print a program that reads files and databases',
    usage: 'SOURCE… [options]',
    description: `Prints a program that reads all tables of each SOURCE: with the types of their
columns, a rule for each table and for each foreign key, and outputs. Paths
start in the current folder; keep the program there.

SOURCE is a file; a folder or a pattern such as 'sales/year=*/*.csv', whose
files form one table; or an address: TYPE://USER@HOST:PORT/DATABASE. The options
apply to every SOURCE.

The first row of a CSV file or a sheet names the columns, unless it looks like
the other rows. Empty cells in columns of numbers, dates and booleans are
unknown.

No service is needed, and nothing is stored. To extract facts from a text, a PDF
or an image with a language model, use rulelang data infer.`,
    options: {
        ...SOURCE_OPTIONS,
        'no-model': { help: 'Leave out the types of columns.' },
    },
    examples: [
        ['rulelang infer towns.csv > towns.rulelang', 'a program to begin with'],
        ['rulelang infer orders.csv customers.xlsx > shop.rulelang', 'several files in one program'],
        ['rulelang infer sales --type parquet', 'all Parquet files below a folder'],
        ['rulelang infer postgresql://app@localhost/shop --secret PGPASSWORD', 'all tables, with the password in PGPASSWORD'],
    ],
    job: args => {
        if (args.positionals.length === 0) throw new UsageError(say`name the source: a file, or TYPE://USER@HOST:PORT/DATABASE`);
        const sources = args.positionals.map(source => sourceOf(source, args));
        const request = { sources, addModel: !args.has('no-model'), folder: process.cwd() };
        return async streams => (await import('#server/translate/main.ts')).inferSources(request, streams());
    },
};

function sourceOf(name: string, args: Arguments): InferredSource {
    const { databaseType: type, ...description } = databaseOf(name, args);
    if (READ_BY_MODELS.has(type)) throw new UsageError(say`a language model finds the facts of '${name}': rulelang data infer ${name}`);
    const secret = args.value('secret');
    return { name, type, description: { ...description, host: description.host ?? '' }, ...(secret !== undefined && { secret }) };
}
