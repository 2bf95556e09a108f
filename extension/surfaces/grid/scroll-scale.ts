/** Browsers cut elements off at some ten million pixels; above this height a scroll position stands for several. */
export const LONGEST_SCROLL = 8_000_000;

/** Maps positions of a scroll bar to positions in rows that may be higher than a browser can scroll. */
export interface ScrollScale {
    /** Height of the element that is scrolled. */
    readonly height: number;
    readonly scaled: boolean;
    toContent(scroll: number): number;
    toScroll(content: number): number;
}

export function scrollScale(contentHeight: number, viewport: number): ScrollScale {
    const height = Math.min(contentHeight, LONGEST_SCROLL);
    const contentRange = Math.max(0, contentHeight - viewport);
    const scrollRange = Math.max(0, height - viewport);
    const factor = scrollRange === 0 ? 1 : contentRange / scrollRange;
    const clamp = (value: number, most: number): number => Math.min(Math.max(0, value), most);
    return {
        height,
        scaled: factor > 1,
        toContent: scroll => clamp(scroll * factor, contentRange),
        toScroll: content => clamp(content / factor, scrollRange),
    };
}
