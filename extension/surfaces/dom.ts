type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

/** An element with attributes and children. Text becomes text nodes: nothing is ever parsed as markup. */
export function element<T extends keyof HTMLElementTagNameMap>(
    tag: T,
    attributes: Attributes = {},
    ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
    const made = document.createElement(tag);
    setAttributes(made, attributes);
    made.append(...children.filter(child => child !== undefined));
    return made;
}

/** `true` sets an empty attribute; `false` and `undefined` remove it. ARIA states are written as words. */
export function setAttributes(target: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || (value === false && !name.startsWith('aria-'))) target.removeAttribute(name);
        else target.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
    }
}

/** A button with a picture, a name for screen readers and a tooltip. */
export function iconButton(icon: SVGElement, label: string, action: () => void, attributes: Attributes = {}): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'icon-button', 'aria-label': label, title: label, ...attributes }, icon);
    button.addEventListener('click', action);
    return button;
}

/** Calls an action once, when a quiet time has passed since the last call. */
export function debounced(milliseconds: number, action: () => void): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return () => {
        clearTimeout(timer);
        timer = setTimeout(action, milliseconds);
    };
}
