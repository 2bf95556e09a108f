// Langium's generator calls Object.groupBy, which Node 20 lacks.
Object.groupBy ??= (items, keyOf) => {
    const groups = Object.create(null);
    for (const item of items) {
        const key = keyOf(item);
        groups[key] ??= [];
        groups[key].push(item);
    }
    return groups;
};
