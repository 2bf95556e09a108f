// Has a language model write the programs of bench/models as users would, and compares what they give with the rows that are wanted.
// Everything but the comparison is done by the services: the prompt, the repairs and the evaluation are those of the product.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { comparedRows, modelTasks } from './model-tasks.mjs';

const USAGE = `LLM_API_KEY=… npm run bench:models -- [options]

  --provider NAME     whose wire format is spoken: LLM_PROVIDER of docs/models.md
  --version NAME      the model, as the provider calls it; usually the provider's own default
  --base-url URL      where it is asked; a server on this machine needs no key
  --temperature 0     of the answers
  --max-tokens 4000   of an answer at most
  --task NAME         this task only; may be repeated
  --limit 20          ends the evaluation of a program after so many seconds
  --out FILE.json     writes programs and figures there
  --no-build          dist/ as it is`;

/** Nobody can be asked; the message says what is missing. */
class NotConfigured extends Error {}

const root = fileURLToPath(new URL('..', import.meta.url));
const tasks = modelTasks();
const options = readOptions();
const chosen = tasks.filter(({ name }) => options.task.length === 0 || options.task.includes(name));
if (!options['no-build']) execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });

const { LLM_API_KEY: key, ...env } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'rulelang-models-'));
const services = await startServices();
let ending;
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => end(130));
const results = [];
try {
    await configure();
    for (const task of chosen) {
        const result = await measured(task);
        results.push(result);
        if (results.length === 1) printLine('task', 'grade', 'requests', 'seconds', 'tokens', 'result');
        printLine(
            task.name,
            task.grade,
            result.requests,
            result.seconds.toFixed(1),
            `${result.tokens.input}+${result.tokens.output}`,
            toldOf(result),
        );
    }
    report();
    await end(0);
} catch (error) {
    if (ending === undefined) console.error(error instanceof NotConfigured ? `${error.message}\n\n${USAGE}` : error);
    await end(error instanceof NotConfigured ? 2 : 1);
}

function readOptions() {
    const refuse = message => {
        console.error(`${message}\n\n${USAGE}`);
        process.exit(2);
    };
    const text = { type: 'string' };
    let values;
    try {
        ({ values } = parseArgs({
            options: {
                help: { type: 'boolean', default: false },
                provider: text,
                version: text,
                'base-url': text,
                temperature: { ...text, default: '0' },
                'max-tokens': { ...text, default: '4000' },
                task: { ...text, multiple: true, default: [] },
                limit: { ...text, default: '20' },
                out: text,
                'no-build': { type: 'boolean', default: false },
            },
        }));
    } catch (error) {
        return refuse(error.message);
    }
    if (values.help) {
        console.log(`${USAGE}\n\ntasks: ${tasks.map(({ name }) => name).join(' ')}`);
        process.exit(0);
    }
    for (const name of ['temperature', 'max-tokens', 'limit'])
        if (values[name].trim() === '' || !(Number(values[name]) >= 0)) refuse(`--${name} needs a number, not '${values[name]}'.`);
    for (const name of values.task)
        if (!tasks.some(task => task.name === name))
            refuse(`There is no task '${name}'; there are ${tasks.map(task => task.name).join(', ')}.`);
    if (values['base-url'] !== undefined && !URL.canParse(values['base-url']))
        refuse(`--base-url needs an address such as http://localhost:11434/v1, not '${values['base-url']}'.`);
    return values;
}

/** The services in a folder of their own, which end when this process does. */
async function startServices() {
    const data = join(folder, 'data');
    const base = options['base-url'];
    const args = [
        'serve',
        '--data-dir',
        data,
        '--port',
        '0',
        '--engine-port',
        '0',
        '--chat-port',
        '0',
        '--end-with-input',
        '--llm-limit',
        '100000',
    ];
    // Whoever names a host here allows it.
    if (base !== undefined) args.push('--allow-net', hostOf(new URL(base)));
    const child = spawn(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', text => {
        log = (log + text).slice(-4000);
    });
    await new Promise((resolve, reject) => {
        child.stdout.once('data', resolve);
        child.once('close', () => {
            rmSync(folder, { recursive: true, force: true });
            reject(new Error(`The services ended: ${log}`));
        });
    });
    const { base_url: address } = JSON.parse(readFileSync(join(data, 'endpoints.json'), 'utf8'));
    return { child, address, token: readFileSync(join(data, 'auth/token'), 'utf8').trim() };
}

function hostOf({ hostname, port, protocol }) {
    return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}

/** Stops the services, removes what they kept, the key among it, and leaves. */
function end(code) {
    ending ??= stop().then(() => process.exit(code));
    return ending;
}

async function stop() {
    const { child } = services;
    const ended = child.exitCode === null ? new Promise(resolve => child.once('close', resolve)) : undefined;
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
}

