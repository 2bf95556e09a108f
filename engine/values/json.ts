/** JSON as it is written: numbers keep their digits, and names in objects their order and repetitions. */
export type Json =
    | { readonly kind: 'null' }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'number' | 'string'; readonly text: string }
    | { readonly kind: 'array'; readonly items: readonly Json[] }
    | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Json> };

const DEEPEST = 64;

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Reads a JSON text (RFC 8259), nested at most 64 deep; undefined where it is none. */
export function readJson(text: string): Json | undefined {
    const reader = new JsonReader(text);
    const value = reader.value(0);
    return value !== undefined && reader.isAtEnd() ? value : undefined;
}

class JsonReader {
    readonly #text: string;
    #at = 0;

    constructor(text: string) {
        this.#text = text;
    }

    isAtEnd(): boolean {
        this.#take(SPACE);
        return this.#at === this.#text.length;
    }

    value(depth: number): Json | undefined {
        this.#take(SPACE);
        switch (this.#text[this.#at]) {
            case undefined:
                return undefined;
            case '[':
                return depth === DEEPEST ? undefined : this.#array(depth);
            case '{':
                return depth === DEEPEST ? undefined : this.#object(depth);
            case '"': {
                const text = this.#string();
                return text === undefined ? undefined : { kind: 'string', text };
            }
            case 't':
            case 'f':
            case 'n': {
                const word = this.#take(WORD);
                if (word === undefined) return undefined;
                return word === 'null' ? { kind: 'null' } : { kind: 'boolean', value: word === 'true' };
            }
            default: {
                const text = this.#take(NUMBER);
                return text === undefined ? undefined : { kind: 'number', text };
            }
        }
    }

    #array(depth: number): Json | undefined {
        const items: Json[] = [];
        this.#at++;
        if (this.#takeSign(']')) return { kind: 'array', items };
        do {
            const item = this.value(depth + 1);
            if (item === undefined) return undefined;
            items.push(item);
        } while (this.#takeSign(','));
        return this.#takeSign(']') ? { kind: 'array', items } : undefined;
    }

    /** The last of several members with one name counts. */
    #object(depth: number): Json | undefined {
        const members = new Map<string, Json>();
        this.#at++;
        if (this.#takeSign('}')) return { kind: 'object', members };
        do {
            this.#take(SPACE);
            const name = this.#string();
            const value = name === undefined || !this.#takeSign(':') ? undefined : this.value(depth + 1);
            if (name === undefined || value === undefined) return undefined;
            members.set(name, value);
        } while (this.#takeSign(','));
        return this.#takeSign('}') ? { kind: 'object', members } : undefined;
    }

    #string(): string | undefined {
        const start = this.#at;
        if (this.#text[start] !== '"') return undefined;
        let end = start + 1;
        while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
        this.#at = end + 1;
        try {
            return JSON.parse(this.#text.slice(start, end + 1)) as string;
        } catch {
            return undefined;
        }
    }

    #takeSign(sign: string): boolean {
        this.#take(SPACE);
        if (this.#text[this.#at] !== sign) return false;
        this.#at++;
        return true;
    }

    #take(form: RegExp): string | undefined {
        form.lastIndex = this.#at;
        const [found] = form.exec(this.#text) ?? [];
        this.#at += found?.length ?? 0;
        return found;
    }
}
