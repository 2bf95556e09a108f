import { createHash } from 'node:crypto';
import { RunStopped } from '#engine/reports/reports.ts';
import { isFileType } from '#language/library/connected-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import type { SourceState } from '#server/protocol/run-process.ts';
import { type BoundFile, withFile } from './bound-file.ts';
import type { SourceAccess } from './connector.ts';
import { stampOfSource } from './connectors.ts';
import { boundFile } from './file-connector.ts';
import { sourceName } from './source-name.ts';

/** Bytes of a file that is read to its end for its digest. */
const CHEAP = 4 << 20;
const PIECE = 1 << 16;

/** The sources of some binds as they are now, each once. */
export async function sourceStates(binds: readonly Bind[], access: SourceAccess): Promise<SourceState[]> {
    const states = new Map<string, SourceState>();
    for (const bind of binds) {
        if (bind.direction === 'output') continue;
        const state = await sourceState(bind, access);
        states.set(state.name, states.get(state.name) ?? state);
    }
    return [...states.values()];
}

/** What a source is called, and what shows a change of it. */
export async function sourceState(bind: Bind, access: SourceAccess): Promise<SourceState> {
    const file = isFileType(bind.type) ? unlessStopped(() => boundFile(bind, access)) : undefined;
    const name = file?.shown ?? sourceName(bind);
    const stamp = await stampOfSource(bind, access);
    if (stamp === undefined) return { name };
    const bytes = /^\d+(?= \d+$)/u.exec(stamp)?.[0];
    if (bytes === undefined) return { name, stamp };
    const digest = file !== undefined && Number(bytes) <= CHEAP ? unlessStopped(() => digestOf(file)) : undefined;
    return { name, stamp, bytes: Number(bytes), ...(digest !== undefined && { digest }) };
}

function digestOf(file: BoundFile): string {
    return withFile(file, opened => {
        const hash = createHash('sha256');
        const piece = new Uint8Array(PIECE);
        for (let got = opened.read(piece); got > 0; got = opened.read(piece)) hash.update(piece.subarray(0, got));
        return hash.digest('hex');
    });
}

/** Nothing for a source that cannot be looked at, which the run itself reports. */
function unlessStopped<T>(look: () => T): T | undefined {
    try {
        return look();
    } catch (error) {
        if (error instanceof RunStopped) return undefined;
        throw error;
    }
}
