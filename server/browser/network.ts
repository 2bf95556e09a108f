/** Answers about addresses, in the place of Node's `net` and `dns`: a browser opens no connections for programs. */
export function isIP(_text: string): 0 {
    return 0;
}

export function lookup(host: string): Promise<never> {
    return Promise.reject(new Error(`${host} is not looked up`));
}
