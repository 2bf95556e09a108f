/** A drawing of a graph, whose nodes are groups of the class `node`. */
export interface SizedDrawing {
    readonly svg: SVGSVGElement;
    /** In the order of the graph. */
    readonly nodes: readonly SVGGElement[];
    readonly width: number;
    readonly height: number;
}

const ZOOMS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3] as const;

/** Keys that lead from a node to the one that lies there. */
export const DIRECTIONS = new Map([
    ['ArrowUp', 'up'],
    ['ArrowDown', 'down'],
    ['ArrowLeft', 'left'],
    ['ArrowRight', 'right'],
] as const);

export interface GraphZoom {
    by(steps: number): void;
    /** The largest zoom, up to the natural size, at which all is in sight. */
    fit(): void;
    /** Gives what is drawn now its size. */
    apply(): void;
}

/** How large the drawing of a canvas is; with a key for commands held, the wheel changes it. `applied` hears what is still possible. */
export function graphZoom(
    canvas: HTMLElement,
    drawn: () => SizedDrawing | undefined,
    applied: (can: { readonly shrink: boolean; readonly grow: boolean }) => void = () => undefined,
): GraphZoom {
    let zoom: number = ZOOMS.indexOf(1);
    const apply = (): void => {
        const drawing = drawn();
        if (drawing === undefined) return;
        const { svg, width, height } = drawing;
        const factor = ZOOMS[zoom] ?? 1;
        svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
        svg.setAttribute('width', String(Math.round(width * factor)));
        svg.setAttribute('height', String(Math.round(height * factor)));
        applied({ shrink: zoom > 0, grow: zoom < ZOOMS.length - 1 });
    };
    const by = (steps: number): void => {
        zoom = Math.max(0, Math.min(ZOOMS.length - 1, zoom + steps));
        apply();
    };
    canvas.addEventListener(
        'wheel',
        event => {
            if (!event.ctrlKey && !event.metaKey) return;
            event.preventDefault();
            by(event.deltaY < 0 ? 1 : -1);
        },
        { passive: false },
    );
    return {
        by,
        fit() {
            const drawing = drawn();
            if (drawing === undefined) return;
            const room = Math.min(canvas.clientWidth / drawing.width, canvas.clientHeight / drawing.height);
            const fitted = ZOOMS.findLastIndex(factor => factor <= Math.min(1, room));
            zoom = Math.max(0, fitted);
            apply();
        },
        apply,
    };
}

/** The node that an event is about. */
export function nodeAt(drawing: SizedDrawing | undefined, target: EventTarget | null): number | undefined {
    const group = target instanceof Element ? target.closest('.node') : null;
    const index = group === null ? -1 : (drawing?.nodes.indexOf(group as SVGGElement) ?? -1);
    return index < 0 ? undefined : index;
}

/** Emphasises a node and its neighbours, or none if undefined. `mark` is called for each edge, with whether it is near. */
export function emphasizing(
    { svg, nodes }: Pick<SizedDrawing, 'svg' | 'nodes'>,
    edges: readonly { readonly from: number; readonly to: number }[],
    mark: (edge: number, isNear: boolean) => void,
): (chosen: number | undefined) => void {
    return chosen => {
        svg.classList.toggle('emphasized', chosen !== undefined);
        const near = new Set<number>(chosen === undefined ? [] : [chosen]);
        for (const [i, { from, to }] of edges.entries()) {
            const isNear = from === chosen || to === chosen;
            mark(i, isNear);
            if (isNear) near.add(from).add(to);
        }
        for (const [i, node] of nodes.entries()) node.classList.toggle('near', near.has(i));
    };
}
