/** Keeps all files of the page from the first visit on, so that it needs no network later. A newer page is taken once no tab shows this one. */

declare const PLAYGROUND_FILES: readonly string[];
/** Prefixes of the paths of files that are kept once they are used. */
declare const PLAYGROUND_USED_LATER: string;
declare const PLAYGROUND_VERSION: string;

const PREFIX = 'rulelang-playground-';
const NAME = PREFIX + PLAYGROUND_VERSION;
const START = 'index.html';
const FOLDER = new URL('.', location.href).href;
const USED_LATER = new RegExp(PLAYGROUND_USED_LATER, 'u');

/** The part of a service worker's events that TypeScript's types of pages lack. */
interface Lasting extends Event {
    waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Event {
    readonly request: Request;
    respondWith(answer: Promise<Response>): void;
}
const worker = globalThis as unknown as EventTarget & { readonly clients: { claim(): Promise<void> } };

worker.addEventListener('install', event => {
    // The browser may have older files of the same names.
    const requests = PLAYGROUND_FILES.map(file => new Request(file, { cache: 'no-cache' }));
    (event as Lasting).waitUntil(caches.open(NAME).then(cache => cache.addAll(requests)));
});

worker.addEventListener('activate', event => {
    const forget = async (): Promise<void> => {
        const names = await caches.keys();
        await Promise.all(names.filter(name => name.startsWith(PREFIX) && name !== NAME).map(name => caches.delete(name)));
        await worker.clients.claim();
    };
    (event as Lasting).waitUntil(forget());
});

worker.addEventListener('fetch', event => {
    const fetching = event as Fetching;
    if (fetching.request.method === 'GET') fetching.respondWith(answerTo(fetching.request));
});

async function answerTo(request: Request): Promise<Response> {
    const cache = await caches.open(NAME);
    const { origin, pathname } = new URL(request.url);
    const file = origin + (pathname.endsWith('/') ? pathname + START : pathname);
    const kept = await cache.match(file);
    if (kept !== undefined) return kept;
    const answer = await fetch(request);
    const isOwn = file.startsWith(FOLDER) && USED_LATER.test(file.slice(FOLDER.length));
    if (isOwn && answer.ok) await cache.put(file, answer.clone());
    return answer;
}
