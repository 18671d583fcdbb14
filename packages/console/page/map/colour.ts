import { OWN_HEAT_PERCENT } from '../../src/findings/row-need'

/** Colours of heat. Lightness changes in one direction, so that the order is visible without hue. */
interface Scale {
  /** From almost nothing to the limit of a partition, in equal steps. */
  readonly ramp: readonly string[]
  /** Throttled by a partition that the key itself fills: a few requests, and as many as a partition serves. */
  readonly throttled: readonly [string, string]
  /** Throttled because of another key in the same partition. */
  readonly beside: string
  /** Throttled by the limit of the whole table. */
  readonly limited: string
}

export type Theme = 'light' | 'dark'

export const SCALES: Readonly<Record<Theme, Scale>> = {
  light: {
    ramp: ['#e3ecf5', '#bed3e6', '#9fc0d8', '#e8cf8f', '#f0a94e', '#e57a2e'],
    throttled: ['#d3262f', '#8c0a24'],
    beside: '#eda3a8',
    limited: '#7b3fb5',
  },
  dark: {
    ramp: ['#1c2c40', '#28496a', '#3a6d8c', '#8d7a3c', '#c98a2e', '#f09a3e'],
    throttled: ['#ff4d4f', '#ff8f8a'],
    beside: '#7d3b45',
    limited: '#b98af0',
  },
}

type Rgb = readonly [number, number, number]

/** Colours as numbers, for drawing many cells: 0 to 100 percent, then throttled from few to many, then limited. */
export interface Palette {
  /** A pixel of an image: red in the lowest byte, and opaque. */
  of(peakPercent: number, partitionThrottles: number, tableThrottles: number): number
}

export function paletteOf(theme: Theme, hottest: number): Palette {
  const { ramp, throttled, beside, limited } = SCALES[theme]
  const steps = ramp.map(rgb)
  const warm = Array.from({ length: 101 }, (_, percent) => pixel(between(steps, percent / 100)))
  const red = throttled.map(rgb)
  const hot = Array.from({ length: 11 }, (_, step) => pixel(between(red, step / 10)))
  const violet = pixel(rgb(limited))
  const pale = pixel(rgb(beside))
  return {
    of(peak, partitionThrottles, tableThrottles) {
      if (partitionThrottles > 0) {
        if (peak < OWN_HEAT_PERCENT) return pale
        // A thousand a second is ten steps of a doubling.
        const step = Math.min(10, Math.max(0, Math.round(Math.log2(1 + partitionThrottles))))
        return hot[step] ?? violet
      }
      if (tableThrottles > 0) return violet
      const share = Math.min(100, Math.round((100 * peak) / hottest))
      return warm[share] ?? violet
    },
  }
}

function pixel([red, green, blue]: Rgb): number {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function between(colours: readonly Rgb[], share: number): Rgb {
  const at = share * (colours.length - 1)
  const [from, to] = [colours[Math.floor(at)], colours[Math.ceil(at)]]
  if (from === undefined || to === undefined) return [0, 0, 0]
  const part = at - Math.floor(at)
  const mix = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * part)
  return [mix(0), mix(1), mix(2)]
}
