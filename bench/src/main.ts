import { cpu } from './cpu/command.js'
import { engine } from './engine/command.js'
import { largeTable } from './engine/large-table.js'
import { healing } from './healing/command.js'
import { patterns } from './patterns/command.js'
import { proxy } from './proxy/command.js'
import { search } from './search/command.js'

const BENCHMARKS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  cpu,
  engine,
  healing,
  'large-table': largeTable,
  patterns,
  proxy,
  search,
}

const [name = '', ...args] = process.argv.slice(2)
const benchmark = BENCHMARKS[name]
try {
  if (benchmark === undefined) {
    throw new Error(
      `usage: npm run bench -- NAME [--help], where NAME is one of ${Object.keys(BENCHMARKS).join(', ')}.`,
    )
  }
  await benchmark(args)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
