// A client of the platform API that knows what its concepts must answer, and compares every answer with that.
import assert from 'node:assert/strict';

/** Runs until somebody ends it. */
export const ENDLESS = 'n(1). n(Y) :- n(X), Y = X + 1, X < 100000000000. endless(X) :- n(X). @output("endless").';
const NAMES = 4;
const MOST_ROWS = 120;
/** Milliseconds after which a client that cancels has gone at the latest. */
const LONGEST_CANCELLED = 600;

/** What a client does, and how often of a hundred times. */
const ACTIONS = { save: 24, run: 26, fetch: 22, list: 6, chat: 10, cancel: 6, vanish: 3, remove: 2, stop: 1 };
const LOTS = Object.entries(ACTIONS).flatMap(([name, share]) => Array(share).fill(name));

/** The services had no time until the load was over. */
export class GaveUp extends Error {}

/** Numbers from 0 to 1 that follow from a seed; mulberry32. */
export function randomFrom(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = Math.imul(state ^ (state >>> 15), state | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/**
 * A client with concepts of its own in a project that it shares with others. `counts` gathers how often what happened, by name. Once the load
 * is over it does not come back to services that are busy.
 */
export function soakClient({ id, project, server, random, counts, isOver }) {
    /** Concepts by name: the text that was saved, what it gives, and what is stored. */
    const concepts = new Map();
    const count = name => {
        counts[name] = (counts[name] ?? 0) + 1;
    };
    const below = n => Math.floor(random() * n);
    const nameOf = n => `c${id}_${n}`;

    const send = (method, path, body, signal) =>
        fetch(`${server.base}/api/v1${path}`, {
            method,
            headers: { authorization: `Bearer ${server.token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
            ...(body !== undefined && { body: JSON.stringify(body) }),
            ...(signal !== undefined && { signal }),
        });

    /** Asks until the services have time or the load is over, and gives status and body. */
    const ask = async (method, path, body, signal) => {
        for (;;) {
            const response = await send(method, path, body, signal);
            const answer = { status: response.status, body: await response.json() };
            const { code } = answer.body;
            if (response.status === 503 && code === 'engine_busy') {
                const after = Number(response.headers.get('retry-after'));
                assert(after >= 1, 'an answer engine_busy says when to come back');
                count('busy');
                if (isOver()) throw new GaveUp();
                await sleep(after * 1000 * (0.8 + random() / 2));
            } else if (response.status === 409 && code === 'evaluation_stopped') count('stopped');
            else {
                assert(response.status < 500, `${method} ${path} answered ${response.status} ${JSON.stringify(answer.body)}`);
                return answer;
            }
        }
    };
    const data = async (...question) => {
        const { status, body } = await ask(...question);
        assert.equal(status, 200, `${question[0]} ${question[1]} answered ${status} ${JSON.stringify(body)}`);
        return body.data;
    };

    const written = (name, round) => {
        const size = 1 + below(MOST_ROWS);
        const numbers = Array.from({ length: size }, (_, i) => i);
        switch (name === nameOf(0) ? below(2) : below(3)) {
            case 0:
                return {
                    text: numbers.map(i => `${name}(${i}, "${name} ${round} ${i}").`).join('\n'),
                    rows: () => numbers.map(i => [i, `${name} ${round} ${i}`]),
                };
            case 1:
                return {
                    text: `@param("factor", 3).\n${numbers.map(i => `aux(${i}).`).join(' ')}\n${name}(X, Y) :- aux(X), Y = X * ?factor + ${round}.\n@output("${name}").`,
                    rows: factor => numbers.map(i => [i, i * (factor ?? 3) + round]),
                };
            default:
                return {
                    text: `% ${round}\n${name}(X, Y) :- ${nameOf(0)}(X, Y), X > ${below(20)}.\n@output("${name}").`,
                    rows(factor) {
                        const least = Number(/X > (\d+)/u.exec(this.text)[1]);
                        return (concepts.get(nameOf(0))?.rows(factor) ?? []).filter(([x]) => x > least);
                    },
                };
        }
    };
    const one = () => [...concepts][below(concepts.size)];

    const actions = {
        async save(round) {
            const name = nameOf(below(NAMES));
            const concept = written(name, round);
            const saved = await data('POST', `/concepts/${project}/save`, { definition: concept.text, concept_name: name });
            assert.equal(saved.created, !concepts.has(name));
            concepts.set(name, Object.assign(concept, { stored: concepts.get(name)?.stored }));
        },
        async run() {
            const [name, concept] = one();
            const factor = random() < 0.5 ? undefined : below(50);
            const keeps = random() < 0.6;
            const rows = concept.rows(factor);
            const found = await data('POST', `/concepts/${project}/run/${name}`, {
                persist_outputs: keeps,
                force_rerun: random() < 0.7,
                ...(factor !== undefined && { params: { factor } }),
            });
            assert.deepEqual(found.results, rows);
            assert.equal(found.rows_processed, rows.length);
            if (keeps) concept.stored = rows;
        },
        async fetch() {
            const [name, { stored }] = one();
            const [page, size] = [1 + below(4), 1 + below(60)];
            const path = `/concepts/${project}/fetch?output_predicate=${name}&page=${page}&page_size=${size}`;
            if (stored === undefined) {
                const { status, body } = await ask('GET', path);
                assert.deepEqual([status, body.code], [404, 'results_not_found']);
                return;
            }
            const found = await data('GET', path);
            assert.deepEqual(found.rows, stored.slice((page - 1) * size, page * size));
            assert.equal(found.count, stored.length);
        },
        list: async () => checkTexts(await data('GET', `/concepts/${project}/list`)),
        async chat() {
            const response = await send('POST', `/agent/${project}/chat`, { message: 'hello', session_id: `s${id}` });
            if (response.status === 409) {
                assert.equal((await response.json()).code, 'session_busy');
                count('session busy');
                return;
            }
            assert.equal(response.status, 200);
            assert.match(response.headers.get('content-type'), /^application\/x-ndjson/u);
            const lines = await linesOf(response.body);
            assert.deepEqual(
                lines.map(line => line.type),
                ['metadata', 'error'],
            );
            assert.equal(lines[1].data.code, 'llm_not_configured');
        },
        /** Leaves while an evaluation runs or waits. */
        async cancel() {
            const leaving = AbortSignal.timeout(1 + below(LONGEST_CANCELLED));
            const left = ask('POST', '/rulelang/evaluate', { program: ENDLESS }, leaving);
            await assert.rejects(left, error => error instanceof GaveUp || error.name === 'TimeoutError' || error.name === 'AbortError');
        },
        /** Leaves in the middle of an answer. */
        async vanish() {
            const leaving = new AbortController();
            await send('GET', `/concepts/${project}/list`, undefined, leaving.signal);
            leaving.abort();
        },
        async remove() {
            const [name] = one();
            const found = await data('POST', `/concepts/${project}/cleanup`, { concept_names: [name] });
            assert.deepEqual(found, { deleted: [name], not_found: [] });
            concepts.delete(name);
        },
        stop: () => data('GET', '/rulelang/stop'),
    };

    const checkTexts = all => {
        const own = all.filter(({ concept_name: name }) => name.startsWith(`c${id}_`));
        const found = Object.fromEntries(own.map(({ concept_name: name, definition }) => [name, definition]));
        assert.deepEqual(found, Object.fromEntries([...concepts].map(([name, { text }]) => [name, text])));
    };

    return {
        /** One action, drawn by lot. */
        async act(round) {
            const name = concepts.size === 0 ? 'save' : LOTS[below(LOTS.length)];
            await actions[name](round);
            count(name);
        },
        /** Compares everything that is kept with everything that was answered. */
        async verify() {
            checkTexts(await data('GET', `/concepts/${project}/list`));
            for (const [name, { stored }] of concepts) {
                const { status, body } = await ask('GET', `/concepts/${project}/fetch?output_predicate=${name}&page_size=1000`);
                assert.equal(status, stored === undefined ? 404 : 200);
                if (stored !== undefined) assert.deepEqual(body.data.rows, stored);
            }
        },
    };
}

/** Every line of a stream, read piece by piece. */
async function linesOf(stream) {
    let text = '';
    const decoder = new TextDecoder();
    for await (const piece of stream) text += decoder.decode(piece, { stream: true });
    assert(text.endsWith('\n'), 'the last line is a whole one');
    return text
        .slice(0, -1)
        .split('\n')
        .map(line => JSON.parse(line));
}

export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
