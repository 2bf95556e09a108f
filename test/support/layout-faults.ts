import type { Locator } from 'playwright-core';

/** What is wrong with the layout of a page or frame, as texts: none where all can be read and reached. */
export async function layoutFaults(body: Locator): Promise<readonly string[]> {
    return evaluated(body, `(${FAULTS})(document.body)`);
}

/** What its buttons, tabs and titles are called. */
export async function titlesIn(body: Locator): Promise<readonly string[]> {
    return evaluated(body, TITLES);
}

async function evaluated(body: Locator, script: string): Promise<readonly string[]> {
    const frame = await (await body.elementHandle())?.ownerFrame();
    return (await frame?.evaluate<readonly string[]>(script)) ?? [];
}

const TITLES = `[...document.querySelectorAll('.icon-button:not(.operators, .chips *), h2, th, .button, [role="tab"] > :first-child:not(.tab-name)')]
    .filter(one => one.checkVisibility())
    .map(one => one.getAttribute('aria-label') ?? one.innerText)`;

/**
 * Text that is cut where no ellipsis says so or no tooltip has the whole of it; text over text; a page that scrolls sideways as a whole; and
 * buttons that the keyboard cannot bring into sight. Cells of the grid get their tooltip when they are pointed at.
 */
const FAULTS = `async body => {
    const faults = new Set();
    const SLACK = 1.5;
    const named = element => element.tagName.toLowerCase() + '.' + String(element.getAttribute('class')).trim().replaceAll(' ', '.');
    const hides = value => value === 'hidden' || value === 'clip';
    const scrolls = value => value === 'auto' || value === 'scroll';
    const ancestors = function* (element) {
        for (let at = element; at !== null; at = at.parentElement) yield at;
    };
    const isSeen = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.closest('.visually-hidden, [aria-hidden="true"]') === null;
    const toldInFull = element => element.closest('.cell, .placeholder') !== null || [...ancestors(element)].some(at => at.hasAttribute('title') || at.querySelector(':scope > title') !== null);
    const texts = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const element = node.parentElement;
        if (node.data.trim() === '' || element === null || /^(?:SCRIPT|STYLE|TITLE)$/i.test(element.tagName) || !isSeen(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
        texts.push({ element, text: node.data.trim().slice(0, 60), boxes });
    }
    for (const { element, text, boxes } of texts) {
        const right = Math.max(...boxes.map(box => box.right));
        const bottom = Math.max(...boxes.map(box => box.bottom));
        for (const at of ancestors(element)) {
            const style = getComputedStyle(at);
            const box = at.getBoundingClientRect();
            if (scrolls(style.overflowX) && scrolls(style.overflowY)) break;
            if (style.position === 'fixed') break;
            if (hides(style.overflowX) && right > box.right + SLACK) {
                if (style.textOverflow !== 'ellipsis') faults.add('cut: ' + text + ' in ' + named(at));
                else if (!toldInFull(element)) faults.add('cut without a tooltip: ' + text + ' in ' + named(at));
                break;
            }
            if (hides(style.overflowY) && bottom > box.bottom + SLACK && !scrolls(style.overflowX)) {
                faults.add('cut below: ' + text + ' in ' + named(at));
                break;
            }
            if (scrolls(style.overflowX) || scrolls(style.overflowY)) break;
        }
    }
    /** The part of a box that no ancestor hides. */
    const clipped = (element, box) => {
        let { left, top, right, bottom } = box;
        for (const at of ancestors(element)) {
            const { overflowX, position } = getComputedStyle(at);
            if (overflowX !== 'visible') {
                const own = at.getBoundingClientRect();
                [left, top, right, bottom] = [Math.max(left, own.left), Math.max(top, own.top), Math.min(right, own.right), Math.min(bottom, own.bottom)];
            }
            if (position === 'fixed') break;
        }
        return { left, top, right, bottom };
    };
    const isOnTop = (element, { left, top, right, bottom }) => {
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return found !== null && (element === found || element.contains(found) || found.contains(element));
    };
    const isOpaque = element => /^(?:rgb\\(|color\\(srgb [^/]*\\)$|rgba\\(.*, (?:1|0\\.9\\d*)\\)$)/.test(getComputedStyle(element).backgroundColor);
    /** Whether both elements are seen at a point: nothing opaque lies between them. */
    const areBothSeen = (one, other, x, y) => {
        const stack = document.elementsFromPoint(x, y);
        const at = [one, other].map(element => stack.findIndex(found => element === found));
        if (at.includes(-1)) return false;
        const lower = stack[Math.max(...at)];
        return !stack.slice(0, Math.max(...at)).some(found => !found.contains(lower) && isOpaque(found));
    };
    const shown = texts.flatMap(({ element, text, boxes }) => boxes.map(box => ({ element, text, box: clipped(element, box) }))).filter(({ element, box }) => box.right - box.left > 2 && box.bottom - box.top > 2);
    shown.sort((one, other) => one.box.top - other.box.top);
    for (const [i, one] of shown.entries()) {
        for (const other of shown.slice(i + 1)) {
            if (other.box.top >= one.box.bottom - 2) break;
            const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
            const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
            if (across <= 2 || down <= 3 || one.element === other.element) continue;
            const [x, y] = [Math.max(one.box.left, other.box.left) + across / 2, other.box.top + down / 2];
            if (areBothSeen(one.element, other.element, x, y)) faults.add('overlap: ' + one.text + ' and ' + other.text);
        }
    }
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) faults.add('the page scrolls sideways: ' + root.scrollWidth + ' of ' + innerWidth);
    const focused = document.activeElement;
    const modal = document.querySelector('.sheet-back, dialog[open], .menu');
    for (const button of (modal ?? body).querySelectorAll('button:not(:disabled), input:not(:disabled)')) {
        if (button.tabIndex < 0 || !isSeen(button)) continue;
        button.focus();
        const box = button.getBoundingClientRect();
        const inside = box.left >= -SLACK && box.top >= -SLACK && box.right <= innerWidth + SLACK && box.bottom <= innerHeight + SLACK;
        if (document.activeElement !== button || !inside || !isOnTop(button, clipped(button, box))) faults.add('not in sight with the focus: ' + named(button) + ' ' + (button.getAttribute('aria-label') ?? button.textContent));
    }
    focused?.focus?.();
    return [...faults];
}`;
