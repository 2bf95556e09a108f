const SVG = 'http://www.w3.org/2000/svg';

/** An element of a drawing with its attributes. */
export function svgElement<T extends keyof SVGElementTagNameMap>(
    tag: T,
    attributes: Readonly<Record<string, string | number>> = {},
): SVGElementTagNameMap[T] {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    return made;
}

/** The end of an edge, drawn in a square of ten by ten where the edge comes to at the middle of the right side. */
export function svgMarker(attributes: Readonly<Record<string, string>>, path: Readonly<Record<string, string>>): SVGMarkerElement {
    const box = {
        viewBox: '0 0 10 10',
        refX: 9.5,
        refY: 5,
        markerWidth: 9,
        markerHeight: 9,
        markerUnits: 'userSpaceOnUse',
        orient: 'auto',
    };
    const marker = svgElement('marker', { ...attributes, ...box });
    marker.append(svgElement('path', path));
    return marker;
}

/** A title for the element around it. */
export function svgTitle(text: string): SVGTitleElement {
    const title = svgElement('title');
    title.append(text);
    return title;
}
