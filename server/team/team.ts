import { Worker } from 'node:worker_threads';
import type { RunTeam } from '#engine/contracts/team.ts';
import { followBlocks } from '#engine/evaluate/follow-sources.ts';
import { RunStopped, report } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { sharedBlocks } from './shared-blocks.ts';
import type { BlockDone, Task } from './tasks.ts';

/** Threads that help the one that does a run. They start with the first task, and end with the run. */
export interface Team extends RunTeam {
    /** How many they are. */
    readonly size: number;
    /**
     * Gives each of them the same task; `hear` gets what they answer, with their numbers from 1 on. The promise is settled when all are done; one that
     * dies ends the run with RT032.
     */
    perform(task: Task, hear: (thread: number, done: BlockDone) => void): Promise<void>;
    end(): void;
}

/** A megabyte is too little for the stack of deep values. */
const STACK_MEGABYTES = 16;

/** A team for a run with so many threads in all; undefined where it would be alone. */
export function teamOf(threads: number): Team | undefined {
    if (threads < 2) return undefined;
    let members: readonly Worker[] | undefined;
    const start = (): readonly Worker[] => {
        members ??= Array.from({ length: threads - 1 }, () => {
            const file = new URL('./team-member.js', import.meta.url);
            const worker = new Worker(file, { resourceLimits: { stackSizeMb: STACK_MEGABYTES } });
            worker.unref();
            return worker;
        });
        return members;
    };
    const team: Team = {
        size: threads - 1,
        perform: async (task, hear) => {
            await Promise.all(start().map((worker, i) => performed(worker, task, done => hear(i + 1, done))));
        },
        follow: (work, own) => sharedBlocks(team, { kind: 'follow', work }, [0, followBlocks(work)], own),
        end: () => {
            for (const worker of members ?? []) void worker.terminate();
            members = undefined;
        },
    };
    return team;
}

function performed(worker: Worker, task: Task, hear: (done: BlockDone) => void): Promise<void> {
    return new Promise((resolve, reject) => {
        const end = (): void => {
            worker.unref();
            worker.off('message', take).off('error', fail).off('exit', leave);
        };
        const take = (sent: BlockDone | 'done'): void => {
            if (sent !== 'done') {
                hear(sent);
                return;
            }
            end();
            resolve();
        };
        const fail = (error: Error): void => {
            end();
            reject(deathOf(error.message));
        };
        const leave = (code: number): void => fail(new Error(say`it ended with ${code}`));
        worker.on('message', take).on('error', fail).on('exit', leave);
        // The process waits for what is being done.
        worker.ref();
        worker.postMessage(task);
    });
}

function deathOf(reason: string): RunStopped {
    return new RunStopped(report('RT032', {}, say`the end of one of its threads (${reason}); with --threads 1 it needs no other one`));
}
