/** Pictures of 16 by 16 units, drawn as strokes in the colour of the text. */
const PATHS = {
    search: 'M6.8 2.5a4.3 4.3 0 1 1 0 8.6 4.3 4.3 0 0 1 0-8.6M10 10l3.8 3.8',
    filter: 'M2.5 3.5h11L9.4 8.4v4.1l-2.8 1V8.4z',
    columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
    export: 'M8 2.5v7M5.2 6.9 8 9.7l2.8-2.8M2.5 10.5v3h11v-3',
    copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
    chart: 'M2.5 2.5v11h11M5.5 11V8M8.5 11V5M11.5 11V7',
    picture: 'M2.5 3h11v10h-11zM2.5 11.2l3.4-3.6 3 3.2 1.6-1.7 3 3.1M10.6 6h.1',
    keys: 'M1.5 4h13v8h-13zM4 6.6h.1M6.6 6.6h.1M9.3 6.6h.1M12 6.6h.1M4.6 9.6h6.8',
    close: 'm3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4',
    again: 'M13 8a5 5 0 1 1-1.5-3.6M13.2 2.4v2.7h-2.7',
    stop: 'M4 4h8v8H4z',
    ascending: 'M8 13V3.2M4.6 6.4 8 3l3.4 3.4',
    descending: 'M8 3v9.8M4.6 9.6 8 13l3.4-3.4',
    list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
    back: 'm10.5 3.5-4.5 4.5 4.5 4.5',
    open: 'm5.5 3.5 4.5 4.5-4.5 4.5',
    error: 'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
    warning: 'M8 2.2 14.4 13.5H1.6zM8 6.4v3.4M8 11.4v.2',
    information: 'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9M8 7.2v3.8M8 4.9v.2',
    empty: 'M2.5 9.5 4.6 3.5h6.8l2.1 6M2.5 9.5v3.5h11V9.5h-3.3l-.9 1.7H6.7l-.9-1.7z',
    live: 'M8 6.6a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.8M5.2 5.2a4 4 0 0 0 0 5.6M10.8 5.2a4 4 0 0 1 0 5.6M3.2 3.2a6.8 6.8 0 0 0 0 9.6M12.8 3.2a6.8 6.8 0 0 1 0 9.6',
    broken: 'M8.6 1.6 4 8.8h3.4l-.6 5.6L12 6.8H8.4z',
    ask: 'M8 1.9a6.1 6.1 0 1 1 0 12.2A6.1 6.1 0 0 1 8 1.9M6.1 6.3a1.9 1.9 0 1 1 2.6 1.8c-.5.2-.7.6-.7 1.2M8 11.4v.2',
    lock: 'M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5',
    explain: 'M2.5 3.5h5M4.5 3.5v9h4M4.5 8h4M10.5 8h3M10.5 12.5h3',
    talk: 'M2.5 3.2h11v7.6H8l-3 2.7v-2.7H2.5z',
    chevron: 'm4 6 4 4 4-4',
    add: 'M8 3v10M3 8h10',
    send: 'M8 13V3.2M4.2 7 8 3.2 11.8 7',
    more: 'M3.2 8h.1M7.95 8h.1M12.7 8h.1',
    attach: 'M12.6 7.2 8 11.8a2.9 2.9 0 0 1-4.1-4.1l5-5a2 2 0 0 1 2.8 2.8l-5 5a1 1 0 0 1-1.4-1.4l4.3-4.3',
    undo: 'M3 6h7a3.5 3.5 0 0 1 0 7H6M5.5 3.5 3 6l2.5 2.5',
    link: 'm6.2 9.8 3.6-3.6M7.2 4.8l1.3-1.3a2.8 2.8 0 0 1 4 4l-1.3 1.3M8.8 11.2l-1.3 1.3a2.8 2.8 0 0 1-4-4l1.3-1.3',
    settings: 'M2.5 5h6M11.5 5h2M8.5 3.2v3.6h3V3.2zM2.5 11h2M7.5 11h6M4.5 9.2v3.6h3V9.2z',
    data: 'M2.5 4c0-2.2 11-2.2 11 0v8c0 2.2-11 2.2-11 0zM2.5 4c0 2.2 11 2.2 11 0M2.5 8c0 2.2 11 2.2 11 0',
    check: 'm3.2 8.4 3.1 3.1 6.5-7',
} as const;

export type IconName = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGSVGElement {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', '0 0 16 16');
    svg.setAttribute('class', `icon icon-${name}`);
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', PATHS[name]);
    svg.append(path);
    return svg;
}
