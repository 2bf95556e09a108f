import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { isSession, type Session, type SessionStore } from '#extension/surfaces/agent/agent-chat.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { jsonOf } from '#server/protocol/json-text.ts';

/** Bytes of a conversation that are kept; of a longer one the last turns. */
const LONGEST = 2 * 1024 * 1024;
const ENDING = '.json';

/** Keeps the conversations about one project in files that their owner alone reads; `place` tells one project from all others. */
export function sessionFiles(root: string, place: string): SessionStore {
    const folder = join(root, digest(place));
    const pathOf = (id: string): string => join(folder, `${digest(id)}${ENDING}`);
    return {
        async load() {
            if (!fs.existsSync(folder)) return [];
            return fs
                .readdirSync(folder)
                .filter(name => name.endsWith(ENDING))
                .flatMap(name => readSession(join(folder, name)) ?? []);
        },
        save(session) {
            if (session.turns.length === 0) {
                fs.rmSync(pathOf(session.id), { force: true });
                return;
            }
            fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
            fs.chmodSync(folder, 0o700);
            const path = pathOf(session.id);
            fs.writeFileSync(`${path}.new`, shortened(session), { mode: 0o600 });
            fs.renameSync(`${path}.new`, path);
        },
        remove: id => fs.rmSync(pathOf(id), { force: true }),
    };
}

function digest(text: string): string {
    return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Passes over a file that is not a conversation, such as one of another version. */
function readSession(path: string): Session | undefined {
    try {
        const read = exactJson(fs.readFileSync(path, 'utf8'));
        return isSession(read) ? read : undefined;
    } catch {
        return undefined;
    }
}

function shortened(session: Session): string {
    for (let { turns } = session; ; turns = turns.slice(Math.ceil(turns.length / 4))) {
        const text = jsonOf({ ...session, turns });
        if (Buffer.byteLength(text) <= LONGEST || turns.length <= 1) return text;
    }
}
