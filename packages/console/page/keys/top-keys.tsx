import { useState } from 'preact/hooks'
import { CONFIDENCE, FILLED } from '../../src/findings/shards-needed'
import { CopyButton } from '../format/copy-button'
import { figure, percent } from '../format/figures'
import { keyText } from '../format/redact'
import type { ShownMap } from '../map/grid'
import { type KeyFigures, keyFigures } from './key-figures'

type Column = Exclude<keyof KeyFigures, 'row' | 'need'>

const COLUMNS: readonly { readonly name: Column; readonly title: string; readonly hint: string }[] = [
  { name: 'share', title: 'Share', hint: "of the table's units in this span" },
  {
    name: 'shareError',
    title: 'Error',
    hint: 'how much larger the share can be: units of keys that were not recorded one by one may be its own',
  },
  { name: 'peak', title: 'Of a partition', hint: 'the hottest second of its hottest shard' },
  { name: 'writes', title: 'Writes/s', hint: 'accepted units, on average over the span' },
  { name: 'reads', title: 'Reads/s', hint: 'accepted units, on average over the span' },
  { name: 'throttles', title: 'Throttled', hint: 'requests in this span' },
  { name: 'shards', title: 'Shards', hint: 'with traffic in this span' },
  {
    name: 'needed',
    title: 'Shards needed',
    hint: `shards for its hottest column in this span, with odds of ${percent(CONFIDENCE * 100)} that no partition is above ${percent(FILLED * 100)}`,
  },
]
const SHOWN = 15
/** Less is shown as less than this. */
const LEAST_ERROR = 0.1

/** The hottest keys as a table, which screen readers and the clipboard can use. */
export function TopKeys({ of }: { readonly of: ShownMap }) {
  const [sorted, sort] = useState<{ readonly by: Column; readonly isDown: boolean }>({
    by: 'peak',
    isDown: true,
  })
  const choose = (by: Column) => sort({ by, isDown: sorted.by === by ? !sorted.isDown : true })
  const order = sorted.isDown ? 1 : -1
  // The hottest keys are the same however they are sorted.
  const hottest = [...keyFigures(of)].sort((a, b) => b.peak - a.peak).slice(0, SHOWN)
  const top = hottest.sort((a, b) => order * (b[sorted.by] - a[sorted.by]))
  return (
    <section class="top-keys" aria-labelledby="top-keys-title">
      <h2 id="top-keys-title">Hottest keys</h2>
      <CopyButton text={tableText(top)} name="Copy table" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide. */}
      <section class="scrolls" aria-label="Table of the hottest keys" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Key</th>
              {COLUMNS.map(({ name, title, hint }) => (
                <th scope="col" key={name} aria-sort={sortOf(sorted, name)}>
                  <button type="button" title={hint} onClick={() => choose(name)}>
                    {title} {sorted.by === name ? (sorted.isDown ? '▾' : '▴') : ''}
                  </button>
                </th>
              ))}
              <th scope="col">
                <span class="unseen">Copy</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {top.map((key) => (
              <tr key={key.row.id}>
                <th scope="row" title={keyText(key.row.label)}>
                  {keyText(key.row.label)}
                </th>
                {COLUMNS.map(({ name }) => (
                  <td key={name} class={classOf(key, name)}>
                    {name === 'needed' ? adviceText(key) : valueText(key, name)}
                  </td>
                ))}
                <td>
                  <CopyButton text={key.row.label} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

function sortOf(sorted: { readonly by: Column; readonly isDown: boolean }, name: Column) {
  if (sorted.by !== name) return 'none'
  return sorted.isDown ? 'descending' : 'ascending'
}

function valueText(key: KeyFigures, name: Column): string {
  if (name === 'shareError') return errorText(key.shareError)
  if (name === 'share' || name === 'peak') return percent(key[name])
  return figure(key[name])
}

function errorText(percents: number): string {
  if (percents === 0) return 'exact'
  return percents < LEAST_ERROR ? `under ${percent(LEAST_ERROR)}` : `+${percent(percents)}`
}

function classOf(key: KeyFigures, name: Column): string {
  if (name === 'needed') return 'advice-text'
  return name === 'throttles' && key.throttles > 0 ? 'hot' : ''
}

/** How many shards the key needs, and why. */
function adviceText({ row, shards, need }: KeyFigures): string {
  if (row.kind !== 'key') return 'Open the row for its keys.'
  const { access, asked, capacity, least, shards: sure, partitions, isShort, oddsNow } = need
  if (least <= 1) return 'one is enough'
  const load = `${figure(asked)}/s asked, one serves ${figure(capacity)} ${access} units/s`
  if (shards >= sure && !isShort) return `it has the ${sure} it needs: ${load}`
  const now = shards > 1 ? `; ${shards} fit with odds of ${percent(100 * oddsNow)}` : ''
  const place = `on ${figure(partitions)} partitions${isShort ? ', more than there are' : ''}`
  return `${least} or more, ${sure} with odds of ${percent(CONFIDENCE * 100)} ${place}: ${load}${now}`
}

/** The table for a spreadsheet: columns with tabs between them. Hidden keys stay hidden. */
function tableText(top: readonly KeyFigures[]): string {
  const head = ['Key', ...COLUMNS.map(({ title }) => title), 'Reason']
  const lines = top.map((key) => [
    keyText(key.row.label),
    ...COLUMNS.map(({ name }) => String(Math.round(key[name] * 100) / 100)),
    adviceText(key),
  ])
  return [head, ...lines].map((cells) => cells.join('\t')).join('\n')
}
