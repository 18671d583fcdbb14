import { expect, it } from 'vitest'
import { noCoverageYet } from './coverage.js'
import { NO_FAULTS } from './faults.js'
import { World } from './world.js'

function newWorld(): World {
  return new World({
    seed: 1,
    faults: { ...NO_FAULTS, pauseIntervalMilliseconds: 100, pauseMilliseconds: 200 },
    processes: 1,
    engine: {},
    maxAttempts: 1,
    usesSdk: false,
    keepsTrace: false,
    cacheMilliseconds: 50,
  })
}

it('what is prepared takes no time of the load', async () => {
  const world = newWorld()
  await world.prepare(() => world.scheduler.sleep(40_000))
  expect(world.isLoading).toBe(false)
  world.start(() => {})
  expect(world.elapsed).toBe(0)
  await world.scheduler.run(world.now + 1_000)
  expect(world.elapsed).toBe(1_000)
})

it('counts what comes about under load, and nothing else', async () => {
  const world = newWorld()
  world.covered('a change settles')
  expect(world.coverage).toEqual(noCoverageYet())
  world.start(() => {})
  world.covered('a change settles')
  await world.scheduler.run(world.now + 5_000)
  const pauses = world.coverage['a pause outlasts a cache']
  expect(pauses).toBeGreaterThan(0)
  expect(pauses).toBeLessThanOrEqual(world.network.counts.pauses)
  world.calm()
  world.covered('a change settles')
  expect(world.coverage['a change settles']).toBe(1)
})
