import { crc32, deflateSync } from 'node:zlib';

/** Pixels of the longer side; models make larger pictures smaller themselves. */
const LONGEST_SIDE = 1568;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const GREY = 0;
const RGB = 2;

/**
 * Pixels as a PNG (ISO/IEC 15948), made smaller by whole numbers where the longer side has too many: each pixel is the mean of those that it stands
 * for. `data` has a bit for each pixel with rows in whole bytes, or one, three or four bytes; undefined for any other.
 */
export function pngImage(width: number, height: number, data: Uint8Array | Uint8ClampedArray): Uint8Array | undefined {
    const sample = samplerOf(width, height, data);
    if (sample === undefined || width === 0 || height === 0) return undefined;
    const step = Math.ceil(Math.max(width, height) / LONGEST_SIDE);
    const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
    const { channels, at } = sample;
    const raw = new Uint8Array(rows * (columns * channels + 1));
    let to = 0;
    for (let row = 0; row < rows; row++) {
        // Each row begins with its filter, which is none.
        to++;
        for (let column = 0; column < columns; column++)
            for (let channel = 0; channel < channels; channel++) raw[to++] = mean(row * step, column * step, channel);
    }
    const header = new Uint8Array(13);
    const view = new DataView(header.buffer);
    view.setUint32(0, columns);
    view.setUint32(4, rows);
    header.set([8, channels === 1 ? GREY : RGB], 8);
    return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(raw)), chunk('IEND', new Uint8Array(0))]);

    function mean(top: number, left: number, channel: number): number {
        let sum = 0;
        let count = 0;
        for (let y = top; y < Math.min(top + step, height); y++)
            for (let x = left; x < Math.min(left + step, width); x++) {
                sum += at(x, y, channel);
                count++;
            }
        return Math.round(sum / count);
    }
}

function samplerOf(width: number, height: number, data: Uint8Array | Uint8ClampedArray) {
    const bytesOf = (pixel: number): { channels: 1 | 3; at: (x: number, y: number, channel: number) => number } => ({
        channels: pixel === 1 ? 1 : 3,
        at: (x, y, channel) => data[(y * width + x) * pixel + channel] ?? 0,
    });
    switch (data.length) {
        case width * height:
            return bytesOf(1);
        case width * height * 3:
            return bytesOf(3);
        case width * height * 4:
            return bytesOf(4);
        case Math.ceil(width / 8) * height: {
            const stride = Math.ceil(width / 8);
            const at = (x: number, y: number): number => (((data[y * stride + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) * 255;
            return { channels: 1 as const, at };
        }
        default:
            return undefined;
    }
}

function chunk(type: string, data: Uint8Array): Uint8Array {
    const whole = new Uint8Array(data.length + 12);
    const view = new DataView(whole.buffer);
    view.setUint32(0, data.length);
    whole.set(Buffer.from(type, 'latin1'), 4);
    whole.set(data, 8);
    view.setUint32(8 + data.length, crc32(whole.subarray(4, 8 + data.length)));
    return whole;
}
