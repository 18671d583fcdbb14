// Runs tests with one random seed after another, until one fails. `npm test` and `npm run test:full` use a fixed seed each.
//
//   npm run search-seeds -- PATH... [--seeds 10] [--seed N] [--full]
//
// --seeds  how many seeds to try (default 10)
// --seed   the first one (default: drawn by chance); with --seeds 1 it repeats a failure
// --full   the number of cases of `npm run test:full`, and its long tests
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { TestReporter } from './test-reporter.js'

const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, seed: { type: 'string' }, full: { type: 'boolean', default: false } },
})
if (paths.length === 0) {
  console.error('Name the tests: npm run search-seeds -- PATH... (a word of their paths).')
  process.exit(2)
}
const first = values.seed === undefined ? randomInt(2 ** 31 - 1_000_000) : wholeNumber('--seed', values.seed)
const seeds = wholeNumber('--seeds', values.seeds ?? '10')

for (let seed = first; seed < first + seeds; seed++) {
  const { passed, failed } = await run(seed)
  console.log(`seed ${seed}: ${passed} passed, ${failed} failed`)
  if (failed === 0 && passed > 0) continue
  const again = [...paths, '--seed', seed, '--seeds', 1, ...(values.full ? ['--full'] : [])]
  console.log(failed > 0 ? `again: npm run search-seeds -- ${again.join(' ')}` : 'No test has such a path.')
  process.exit(1)
}
process.exit(0)

async function run(seed) {
  const reporter = new TestReporter()
  const vitest = await createVitest('test', {
    root: fileURLToPath(new URL('..', import.meta.url)),
    project: values.full ? ['long', 'trials'] : ['fast'],
    reporters: [reporter],
    watch: false,
  })
  for (const project of vitest.projects) project.provide('seed', seed)
  await vitest.start(paths)
  await vitest.close()
  return reporter.counts
}

function wholeNumber(option, text) {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= 0) return number
  console.error(`${option} is ${text}. It must be a whole number from 0 on.`)
  return process.exit(2)
}
