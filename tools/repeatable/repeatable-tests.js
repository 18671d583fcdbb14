// Long tests on virtual time, with fixed seeds. How they end depends on their code alone, so that a second run of the same code
// shows nothing that the first one has not shown.

/** What a bug is planted in: the text of the library, and what it stands on. */
const PLANTED = ['packages/isotherm/src', 'packages/semantics/src', 'packages/runtime/src']

/** `reads` are the files that a test does not import but reads, and folders of such files. */
export const REPEATABLE_TESTS = [
  { file: 'bench/src/healing/adopted-key.long.test.ts' },
  { file: 'bench/src/healing/bulk-index.long.test.ts' },
  { file: 'bench/src/healing/shapes.long.test.ts' },
  { file: 'bench/src/patterns/counter-load.long.test.ts' },
  { file: 'bench/src/patterns/pool-load.long.test.ts' },
  { file: 'bench/src/patterns/queue-load.long.test.ts' },
  { file: 'packages/console/src/findings/findings.long.test.ts' },
  { file: 'packages/isotherm/src/client/beside-full-processes.trials.test.ts' },
  { file: 'packages/isotherm/src/indexes/same-as-plain-index.property.test.ts' },
  { file: 'packages/isotherm/src/indexes/while-the-count-changes.property.test.ts' },
  { file: 'packages/isotherm/src/patterns/rotation/cursor.property.test.ts' },
  { file: 'packages/isotherm/src/patterns/search/tenants.property.test.ts' },
  { file: 'packages/isotherm/src/protocol/second-level-cache/busy-fleet.trials.test.ts' },
  { file: 'packages/isotherm/src/queries/equal-sort-keys.property.test.ts' },
  { file: 'packages/isotherm/src/queries/read-amplification.long.test.ts' },
  { file: 'packages/isotherm/src/scaling/fleet.long.test.ts' },
  { file: 'packages/isotherm/src/scaling/neighbours.long.test.ts' },
  { file: 'packages/isotherm/src/writes/same-as-unsharded.property.test.ts' },
  { file: 'packages/proxy/src/gateway/fleet.long.test.ts' },
  { file: 'packages/proxy/src/gateway/many-proxies.long.test.ts' },
  { file: 'packages/proxy/src/wire/input-decoder.property.test.ts' },
  { file: 'scenarios/src/behaviours/behaviour-chart.long.test.ts', reads: ['docs/behaviours'] },
  { file: 'scenarios/src/catalog/scenarios.long.test.ts', reads: ['scenarios/data'] },
  { file: 'scenarios/src/hot-file/rehearse.long.test.ts', reads: ['scenarios/data'] },
  { file: 'scenarios/src/patterns/search-scenario.long.test.ts' },
  { file: 'simulation/src/interleavings/failing-script.long.test.ts', reads: PLANTED },
  { file: 'simulation/src/model/card/explore-cards.trials.test.ts' },
  { file: 'simulation/src/model/explore.trials.test.ts' },
  { file: 'simulation/src/mutants/hunt-others.long.test.ts', reads: [...PLANTED, 'docs/simulation.md'] },
  { file: 'simulation/src/mutants/hunt.long.test.ts', reads: [...PLANTED, 'docs/simulation.md'] },
  { file: 'simulation/src/regions/regions.trials.test.ts', reads: PLANTED },
  { file: 'simulation/src/runs/short-times.long.test.ts' },
  { file: 'simulation/src/runs/simulation.trials.test.ts', reads: [...PLANTED, 'docs/simulation.md'] },
]
