/** Columns of the grid that tiles stand in. */
export const COLUMNS = 12;
/** Rows that a tile is high at most. */
const TALLEST = 40;
/** Columns and rows that a tile has at least. */
const LEAST = { width: 2, height: 1 } as const;

/** A place in columns and rows from the upper left, zero-based. */
export interface Area {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
}

interface Standing extends Area {
    readonly id: string;
}

/** A step of the keyboard. */
export type Step = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'lower' | 'higher';

/** The area within the grid that is nearest. */
export function within({ x, y, width, height }: Area): Area {
    const fitting = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, Math.round(value) || 0));
    const columns = fitting(width, LEAST.width, COLUMNS);
    return {
        x: fitting(x, 0, COLUMNS - columns),
        y: Math.max(0, Math.round(y) || 0),
        width: columns,
        height: fitting(height, LEAST.height, TALLEST),
    };
}

/** All of them without overlaps, each as far up as those before it let it: from above, then from the left. */
export function packed<T extends Standing>(tiles: readonly T[]): T[] {
    return inOrder(tiles, (one, other) => one.y - other.y || one.x - other.x);
}

/** A tile somewhere else; those that it meets make room below it. */
export function movedTo<T extends Standing>(tiles: readonly T[], id: string, area: Area): T[] {
    const to = within(area);
    const moved = tiles.map(tile => (tile.id === id ? { ...tile, ...to } : tile));
    const first = ({ id: of }: Standing): number => (of === id ? 0 : 1);
    return inOrder(moved, (one, other) => one.y - other.y || first(one) - first(other) || one.x - other.x);
}

/** A tile a step further, or as it is where there is no way. Up and down it changes places with what stands there. */
export function stepped<T extends Standing>(tiles: readonly T[], id: string, step: Step): T[] {
    const tile = tiles.find(one => one.id === id);
    if (tile === undefined) return [...tiles];
    const { x, y, width, height } = tile;
    switch (step) {
        case 'left':
            return movedTo(tiles, id, { ...tile, x: x - 1 });
        case 'right':
            return movedTo(tiles, id, { ...tile, x: x + 1 });
        case 'narrower':
            return movedTo(tiles, id, { ...tile, width: width - 1 });
        case 'wider':
            return movedTo(tiles, id, { ...tile, width: width + 1, x: Math.min(x, COLUMNS - Math.min(COLUMNS, width + 1)) });
        case 'lower':
            return movedTo(tiles, id, { ...tile, height: height - 1 });
        case 'higher':
            return movedTo(tiles, id, { ...tile, height: height + 1 });
        case 'up': {
            const above = Math.max(-1, ...tiles.filter(one => one !== tile && meet(one, tile) && one.y < y).map(one => one.y));
            return above < 0 ? [...tiles] : movedTo(tiles, id, { ...tile, y: above });
        }
        case 'down': {
            const below = tiles.filter(one => one !== tile && meet(one, tile) && one.y > y).sort((one, other) => one.y - other.y)[0];
            if (below === undefined) return [...tiles];
            return inOrder(
                tiles.map(one => (one === tile ? { ...one, y: below.y } : one)),
                (one, other) => one.y - other.y || Number(one.id === id) - Number(other.id === id) || one.x - other.x,
            );
        }
    }
}

/** Below all of them. */
export function below(tiles: readonly Area[]): number {
    return tiles.reduce((end, { y, height }) => Math.max(end, y + height), 0);
}

/** They stand in some of the same columns. */
function meet(one: Area, other: Area): boolean {
    return one.x < other.x + other.width && other.x < one.x + one.width;
}

function overlap(one: Area, other: Area): boolean {
    return meet(one, other) && one.y < other.y + other.height && other.y < one.y + one.height;
}

function inOrder<T extends Standing>(tiles: readonly T[], compare: (one: T, other: T) => number): T[] {
    const placed: T[] = [];
    for (const tile of tiles.toSorted(compare)) {
        const ends = [0, ...placed.map(({ y, height }) => y + height)].sort((one, other) => one - other);
        const free = ends.find(y => placed.every(other => !overlap({ ...tile, y }, other))) ?? below(placed);
        placed.push({ ...tile, y: free });
    }
    return placed.sort((one, other) => one.y - other.y || one.x - other.x);
}
