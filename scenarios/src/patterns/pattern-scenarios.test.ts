import { expect, it } from 'vitest'
import { runCounter } from './counter-scenario.js'
import { runLarge } from './large-scenario.js'
import { runPool } from './pool-scenario.js'
import { runQueue } from './queue-scenario.js'
import { runRotation } from './rotation-scenario.js'

it('documents that are overwritten by hand are read half old and half new, and others are not', async () => {
  const report = await runLarge({ seed: 1, scale: 0.2 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures['reads of a mix of two puts']?.[0]).toBeGreaterThan(0)
  expect(figures['puts that ended half-way']?.[1]).toBeGreaterThan(0)
  expect(figures['chunks that no document needs']?.[0]).toBeGreaterThan(0)
})

it('lines that are put by the clock of their writer are not found in their months, and others are', async () => {
  const report = await runRotation({ seed: 1, scale: 0.2 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures['lines in the table of another month']?.[0]).toBeGreaterThan(0)
  expect(figures['months in the archive']?.[1]).toBeGreaterThan(1)
  expect(figures['lines in the archive']?.[1]).toBeGreaterThan(100)
  expect(await runRotation({ seed: 1, scale: 0.2 })).toEqual(report)
})

it('a counter of one item loses counts of a campaign, and one with shards does not after the first seconds', async () => {
  const report = await runCounter({ seed: 1, scale: 0.4 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures['of them in the last second']?.[0]).toBeGreaterThan(0)
  expect(figures.shards?.[1]).toBeGreaterThan(1)
})

it('an index on the status refuses members of a registration and makes claimers meet, and a sparse one does not', async () => {
  const report = await runPool({ seed: 1, scale: 0.15 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures['members that came back unprocessed']).toEqual([expect.any(Number), 0])
  expect(figures['claims that somebody else was faster with']?.[0]).toBeGreaterThan(100)
})

it('operations with a status by hand take effect twice when workers end, and those of a queue once', async () => {
  const report = await runQueue({ seed: 1, scale: 0.2 })
  expect(report.isGood).toBe(true)
  const figures = Object.fromEntries(report.rows.map(({ name, values }) => [name, values]))
  expect(figures['operations that took effect more than once']?.[0]).toBeGreaterThan(0)
  expect(figures['workers that ended, and were replaced']?.[1]).toBeGreaterThan(3)
})
