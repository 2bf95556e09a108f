import { element, setAttributes } from './dom.ts';
import { l10n } from './l10n.ts';

const LEAST = 260;
/** Below this width the second part stands under the first. */
const NARROW = 960;

export interface Split {
    readonly root: HTMLElement;
    /** The second part was shown or hidden. */
    update(): void;
    /** Share of the second part, from 0 to 1. */
    readonly size: number;
}

/** Two surfaces side by side, or one above the other in a narrow window, with a handle between them; `label` says whose size it is. */
export function createSplit(
    first: HTMLElement,
    second: HTMLElement,
    size: number | undefined,
    changed: () => void,
    label = l10n.t('Size of the explanation'),
): Split {
    let share = Math.min(0.8, Math.max(0.2, size ?? 0.42));
    const handle = element('div', {
        class: 'split-handle',
        role: 'separator',
        tabindex: 0,
        'aria-label': label,
        hidden: true,
    });
    const root = element('div', { class: 'split' }, first, handle, second);

    const update = (): void => {
        const narrow = root.clientWidth < NARROW;
        root.classList.toggle('narrow', narrow);
        handle.hidden = second.hidden;
        const room = narrow ? root.clientHeight : root.clientWidth;
        const pixels = Math.round(Math.min(Math.max(share * room, Math.min(LEAST, room / 2)), room * 0.8));
        second.style.flexBasis = `${pixels}px`;
        setAttributes(handle, {
            'aria-orientation': narrow ? 'horizontal' : 'vertical',
            'aria-valuenow': Math.round(share * 100),
            'aria-valuemin': 20,
            'aria-valuemax': 80,
        });
    };
    const set = (next: number): void => {
        share = Math.min(0.8, Math.max(0.2, next));
        update();
        changed();
    };
    handle.addEventListener('pointerdown', event => {
        event.preventDefault();
        handle.setPointerCapture(event.pointerId);
        const move = (moved: PointerEvent): void => {
            const box = root.getBoundingClientRect();
            set(root.classList.contains('narrow') ? (box.bottom - moved.clientY) / box.height : (box.right - moved.clientX) / box.width);
        };
        handle.addEventListener('pointermove', move);
        handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true });
    });
    handle.addEventListener('keydown', event => {
        const step = { ArrowLeft: 0.04, ArrowUp: 0.04, ArrowRight: -0.04, ArrowDown: -0.04 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(share + step);
    });
    new ResizeObserver(update).observe(root);
    return {
        root,
        update,
        get size() {
            return share;
        },
    };
}
