import { resolve } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { Replay } from '#engine/explain/replay.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { Notice } from '#server/notices/notice.ts';
import { Refusal, refuse } from '#server/notices/refusal.ts';
import type { LoadedProgram } from '#server/runs/load-program.ts';
import { colourOf } from '#server/terminal/colour.ts';
import { noticeText, TEXT_WIDTH } from '#server/terminal/notice-text.ts';
import { BreakpointSets } from './breakpoint-sets.ts';
import { factBreakpoint, filterBreakpoint, ruleBreakpoint, type SetBreakpoint } from './breakpoints.ts';
import { capabilities } from './capabilities.ts';
import type { DapOptions } from './dap-options.ts';
import { type Launched, loadDebuggee, recordRun } from './debuggee.ts';
import { type LaunchArguments, readLaunch } from './launch-arguments.ts';
import { type Counting, type PlaceInSource, type Places, places } from './places.ts';
import { Player, STRIDES, type Stop, type Stride } from './player.ts';
import { stopReason } from './stop-reason.ts';
import { StopView } from './stop-view.ts';

export interface SessionHost {
    readonly send: (message: DebugProtocol.Response | DebugProtocol.Event) => void;
    /** Whether what is under way is to end. */
    readonly isStopped: () => boolean;
    readonly takePause: () => boolean;
    /** From here on nothing is to end. */
    readonly goOn: () => void;
}

type Answers = Readonly<Record<string, (args: never) => unknown>>;

/** The debugged program. */
interface Debuggee {
    readonly launch: LaunchArguments;
    readonly launched: Launched;
    readonly loaded: LoadedProgram;
    readonly places: Places;
}

const THREAD = 1;
const FINE = 0;
const FAILED = 1;

/** Answers one client about one program, one request after the other. */
export class DebugSession {
    readonly #options: DapOptions;
    readonly #host: SessionHost;
    #counting: Counting = { line: 1, column: 1 };
    #debuggee: Debuggee | undefined;
    #player: Player | undefined;
    /** The state that the client can look at while nothing moves. */
    #view: StopView | undefined;
    #lastStop: Stop | undefined;
    readonly #breakpoints = new BreakpointSets();
    /** Work to do once the answer is sent. */
    #afterwards: () => Promise<void> | void = () => undefined;

    constructor(options: DapOptions, host: SessionHost) {
        this.#options = options;
        this.#host = host;
    }

    async handle({ seq, command, arguments: args }: DebugProtocol.Request): Promise<void> {
        const response = { seq: 0, type: 'response', request_seq: seq, command } as const;
        this.#afterwards = () => undefined;
        try {
            const answers: Answers = this.#answers;
            const handler = Object.hasOwn(answers, command) ? answers[command] : undefined;
            if (handler === undefined) refuse(say`'${command}' is not supported`);
            const body = await handler((args ?? {}) as never);
            this.#host.send({ ...response, success: true, ...(body !== undefined && { body }) });
        } catch (error) {
            if (!(error instanceof Refusal)) this.#failed(error);
            const message = error instanceof Error ? error.message : String(error);
            const told = { id: FAILED, format: '{text}', variables: { text: message }, showUser: command === 'launch' };
            this.#host.send({ ...response, success: false, message, body: { error: told } });
            return;
        }
        try {
            await this.#afterwards();
        } catch (error) {
            this.#failed(error);
            this.#end(FAILED);
        }
    }

    /** Reports an unforeseen error. */
    #failed(error: unknown): void {
        this.#output('stderr', `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    }

