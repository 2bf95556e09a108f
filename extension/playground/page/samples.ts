import { isText, listOf, type Of, object } from '#server/protocol/shape.ts';

const isSample = object({
    name: isText,
    /** Its subject, in a sentence. */
    about: isText,
    /** The path of the program among its files. */
    program: isText,
    files: listOf(isText),
});
export type Sample = Of<typeof isSample>;
const areSamples = listOf(isSample);

/** Lists the programs that come with the page, the first one for beginners. */
export async function listSamples(): Promise<readonly Sample[]> {
    const listed: unknown = await (await fetched('samples.json')).json();
    if (!areSamples(listed)) throw new Error('samples.json');
    return listed;
}

export function sampleFiles({ name, files }: Sample): Promise<readonly (readonly [path: string, bytes: Uint8Array])[]> {
    return Promise.all(
        files.map(async path => [path, new Uint8Array(await (await fetched(`samples/${name}${path}`)).arrayBuffer())] as const),
    );
}

async function fetched(address: string): Promise<Response> {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return answer;
}
