import { expect, it } from 'vitest'
import { nearestName } from './nearest-name.js'

const NAMES = ['data', 'throttle', 'heat', 'controlPlaneDelays', 'onBug']

it.each([
  ['throtle', 'throttle'],
  ['thorttle', 'throttle'],
  ['Throttle', 'throttle'],
  ['controlplanedelays', 'controlPlaneDelays'],
  ['dat', 'data'],
  ['dta', 'data'],
  ['onbug', 'onBug'],
])('%s is probably %s', (given, meant) => {
  expect(nearestName(given, NAMES)).toBe(meant)
})

it.each(['port', 'constructor', '', 'd', 'throttle'.repeat(1_000)])('%j is near no name', (given) => {
  expect(nearestName(given, NAMES)).toBeUndefined()
})
