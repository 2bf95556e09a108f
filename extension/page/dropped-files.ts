/** Takes files that are dropped on a surface, which shows while they are above it that it takes them. */
export function takeDropped(surface: HTMLElement, dropped: (files: readonly File[]) => void): void {
    const isOfFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    const mark = (isOver: boolean): void => void surface.classList.toggle('drop-here', isOver);
    surface.addEventListener('dragover', event => {
        if (!isOfFiles(event)) return;
        event.preventDefault();
        mark(true);
    });
    surface.addEventListener('dragleave', event => {
        if (!(event.relatedTarget instanceof Node && surface.contains(event.relatedTarget))) mark(false);
    });
    surface.addEventListener('drop', event => {
        if (!isOfFiles(event)) return;
        event.preventDefault();
        mark(false);
        dropped([...(event.dataTransfer?.files ?? [])]);
    });
}
