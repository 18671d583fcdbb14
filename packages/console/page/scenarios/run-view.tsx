import type { ScenarioRun } from '../../src/api/scenarios'
import { figure } from '../format/figures'
import { showTable } from '../state/view'
import { SideCharts } from './side-charts'

const WORDS = { running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled' } as const

/** How far a run is, and what came of it. */
export function RunView({ run }: { readonly run: ScenarioRun }) {
  const { state, progress, result, reason } = run
  const sides = result?.sides ?? progress?.sides ?? []
  const text = state === 'running' ? (progress?.text ?? 'Starting …') : (result?.title ?? '')
  return (
    <section class="run" aria-label="Run">
      <p class={`run-state ${state}`} role="status">
        <b>{WORDS[state]}</b> {text}
      </p>
      {state === 'running' && (
        <progress max={1} {...(progress?.share === undefined ? {} : { value: progress.share })} />
      )}
      {reason !== undefined && (
        <p class="failure" role="alert">
          {reason}
        </p>
      )}
      {progress?.tables !== undefined && <WatchLinks tables={progress.tables} />}
      <SideCharts sides={sides} />
      {result !== undefined && <FigureTable result={result} />}
    </section>
  )
}

/** The tables of a live run, on the heat map. */
function WatchLinks({ tables }: { readonly tables: readonly string[] }) {
  return (
    <p class="watch">
      Watch on the heat map:{' '}
      {tables.map((table) => (
        <button key={table} type="button" onClick={() => showTable({ tab: 'heat', table })}>
          {table}
        </button>
      ))}
    </p>
  )
}

function FigureTable({ result }: { readonly result: NonNullable<ScenarioRun['result']> }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard must be able to scroll it where it is too wide.
    <section class="scrolls" aria-label="Figures of the run" tabIndex={0}>
      <table class="figures-table">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            {namesOf(result).map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {result.rows.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={`${name} ${at}`}>{figure(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A scenario without traffic over time has figures, but no sides. */
function namesOf({ sides, rows }: NonNullable<ScenarioRun['result']>): readonly string[] {
  const count = rows[0]?.values.length ?? 0
  return sides.length === count ? sides.map(({ name }) => name) : ['by hand', 'with the pattern']
}
