import { expect, it } from 'vitest'
import { nearestWord } from './nearest-word.js'

const COMMANDS = ['run', 'local', 'proxy', 'plan', 'lint', 'hot', 'shards', 'migrate', 'import', 'export']

it.each([
  ['lnt', 'lint'],
  ['lnit', 'lint'],
  ['Lint', 'lint'],
  ['shard', 'shards'],
  ['migrat', 'migrate'],
  ['imprt', 'import'],
  ['loacl', 'local'],
])('%s is probably %s', (given, meant) => {
  expect(nearestWord(given, COMMANDS)).toBe(meant)
})

it.each(['fly', 'x', '', 'nonsense', 'hxx'])('%j is none of them', (given) => {
  expect(nearestWord(given, COMMANDS)).toBeUndefined()
})