    readonly #answers = {
        initialize: ({
            linesStartAt1 = true,
            columnsStartAt1 = true,
        }: DebugProtocol.InitializeRequestArguments): DebugProtocol.Capabilities => {
            this.#counting = { line: linesStartAt1 ? 1 : 0, column: columnsStartAt1 ? 1 : 0 };
            return capabilities();
        },
        launch: async (args: unknown) => {
            const launch = readLaunch(args);
            await this.#load(launch);
            this.#afterwards = () => this.#event('initialized');
        },
        attach: () => refuse(say`A program is launched, there is none to attach to`),
        configurationDone: () => {
            this.#afterwards = () => this.#run();
        },
        restart: async ({ arguments: args }: { readonly arguments?: unknown }) => {
            this.#host.goOn();
            const launch = args === undefined ? this.#known().launch : readLaunch(args);
            await this.#load(launch);
            for (const breakpoint of this.#breakpoints.again()) this.#event('breakpoint', { reason: 'changed', breakpoint });
            this.#afterwards = () => this.#run();
        },
        pause: () => {
            // Whatever was under way has stopped by now.
            this.#host.takePause();
        },
        threads: () => ({ threads: [{ id: THREAD, name: this.#threadName() }] }),
        setBreakpoints: ({ source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments) => {
            const path = resolve(source.path ?? '');
            return this.#setBreakpoints(path, breakpoints, (asked, id) => ruleBreakpoint(this.#known().places, path, asked, id));
        },
        setFunctionBreakpoints: ({ breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments) =>
            this.#setBreakpoints('facts', breakpoints, (asked, id) => factBreakpoint(this.#known().loaded.program, asked, id)),
        setExceptionBreakpoints: ({ filters: plain, filterOptions = [] }: DebugProtocol.SetExceptionBreakpointsArguments) => {
            const asked = [...plain.map(filterId => ({ filterId })), ...filterOptions];
            return this.#setBreakpoints('filters', asked, (one, id) => filterBreakpoint(this.#known().loaded.program, one, id));
        },
        breakpointLocations: ({ source, line, endLine = line }: DebugProtocol.BreakpointLocationsArguments) => ({
            breakpoints: this.#known()
                .places.lines(resolve(source.path ?? ''), line, endLine)
                .map(at => ({ line: at })),
        }),
        stackTrace: ({ startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments) => this.#stop().stack(startFrame, levels),
        scopes: ({ frameId }: DebugProtocol.ScopesArguments) => ({ scopes: this.#stop().scopes(frameId) }),
        variables: (args: DebugProtocol.VariablesArguments) => ({ variables: this.#stop().variables(args) }),
        evaluate: ({ expression, frameId }: DebugProtocol.EvaluateArguments) => this.#stop().evaluate(expression, frameId),
        exceptionInfo: () => {
            const stop = this.#lastStop;
            const filter = stop?.kind === 'breakpoints' ? stop.hit.find(({ breakpoint }) => breakpoint.kind === 'filter') : undefined;
            const name = filter?.breakpoint.name ?? refuse(say`It has not stopped for that`);
            return { exceptionId: name, description: this.#stop().frame()?.name, breakMode: 'always' };
        },
        continue: () => this.#move(player => player.goOn()),
        reverseContinue: () => this.#move(player => player.goBack()),
        stepIn: () => this.#move(player => player.step('match')),
        next: () => this.#move(player => player.step('rule')),
        stepOut: () => this.#move(player => player.step('round')),
        stepBack: () => this.#move(player => player.stepBack('match')),
        /** A stride that the protocol has no word for. */
        stride: ({ by, back = false }: { readonly by?: unknown; readonly back?: unknown }) => {
            const stride: Stride = STRIDES.find(one => one === by) ?? refuse(say`A stride is one of ${STRIDES.join(', ')}`);
            return this.#move(player => (back === true ? player.stepBack(stride) : player.step(stride)));
        },
        restartFrame: ({ frameId }: DebugProtocol.RestartFrameArguments) => {
            const row = this.#stop().frame(frameId)?.node?.row;
            const player = this.#stopped();
            const step = row && player.replay.stepOf(row);
            if (step === undefined) refuse(say`This is given, no step derives it`);
            return this.#move(() => {
                player.jump(step);
                return { kind: 'step' };
            });
        },
    };

    async #load(launch: LaunchArguments): Promise<void> {
        const launched: Launched = {
            file: resolve(this.#options.currentFolder, launch.program),
            parameters: launch.parameters,
            ...(launch.seed !== undefined && { seed: launch.seed }),
        };
        const found = await loadDebuggee(launched, this.#options);
        if (!found.ok) {
            this.#tell(found.notices, found);
            refuse(say`${found.notices[0]?.message ?? ''}. The program has errors, which are told in the debug console`);
        }
        const { loaded, warnings } = found;
        this.#debuggee = { launch, launched, loaded, places: places(loaded, this.#counting) };
        this.#tell(warnings, loaded);
    }

    /** Evaluates the program and goes to where it first stops. */
    async #run(): Promise<void> {
        const { launch, launched, loaded } = this.#known();
        this.#player = undefined;
        const recorded = await recordRun(loaded, launched, this.#options, this.#host.isStopped);
        if (this.#host.isStopped()) return;
        this.#tell(recorded.notices, loaded);
        if (!recorded.ok) {
            this.#end(FAILED);
            return;
        }
        const isFine = !recorded.notices.some(({ severity }) => severity === 'error');
        const replay = new Replay(recorded.database, recorded);
        const { count, rounds } = replay;
        this.#output('console', say`${countText(count)} rows are derived, in ${countText(rounds.length)} rounds\n`);
        if (launch.noDebug) {
            this.#end(isFine ? FINE : FAILED);
            return;
        }
        this.#player = new Player(replay, { takePause: this.#host.takePause, log: (text, step) => this.#log(text, step) });
        for (const breakpoint of this.#activate().values()) this.#event('breakpoint', { reason: 'changed', breakpoint });
        const player = this.#player;
        this.#stopAt(launch.stopOnEntry || this.#host.takePause() ? { kind: 'start' } : player.begin());
    }

    #move(move: (player: Player) => Stop): { allThreadsContinued: true } {
        const player = this.#stopped();
        const { isAtEnd } = player;
        this.#afterwards = () => {
            const stop = move(player);
            // To continue at the end is to finish.
            if (isAtEnd && stop.kind === 'end') this.#end(FINE);
            else this.#stopAt(stop);
        };
        return { allThreadsContinued: true };
    }

    #stopAt(stop: Stop): void {
        const player = this.#stopped();
        if (stop.kind === 'end' && !this.#known().launch.stopAtEnd) {
            this.#end(FINE);
            return;
        }
        this.#lastStop = stop;
        this.#view = undefined;
        const hit = stop.kind === 'breakpoints' ? stop.hit.map(({ breakpoint }) => breakpoint) : [];
        const filter = hit.find(({ kind }) => kind === 'filter');
        this.#event('stopped', {
            ...stopReason(stop, hit),
            ...(filter !== undefined && { text: `${filter.name}: ${this.#stop().frame()?.name ?? ''}` }),
            threadId: THREAD,
            allThreadsStopped: true,
            ...(hit.length > 0 && { hitBreakpointIds: hit.map(({ id }) => id) }),
            ...(stop.kind === 'end' && { description: say`At the end: all ${countText(player.replay.count)} rows are there` }),
        });
    }

    #end(exitCode: number): void {
        this.#player = undefined;
        this.#event('exited', { exitCode });
        this.#event('terminated');
    }

    #setBreakpoints<T>(
        name: string,
        asked: readonly T[],
        make: (asked: T, id: number) => SetBreakpoint,
    ): { readonly breakpoints: DebugProtocol.Breakpoint[] } {
        const breakpoints = this.#breakpoints.set(name, asked, make);
        const refused = this.#activate();
        return { breakpoints: breakpoints.map(told => refused.get(told.id) ?? told) };
    }

    /** Makes the breakpoints those of the derivation, where there is one; gives those that cannot be. */
    #activate(): ReadonlyMap<number | undefined, DebugProtocol.Breakpoint> {
        const player = this.#player;
        if (player === undefined) return new Map();
        const { active, refused } = this.#breakpoints.activate(player.replay);
        player.breakpoints = active;
        return new Map(refused.map(told => [told.id, told]));
    }

    #stop(): StopView {
        const { replay, position } = this.#stopped();
        this.#view ??= new StopView(replay, position, this.#known().loaded, this.#known().places);
        return this.#view;
    }

    #threadName(): string {
        const player = this.#player;
        if (player === undefined) return say`Evaluation`;
        const { replay, position } = player;
        const round = replay.rounds[replay.roundAt(position)];
        if (round === undefined) return say`Derivation`;
        return say`Step ${countText(position + 1)} of ${countText(replay.count)}, stratum ${round.stratum + 1} of ${replay.strata}, round ${round.height}`;
    }

    #known(): Debuggee {
        return this.#debuggee ?? refuse(say`No program is launched yet`);
    }

    #stopped(): Player {
        return this.#player ?? refuse(say`There is nothing to go through`);
    }

    #log(text: string, step: number): void {
        const { rule } = this.#stopped().replay.step(step);
        this.#output('console', `${text}\n`, rule && this.#known().places.rangeOf(rule));
    }

    #tell(notices: readonly Notice[], { texts }: Pick<LoadedProgram, 'texts'>): void {
        for (const notice of notices) {
            const text = noticeText(notice, { colour: colourOf(false), width: TEXT_WIDTH, sources: texts });
            const place = notice.place && this.#debuggee?.places.ofNotice(notice.place);
            this.#output(notice.severity === 'error' ? 'stderr' : 'console', `${text}\n`, place);
        }
    }

    #output(category: 'console' | 'stderr', output: string, { source, line, column }: Partial<PlaceInSource> = {}): void {
        this.#event('output', { category, output, ...(source && { source, line, column }) });
    }

    #event(event: string, body?: object): void {
        this.#host.send({ seq: 0, type: 'event', event, ...(body !== undefined && { body }) });
    }
}
