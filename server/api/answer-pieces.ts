import { jsonOf, jsonPieces } from '#server/protocol/json-text.ts';
import { KIBIBYTE } from '#server/protocol/platform/schema.ts';
import { portable } from '#server/protocol/portable.ts';
import { forViewer } from '#server/secrets/for-viewer.ts';
import { Turn } from '#server/store/turn.ts';
import type { Tools } from './tools.ts';
import type { Asker } from './workers.ts';

/** Characters in which secrets are looked for at once; of more, another process does it. */
const SHORT = 16 * KIBIBYTE;

/** An answer as JSON for a caller: a text where it is short, else pieces of one, between which others get their turn. */
export async function answerPieces(data: unknown, asker: Asker, tools: Tools): Promise<string | AsyncIterable<string>> {
    const pieces = jsonPieces(data)[Symbol.iterator]();
    const first = String(pieces.next().value);
    const isWhole = pieces.next().done === true;
    if (asker.caller.role !== 'viewer') return isWhole ? first : inTurns(jsonPieces(data));
    if (isWhole && first.length <= SHORT) return jsonOf(forViewer(data));
    if (!Array.isArray(data)) return await maskedElsewhere(data, asker, tools);
    const shown: string[] = [];
    const turn = new Turn();
    for (const element of data) {
        const json = jsonOf(element);
        shown.push(json.length <= SHORT ? jsonOf(forViewer(element)) : await maskedElsewhere(element, asker, tools));
        if (turn.isOver) await turn.next();
    }
    return inTurns(shown.map((json, i) => `${i === 0 ? '[' : ','}${json}${i === shown.length - 1 ? ']' : ''}`));
}

async function maskedElsewhere(value: unknown, asker: Asker, tools: Tools): Promise<string> {
    const answer = await tools.ask({ kind: 'mask', value: portable(value) }, asker);
    if (answer.kind !== 'json') throw new TypeError(`an answer was answered with ${answer.kind}`);
    return answer.text;
}

async function* inTurns(pieces: Iterable<string>): AsyncIterable<string> {
    const turn = new Turn();
    for (const piece of pieces) {
        yield piece;
        if (turn.isOver) await turn.next();
    }
}
