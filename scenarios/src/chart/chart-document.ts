import { CHART_STYLE } from './chart-style.js'
import { element, escapeText } from './svg.js'

/** What every chart has around its content. */
export interface ChartFrame {
  readonly width: number
  readonly height: number
  /** For screen readers. */
  readonly title: string
  readonly description: string
}

/**
 * An SVG document with the style of all charts, on a ground that is readable in light and dark mode.
 * @returns the same text for the same content on every machine
 */
export function chartDocument(
  { width, height, title, description }: ChartFrame,
  ...content: readonly string[]
): string {
  const svg = element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': 'title description',
    },
    element('title', { id: 'title' }, escapeText(title)),
    element('desc', { id: 'description' }, escapeText(description)),
    element('style', {}, CHART_STYLE),
    element('rect', { class: 'ground', x: 0.5, y: 0.5, width: width - 1, height: height - 1, rx: 8 }),
    ...content,
  )
  return `${svg}\n`
}
