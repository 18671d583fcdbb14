import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { PageSection } from '../page-section.js'
import { soak } from './soak.js'
import { soakReport, verdicts } from './soak-report.js'

const USAGE = `npm run soak [-- --minutes 30] [--write FILE]

Runs isotherm local --data and isotherm proxy under a steady load: keys that become hot and cool down, time to live, a reader of the
stream, and queries. Kills both processes at times in the first third. Exits with 1 if anything was lost, or memory or latency grew.

  --minutes  how long the load runs (default 30)
  --write    the page that gets the figures`

const MARKS = { begin: '<!-- soak: npm run soak -- --write docs/soak.md -->', end: '<!-- /soak -->' }

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      write: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return console.log(USAGE)
  const minutes = Number(values.minutes)
  if (!(minutes > 0)) throw new Error(`--minutes is '${values.minutes}'. It is a number above 0, such as 30.`)
  const page = values.write === undefined ? undefined : new PageSection(values.write, MARKS)
  const result = await soak(minutes, (figures) => console.error(JSON.stringify(figures)))
  const machine = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} on ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.`
  const report = `${soakReport(result)}\n\n${machine}`
  console.log(report)
  page?.write(report)
  if (!verdicts(result).every(({ isMet }) => isMet)) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
