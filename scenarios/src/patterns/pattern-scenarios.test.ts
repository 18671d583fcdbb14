import { expect, it } from 'vitest'
import { runLarge } from './large-scenario.js'
import { runRotation } from './rotation-scenario.js'

it('documents that are overwritten by hand are read half old and half new, and others are not', async () => {
  const report = await runLarge({ seed: 1, scale: 0.3 })
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
