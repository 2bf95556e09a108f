import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Replay } from '#engine/explain/replay.ts';
import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { LoadedProgram } from '#server/runs/load-program.ts';
import { type Frame, framesOf } from './frames.ts';
import type { Places } from './places.ts';
import { answer } from './questions.ts';
import { Inspection } from './variables.ts';

/** The state before a step is made, or after all of them, for the client to look at. Frames and values are numbered anew at each stop. */
export class StopView {
    readonly #replay: Replay;
    readonly #step: number;
    readonly #loaded: LoadedProgram;
    readonly #places: Places;
    readonly #inspection: Inspection;
    /** The frames that the client has asked for so far, and the others. */
    readonly #found: Frame[] = [];
    readonly #more: Iterator<Frame>;

    constructor(replay: Replay, step: number, loaded: LoadedProgram, places: Places) {
        this.#replay = replay;
        this.#step = step;
        this.#loaded = loaded;
        this.#places = places;
        this.#inspection = new Inspection(replay, step);
        this.#more = framesOf(replay, step, places)[Symbol.iterator]();
    }

    /** Frames of the call stack; all of them where `levels` is 0. */
    stack(startFrame: number, levels: number): DebugProtocol.StackTraceResponse['body'] {
        if (this.#step >= this.#replay.count) {
            const { file, source } = this.#loaded;
            const { length } = source.text;
            const name = say`the end: ${countText(this.#replay.count)} rows are derived`;
            const frame = { id: 1, name, ...this.#places.ofNotice({ file, start: length, end: length }) };
            return { stackFrames: startFrame > 0 ? [] : [frame], totalFrames: 1 };
        }
        const end = levels > 0 ? startFrame + levels : Number.POSITIVE_INFINITY;
        const isAll = this.#findFrames(end);
        const stackFrames = this.#found.slice(startFrame, end).map(
            ({ name, place, isBase, node }, index): DebugProtocol.StackFrame => ({
                id: startFrame + index + 1,
                name,
                line: 0,
                column: 0,
                ...place,
                canRestart: node !== undefined && !isBase,
                ...(isBase && { presentationHint: 'subtle' }),
            }),
        );
        return { stackFrames, totalFrames: this.#found.length + (isAll ? 0 : 1) };
    }

    /** A frame by its number, else the first one. */
    frame(id = 1): Frame | undefined {
        this.#findFrames(id);
        return this.#found[id - 1];
    }

    scopes(frame: number): DebugProtocol.Scope[] {
        return this.#inspection.scopes(this.frame(frame));
    }

    variables(asked: DebugProtocol.VariablesArguments): DebugProtocol.Variable[] {
        return this.#inspection.variables(asked);
    }

    evaluate(expression: string, frame: number | undefined): DebugProtocol.EvaluateResponse['body'] {
        const found = answer(this.#replay, expression, { step: this.#step, match: this.frame(frame)?.match });
        if (found.kind === 'value') return { result: found.text, variablesReference: 0 };
        const { value, ...rows } = this.#inspection.rows(found.predicate, found.count, found.at);
        return { result: value, ...rows };
    }

    /** Looks for so many frames; tells whether there are no others. */
    #findFrames(count: number): boolean {
        while (this.#found.length < count) {
            const next = this.#more.next();
            if (next.done === true) return true;
            this.#found.push(next.value);
        }
        return false;
    }
}
