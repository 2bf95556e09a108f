export const WHITE = '#ffffff';
export const INK = '#1f2328';
export const MUTED = '#59636e';
export const STROKE = '#6e7781';
export const ACCENT = '#0969da';
export const GRID = '#d8dee4';
export const WORDS_FONT = 'system-ui, sans-serif';
export const CODE_FONT = 'ui-monospace, monospace';

/** Colours of a file by name: it is read on white, and printed, whatever the theme is. */
export const PAPER = {
    plain: INK,
    text: INK,
    muted: MUTED,
    line: STROKE,
    surface: WHITE,
    focus: ACCENT,
    cycle: ACCENT,
    wrong: '#cf222e',
    contrast: 'transparent',
    'chart-line': ACCENT,
    'chart-grid': GRID,
    'vscode-editor-background': WHITE,
    'vscode-editor-foreground': INK,
    'vscode-focusBorder': ACCENT,
    'vscode-badge-background': MUTED,
    'vscode-badge-foreground': WHITE,
    'vscode-contrastBorder': 'transparent',
} as const;
