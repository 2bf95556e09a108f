import fs from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import readline from 'node:readline';
import { RunStopped } from '#engine/reports/reports.ts';
import { analysedDocument, type OpenDocument } from '#language/document/open-document.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import type { Problem } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import { clauseEnd } from '#language/syntax/clause-end.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { rewriteNamed } from '#server/files/write-granted.ts';
import { type Notice, problemNotice, reportNotice } from '#server/notices/notice.ts';
import { EXIT, RUN_FORMATS, type RunFormat, type RunJob, type Streams } from '#server/protocol/jobs.ts';
import { UNUSED } from '#server/runs/asked-queries.ts';
import { fileSource } from '#server/runs/file-source.ts';
import type { ExplainJob } from '#server/runs/jobs/explain-question.ts';
import { type LoadedProgram, loadKnown, loadProgram, type ProgramSource } from '#server/runs/load-program.ts';
import { startJob } from '#server/runs/start-job.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';
import { SourceLookup } from '#server/workspace/source-lookup.ts';
import { choicesFor } from './complete.ts';
import { historyFile, keepHistory, MOST, readHistory } from './history.ts';
import { SESSION, Session } from './session.ts';
import { type Statement, statementsIn } from './statements.ts';

/** How programs are evaluated here, and what is loaded first. */
export interface ReplRequest {
    readonly files: readonly string[];
    readonly format: RunFormat;
    readonly run: Omit<RunJob, 'kind' | 'file' | 'outputs' | 'queries' | 'format' | 'statistics'>;
    /** Ends at the first error. */
    readonly bail: boolean;
    readonly keepsHistory: boolean;
}

interface ReplCommand {
    readonly usage: string;
    readonly help: string;
    /** True where it went well. */
    readonly act: (words: string) => boolean | Promise<boolean>;
}

const EXPLAINED = 20;
/** Of a program that is typed bit by bit: something is used before it is defined. */
const UNDEFINED = 'RL1101';

