import { scrollScale } from './scroll-scale.ts';

/** Scrolls a grid by pixels of its rows, of which there may be more than a browser scrolls. */
export interface GridScroll {
    /** Position of the first seen pixel among all rows. */
    readonly top: number;
    /** Height of the room for rows. */
    readonly room: number;
    /** Height of the element that is scrolled. */
    readonly height: number;
    moveTo(position: number): void;
    /** Scrolls to the rows between two positions if they are not in sight. */
    reveal(from: number, to: number): void;
    /** Takes over where the user has scrolled to. */
    follow(): void;
    /** Scrolls to `top` again if the height has changed. */
    settle(): void;
}

/** `content` is the height of all rows, `head` that of the header. */
export function createGridScroll(root: HTMLElement, content: () => number, head: () => number): GridScroll {
    let top = 0;
    /** The scroll position that was set last, which tells movements of the user apart. */
    let set = 0;
    const room = (): number => Math.max(0, root.clientHeight - head());
    const scale = () => scrollScale(content(), room());
    const moveTo = (position: number): void => {
        const { toScroll } = scale();
        top = Math.min(Math.max(0, position), Math.max(0, content() - room()));
        root.scrollTop = toScroll(top);
        set = root.scrollTop;
    };
    return {
        get top() {
            return top;
        },
        get room() {
            return room();
        },
        get height() {
            return scale().height;
        },
        moveTo,
        reveal(from, to) {
            if (from < top) moveTo(from);
            else if (to > top + room()) moveTo(to - room());
        },
        follow() {
            if (Math.abs(root.scrollTop - set) < 1) return;
            set = root.scrollTop;
            top = scale().toContent(root.scrollTop);
        },
        settle() {
            if (Math.abs(scale().toScroll(top) - root.scrollTop) > 1) moveTo(top);
        },
    };
}

/** Scrolls by the wheel where a browser would scroll too far. */
export function takeWheel(
    root: HTMLElement,
    scroll: GridScroll,
    rowHeight: () => number,
    content: () => number,
    scrolled: () => void,
): void {
    root.addEventListener(
        'wheel',
        event => {
            const { scaled } = scrollScale(content(), scroll.room);
            if (!scaled || event.deltaY === 0 || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? rowHeight() : event.deltaMode === 2 ? scroll.room : 1;
            scroll.moveTo(scroll.top + event.deltaY * unit);
            scrolled();
        },
        { passive: false },
    );
}