/** The answer of the services: its data, or the code and message of an error. */
async function ask(method, path, body, signal) {
    const response = await fetch(`${services.address}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${services.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
    });
    const { status, data, code, message, details } = await response.json();
    return status === 'success' ? { data } : { error: { code, message, details } };
}

async function done(path, body) {
    const { data, error } = await ask('POST', path, body);
    if (error !== undefined) throw new Error(`${path}: ${error.code}: ${error.message} ${JSON.stringify(error.details ?? '')}`);
    return data;
}

async function configure() {
    const values = {
        LLM_PROVIDER: options.provider,
        LLM_VERSION: options.version,
        LLM_BASE_URL: options['base-url'],
        LLM_API_KEY: key === '' ? undefined : key,
        LLM_TEMPERATURE: Number(options.temperature),
        LLM_MAX_TOKENS: Number(options['max-tokens']),
    };
    const { error } = await ask('POST', '/users/save-config', { config_data: values });
    if (error !== undefined) throw new NotConfigured(`${error.message} ${JSON.stringify(error.details?.fields ?? '')}`);
}

/** Requests to the provider, and tokens, so far. */
async function usage() {
    const { data } = await ask('GET', '/users/usage-status');
    const { current, input_tokens: input = 0, output_tokens: output = 0 } = data.llm_usage;
    return { current, input, output };
}

/** Asks for the program of a task in a project that holds its tables alone, and evaluates it there. */
async function measured(task) {
    const { name, grade, tables, ask: words, outputs } = task;
    await done('/projects/save', { project: { id: name, name } });
    for (const { predicate, description, text } of tables) {
        await done(`/concepts/${name}/save`, { definition: `${text}\n@output("${predicate}").`, description });
        // The model is told the types of stored rows.
        await done(`/concepts/${name}/run/${predicate}`, {});
    }
    const wanted = outputs.map(({ predicate, columns }) => `the predicate ${predicate} with the columns ${columns.join(', ')}`);
    const before = await usage();
    const began = performance.now();
    const { data, error } = await ask('POST', `/rulelingo/${name}/translate/nl-to-rulelang`, {
        domain_knowledge: `${words}\nThe result is ${wanted.join(', and ')}, in this order.`,
    });
    const seconds = (performance.now() - began) / 1000;
    const after = await usage();
    if (error?.code === 'llm_not_configured') throw new NotConfigured(error.message);
    const result = {
        task: name,
        grade,
        requests: after.current - before.current,
        seconds,
        tokens: { input: after.input - before.input, output: after.output - before.output },
    };
    if (error?.code === 'llm_bad_response')
        return { ...result, kind: 'no program', reason: error.details?.diagnostics?.[0]?.message ?? error.message };
    if (error !== undefined) return { ...result, kind: 'no answer', reason: error.message };
    return { ...result, program: data.rulelang_program, ...(await evaluated(task, data.rulelang_program)) };
}

/** What a program gives, against what it should. */
async function evaluated(task, program) {
    const found = {};
    const late = AbortSignal.timeout(Number(options.limit) * 1000);
    try {
        for (const { predicate } of task.outputs) {
            const saved = await ask('POST', `/concepts/${task.name}/save`, {
                definition: program,
                concept_name: predicate,
                output_predicate: predicate,
            });
            if (saved.error?.code === 'no_output_predicate') continue;
            if (saved.error !== undefined) return { kind: 'fails', reason: saved.error.message };
            const run = await ask('POST', `/concepts/${task.name}/run/${predicate}`, { persist_outputs: false }, late);
            if (run.error !== undefined) return { kind: 'fails', reason: run.error.message };
            found[predicate] = run.data.results;
        }
    } catch (error) {
        if (!late.aborted) throw error;
        return { kind: 'fails', reason: `it has no rows within ${options.limit} s` };
    }
    const rows = comparedRows(task, found);
    return { kind: rows.wrong + rows.missing === 0 ? 'the rows' : 'other rows', rows, found };
}

function toldOf({ kind, rows, reason }) {
    if (kind === 'the rows') return kind;
    if (kind === 'other rows') return `other rows: ${rows.right} right, ${rows.wrong} wrong, ${rows.missing} missing`;
    return `${kind}: ${reason.replaceAll(/\s+/gu, ' ').slice(0, 200)}`;
}

function printLine(name, grade, requests, seconds, tokens, result) {
    const cells = [String(grade).padStart(5), String(requests).padStart(8), String(seconds).padStart(7), String(tokens).padStart(11)];
    console.log(`${name.padEnd(26)} ${cells.join('  ')}  ${result}`);
}

function report() {
    const count = (kind, all = results) => all.filter(result => result.kind === kind).length;
    console.log();
    for (const grade of [1, 2, 3]) {
        const all = results.filter(result => result.grade === grade);
        if (all.length > 0) console.log(`grade ${grade}: ${count('the rows', all)} of ${all.length}`);
    }
    console.log(
        `${count('other rows')} give other rows, ${count('fails')} fail, ${count('no program')} are none, ${count('no answer')} were not answered`,
    );
    console.log(`${count('the rows')} of ${results.length} programs give the rows`);
    if (options.out === undefined) return;
    const { provider, version, temperature } = options;
    writeFileSync(options.out, `${JSON.stringify({ provider, version, temperature, results }, null, 2)}\n`);
}
