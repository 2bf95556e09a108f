/** Whether two values are the same throughout, in the place of Node's: plain data, maps and sets, which are compared in their order. */
export function isDeepStrictEqual(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
    if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
    if (isIterable(one) && isIterable(other)) return sameLists([...one], [...other]);
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    return names.every(name => Object.hasOwn(other, name) && isDeepStrictEqual(Reflect.get(one, name), Reflect.get(other, name)));
}

function isIterable(value: object): value is Iterable<unknown> {
    return Symbol.iterator in value;
}

function sameLists(one: readonly unknown[], other: readonly unknown[]): boolean {
    return one.length === other.length && one.every((value, i) => isDeepStrictEqual(value, other[i]));
}
