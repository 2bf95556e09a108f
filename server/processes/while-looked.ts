/** Milliseconds between two looks at whether the work has to end. */
const LOOK = 100;

/** Gives work up where `look` says that it has to end, by an error. */
export async function whileLooked<T>(look: () => void, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<never>((_, reject) => {
        timer = setInterval(() => {
            try {
                look();
            } catch (error) {
                reject(error);
            }
        }, LOOK);
    });
    try {
        return await Promise.race([work(controller.signal), ended]);
    } finally {
        clearInterval(timer);
        controller.abort();
    }
}
