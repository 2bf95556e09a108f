import { dataSourceNamed } from '#language/library/data-sources.ts';
import type { Bind } from '#language/program/analysed-program.ts';

/** What leads to a source: an address stands for all of it, and does not lead a bind elsewhere that says some of it. */
const PLACE = ['url', 'host', 'port', 'database'];
/** What would make another bind of it. */
const OF_BINDS = new Set(['query', 'protocol']);

/** The bind with what is set for its type, by `type.option`, where it does not say it itself. Passwords are no such options. */
export function withDefaults(bind: Bind, defaults: ReadonlyMap<string, string> = new Map()): Bind {
    if (defaults.size === 0) return bind;
    const { type, outer } = bind;
    const hasPlace = PLACE.some(key => bind.options.has(key));
    const options = new Map(bind.options);
    for (const { key, secret } of dataSourceNamed(type)?.options.values() ?? []) {
        const value = defaults.get(`${type}.${key}`);
        const isOwn =
            options.has(key) || secret || OF_BINDS.has(key) || (key === 'url' && hasPlace) || (key === 'database' && outer !== '');
        if (value !== undefined && !isOwn)
            options.set(
                key,
                value.replaceAll('${', () => '$${'),
            );
    }
    return { ...bind, options };
}