/** Reads clauses, questions and commands until they end, and gives the exit code. */
export async function repl(request: ReplRequest, streams: () => Streams): Promise<number> {
    const { stdin } = process;
    const interactive = stdin.isTTY === true && streams().errorWidth !== undefined;
    const session = new Session();
    const files = [...request.files];
    const lookup = new SourceLookup({ tellsMissing: true });
    const access = (): RunJob['allowRead'] => [...request.run.allowRead, ...files.map(file => dirname(resolve(file)))];
    let { format } = request;
    let isTimed = false;
    let isDone = false;
    let buffer = '';

    const tell = (text: string): void => void fs.writeSync(2, text);
    const fail = (text: string): boolean => {
        tell(`${text}\n`);
        return false;
    };
    const sourceOf = (text: string): ProgramSource =>
        fileSource(text, SESSION, { ...request.run, allowRead: access() }, new Map(request.run.parameters));
    const tellNotices = (notices: readonly Notice[], { texts }: Pick<LoadedProgram, 'texts'>): void => {
        const { errorColour, errorWidth = TEXT_WIDTH } = streams();
        const style = { colour: colourOf(errorColour), width: Math.min(TEXT_WIDTH, errorWidth), sources: texts };
        for (const notice of notices) tell(`${noticeText(notice, style)}\n`);
    };
    const documentOf = (text: string): OpenDocument => {
        const { source, program, problems } = loadKnown(sourceOf(text), lookup);
        const own = problems.filter(({ place }) => place.file === SESSION);
        return analysedDocument(source.text, program, own);
    };

    /** Adds clauses, unless the program would have an error then. */
    const add = async (clauses: readonly string[]): Promise<boolean> => {
        const loaded = await loadProgram(sourceOf(session.with(clauses)), lookup);
        const from = session.text.length;
        const isOwn = ({ place }: Problem): boolean => place.file === SESSION && place.offset >= from;
        const waits = (one: Problem): boolean => one.code === UNDEFINED && one.place.file === SESSION;
        const errors = loaded.problems.filter(one => one.severity === 'error' && !waits(one));
        if (errors.length > 0) {
            tellNotices(errors.map(problemNotice), loaded);
            return false;
        }
        session.add(clauses);
        const told = loaded.problems.filter(one => isOwn(one) && (one.severity === 'warning' || waits(one)) && !UNUSED.has(one.code));
        tellNotices(
            told.map(one =>
                waits(one) ? { ...problemNotice(one), severity: 'warning', remedy: say`the clause waits until it is` } : problemNotice(one),
            ),
            loaded,
        );
        return true;
    };

    /** The program without the clauses that use what is not defined yet, each in its place. */
    const evaluable = async (): Promise<string> => {
        for (let { text } = session; ; ) {
            const { problems } = await loadProgram(sourceOf(text), lookup);
            const waiting = problems.filter(({ code, place }) => code === UNDEFINED && place.file === SESSION);
            if (waiting.length === 0) return text;
            for (const { place } of waiting) text = withoutClause(text, place.offset);
        }
    };

    const perform = async (job: RunJob | ExplainJob): Promise<number> => {
        if (!isClosed) input.pause();
        if (interactive) stdin.setRawMode(false);
        const code = await startJob(job, streams(), { stays: true });
        if (interactive) stdin.setRawMode(true);
        if (!isClosed) input.resume();
        if (code === EXIT.terminated || code === EXIT.hungUp || (code === EXIT.interrupted && !interactive)) {
            exitCode = code;
            isDone = true;
        }
        return code;
    };
    const program = async (): Promise<Pick<RunJob, 'file' | 'text' | 'known'> & typeof request.run> => ({
        ...request.run,
        allowRead: access(),
        file: SESSION,
        text: await evaluable(),
        known: true,
    });
    const ask = async (query: string): Promise<boolean> =>
        (await perform({ kind: 'run', ...(await program()), outputs: [], queries: [query], format, statistics: isTimed })) === EXIT.fine;
    const explain = async (fact: string, all: boolean): Promise<boolean> => {
        if (fact === '') return fail(say`Name a fact, such as p("a", 1); _ stands for any value`);
        const code = await perform({
            kind: 'explain',
            ...(await program()),
            fact: fact.replace(/[.?]$/u, ''),
            format: 'text',
            all,
            limit: EXPLAINED,
            parts: ['tree', 'text'],
            inWords: false,
        });
        return code <= EXIT.failed;
    };
    const load = async (named: readonly string[]): Promise<boolean> => {
        if (named.length === 0) return fail(say`Name a file`);
        const before = files.length;
        files.push(...named);
        try {
            for (const file of named) readNamedText(file);
            if (await add(named.map(file => `@include("${relative('.', resolve(file)).replaceAll('\\', '/')}").`))) return true;
        } catch (error) {
            if (!(error instanceof RunStopped)) throw error;
            tellNotices([reportNotice(error.report)], { texts: new Map() });
        }
        files.length = before;
        return false;
    };
    const save = (name: string, replaces: boolean): boolean => {
        if (name === '') return fail(say`Name a file`);
        if (files.some(file => resolve(file) === resolve(name))) return fail(say`'${name}' is loaded: save under another name`);
        try {
            if (!replaces && fs.existsSync(name)) return fail(say`'${name}' exists; :save! ${name} replaces it`);
            if (fs.existsSync(name)) rewriteNamed(name, session.text);
            else fs.writeFileSync(name, session.text, { flag: 'wx' });
            return true;
        } catch (error) {
            if (error instanceof RunStopped) return fail(error.report.message);
            if (!(error instanceof Error) || !('code' in error)) throw error;
            return fail(error.message);
        }
    };

    const commands: Readonly<Record<string, ReplCommand>> = {
        ':why': { usage: 'FACT', help: say`Say why a fact holds, or why not.`, act: fact => explain(fact, false) },
        ':whynot': { usage: 'FACT', help: say`Say why a fact does not hold.`, act: fact => explain(fact, false) },
        ':explain': { usage: 'FACT', help: say`Say every reason why a fact holds, or why not.`, act: fact => explain(fact, true) },
        ':load': {
            usage: 'FILE…',
            help: say`Add programs, as @include does.`,
            act: words => load(words.split(/\s+/u).filter(word => word !== '')),
        },
        ':list': {
            usage: '',
            help: say`Print the program with its lines.`,
            act: () => {
                fs.writeSync(1, numbered(session.text));
                return true;
            },
        },
        ':drop': {
            usage: 'NAME|LINE',
            help: say`Remove the clauses of a predicate, an included file, or the clause in a line.`,
            act: what => session.drop(what) > 0 || fail(say`No clause here is about '${what}'; :list prints them`),
        },
        ':undo': { usage: '', help: say`Take back the last change.`, act: () => session.undo() || fail(say`Nothing was changed`) },
        ':format': {
            usage: RUN_FORMATS.join('|'),
            help: say`Print answers in this form.`,
            act: name => {
                const chosen = RUN_FORMATS.find(known => known === name);
                if (chosen === undefined) return fail(say`Choose ${RUN_FORMATS.join(', ')}; it is ${format} now`);
                format = chosen;
                return true;
            },
        },
        ':time': {
            usage: 'on|off',
            help: say`Say what each answer needed.`,
            act: word => {
                if (!['', 'on', 'off'].includes(word)) return fail(say`Write :time on or :time off`);
                isTimed = word === '' ? !isTimed : word === 'on';
                return true;
            },
        },
        ':save': { usage: 'FILE', help: say`Write the program into a new file; :save! replaces one.`, act: name => save(name, false) },
        ':save!': { usage: '', help: '', act: name => save(name, true) },
        ':help': {
            usage: '',
            help: say`Print this help.`,
            act: () => {
                fs.writeSync(1, helpText(commands));
                return true;
            },
        },
        ':quit': {
            usage: '',
            help: say`End, as Ctrl-D does.`,
            act: () => {
                isDone = true;
                return true;
            },
        },
    };

    const command = (line: string): boolean | Promise<boolean> => {
        const [, name = '', words = ''] = /^(\S+)\s*([\s\S]*)$/u.exec(line.trim()) ?? [];
        const found = commands[name];
        if (found !== undefined) return found.act(words.trim());
        const meant = nearestName(name, Object.keys(commands));
        return fail(say`There is no command ${name}${meant === undefined ? say`; see :help` : say`; did you mean ${meant}?`}`);
    };
    /** In the order in which they stand; clauses that follow each other are added together. */
    const enter = async (statements: readonly Statement[]): Promise<boolean> => {
        let clauses: string[] = [];
        const addAll = async (): Promise<boolean> => {
            const together = clauses;
            clauses = [];
            return together.length === 0 || (await add(together));
        };
        for (const { kind, text } of statements) {
            if (kind === 'clause') clauses.push(text);
            else if (!(await addAll()) || !(await ask(text))) return false;
        }
        return await addAll();
    };
    const take = async (line: string, isLast: boolean): Promise<boolean> => {
        if (buffer === '' && line.trimStart().startsWith(':')) return await command(line);
        buffer += `${line}\n`;
        const { statements, open } = statementsIn(buffer);
        if (open && !isLast) return true;
        const isPending = statements.length === 0 && !isLast;
        if (!isPending) buffer = '';
        return await enter(statements);
    };

    const file = historyFile(process.env, process.platform);
    const input = readline.createInterface({
        input: stdin,
        ...(interactive && {
            output: streams().outputWidth === undefined ? process.stderr : process.stdout,
            terminal: true,
            history: request.keepsHistory ? readHistory(file) : [],
            historySize: MOST,
            removeHistoryDuplicates: true,
            completer: (line: string): [string[], string] => {
                const before = `${session.text}${buffer}`;
                const { texts, typed } = choicesFor(line, { before, commands: Object.keys(commands), folder: '.', documentOf });
                return [[...texts], typed];
            },
        }),
    });
    if (interactive && request.keepsHistory) input.on('history', lines => keepHistory(file, lines));

    let exitCode: number = EXIT.fine;
    const lines: string[] = [];
    let isClosed = false;
    let wake: () => void = () => undefined;
    input.on('line', line => {
        lines.push(line);
        wake();
    });
    input.on('close', () => {
        isClosed = true;
        wake();
    });
    input.on('SIGINT', () => {
        buffer = '';
        tell('\n');
        input.write(null, { ctrl: true, name: 'e' });
        input.write(null, { ctrl: true, name: 'u' });
        prompt();
    });
    const prompt = (): void => {
        if (!interactive || isClosed) return;
        input.setPrompt(buffer === '' ? '> ' : '… ');
        input.prompt();
    };
    const noted = (isFine: boolean): void => {
        if (isFine || interactive) return;
        exitCode ||= EXIT.failed;
        isDone ||= request.bail;
    };

    if (interactive) tell(say`rulelang; :help lists the commands, Ctrl-D ends\n`);
    if (request.files.length > 0) {
        files.length = 0;
        noted(await load(request.files));
    }
    while (!isDone) {
        if (lines.length === 0) prompt();
        while (lines.length === 0 && !isClosed)
            await new Promise<void>(go => {
                wake = go;
            });
        const line = lines.shift();
        if (line === undefined && buffer === '') break;
        noted(await take(line ?? '', line === undefined));
    }
    input.close();
    stdin.unref();
    if (interactive && isClosed) tell('\n');
    return exitCode;
}

/** The text with blanks in the place of the clause that begins at an offset. */
function withoutClause(text: string, offset: number): string {
    const end = clauseEnd(text, offset);
    const clause = text.slice(offset, end);
    return text.slice(0, offset) + clause.replaceAll(/[^\n]/gu, ' ') + text.slice(end);
}

function numbered(text: string): string {
    const lines = text.split('\n').slice(0, -1);
    const width = String(lines.length).length;
    return lines.map((line, at) => `${String(at + 1).padStart(width)}  ${line}\n`).join('');
}

function helpText(commands: Readonly<Record<string, ReplCommand>>): string {
    const rows = Object.entries(commands)
        .filter(([, { help }]) => help !== '')
        .map(([name, { usage, help }]) => `  ${`${name} ${usage}`.trimEnd()}\n      ${help}\n`);
    return say`A clause that ends with a dot is added: p("a"). Questions end with a question
mark: p(X), X > 3?  or stand behind ?- and end with a dot.

${rows.join('')}`;
}
