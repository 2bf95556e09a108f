/** A place in the grid. Row -1 is the header; columns count those that are shown. */
export interface Place {
    readonly row: number;
    readonly column: number;
}

/** The cells between a fixed corner and the one that has the focus. */
export interface Selection {
    readonly anchor: Place;
    readonly focus: Place;
}

export interface Extent {
    readonly rows: number;
    readonly columns: number;
    /** Rows that fit on the screen. */
    readonly page: number;
}

export interface KeyPress {
    readonly key: string;
    readonly shift: boolean;
    readonly control: boolean;
}

export const START: Selection = single({ row: 0, column: 0 });

export function single(place: Place): Selection {
    return { anchor: place, focus: place };
}

export function extended(selection: Selection, focus: Place): Selection {
    return { anchor: selection.anchor.row < 0 ? focus : selection.anchor, focus };
}

/** The selection among so many rows. */
export function withinRows({ anchor, focus }: Selection, rows: number): Selection {
    const last = Math.max(0, rows - 1);
    return { anchor: { ...anchor, row: Math.min(anchor.row, last) }, focus: { ...focus, row: Math.min(focus.row, last) } };
}

/** The selection after a key, or undefined when the key does not move it. */
export function moved(selection: Selection, press: KeyPress, extent: Extent): Selection | undefined {
    if (press.control && press.key.toLowerCase() === 'a') {
        return { anchor: { row: 0, column: 0 }, focus: { row: extent.rows - 1, column: extent.columns - 1 } };
    }
    if (press.shift && press.key === ' ') {
        const { row } = selection.focus;
        return row < 0 ? undefined : { anchor: { row, column: 0 }, focus: { row, column: extent.columns - 1 } };
    }
    if (press.control && press.key === ' ') {
        const { column } = selection.focus;
        return { anchor: { row: 0, column }, focus: { row: extent.rows - 1, column } };
    }
    const target = targetOf(selection.focus, press, extent);
    if (target === undefined) return undefined;
    const least = press.shift ? 0 : -1;
    const focus = {
        row: Math.min(Math.max(least, target.row), extent.rows - 1),
        column: Math.min(Math.max(0, target.column), extent.columns - 1),
    };
    return press.shift ? extended(selection, focus) : single(focus);
}

function targetOf({ row, column }: Place, { key, control }: KeyPress, extent: Extent): Place | undefined {
    switch (key) {
        case 'ArrowUp':
            return { row: control ? 0 : row - 1, column };
        case 'ArrowDown':
            return { row: control ? extent.rows - 1 : row + 1, column };
        case 'ArrowLeft':
            return { row, column: control ? 0 : column - 1 };
        case 'ArrowRight':
            return { row, column: control ? extent.columns - 1 : column + 1 };
        case 'PageUp':
            return { row: Math.max(0, row - extent.page), column };
        case 'PageDown':
            return { row: row + extent.page, column };
        case 'Home':
            return { row: control ? 0 : row, column: 0 };
        case 'End':
            return { row: control ? extent.rows - 1 : row, column: extent.columns - 1 };
        default:
            return undefined;
    }
}

export interface Area {
    readonly top: number;
    readonly bottom: number;
    readonly left: number;
    readonly right: number;
}

/** The selected cells; undefined while a header has the focus. */
export function areaOf({ anchor, focus }: Selection): Area | undefined {
    if (focus.row < 0) return undefined;
    return {
        top: Math.min(anchor.row, focus.row),
        bottom: Math.max(anchor.row, focus.row),
        left: Math.min(anchor.column, focus.column),
        right: Math.max(anchor.column, focus.column),
    };
}

export function covers(area: Area | undefined, row: number, column: number): boolean {
    return area !== undefined && row >= area.top && row <= area.bottom && column >= area.left && column <= area.right;
}
