/** Measures text as the grid draws it: cells in the editor's font, headers in that of the surface. */
export interface TextWidth {
    cell(text: string): number;
    header(name: string, type: string): number;
}

/** Longer texts are wider than any column is made at first. */
const MEASURED = 120;

export function textWidth(root: HTMLElement): TextWidth {
    const context = document.createElement('canvas').getContext('2d');
    const style = getComputedStyle(root);
    const fonts = {
        cell: fontOf(style.getPropertyValue('--grid-font'), style.fontSize),
        name: `600 ${fontOf(style.fontFamily, style.fontSize)}`,
        type: fontOf(style.fontFamily, style.fontSize),
    };
    const measure = (text: string, font: string): number => {
        if (context === null) return text.length * 8;
        context.font = font;
        return context.measureText(text.slice(0, MEASURED)).width;
    };
    return {
        cell: text => measure(text, fonts.cell),
        header: (name, type) => measure(name, fonts.name) + measure(type, fonts.type),
    };
}

function fontOf(family: string, size: string): string {
    return `${size.trim() || '13px'} ${family.trim() || 'monospace'}`;
}
