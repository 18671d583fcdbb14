// Measures how soon each DynamoDB answers and how much memory it uses, each in a separate process, one after another.
//
// Servers by others are those installed by `npm run comparisons`.
//
//   node packages/local/bench/start-up.js [--runs 5] [--port 8270] [--write docs/testing.md]
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { contestants } from './contestants.js'
import { batches, ITEM_BYTES, ITEMS, TABLE } from './load.js'

const POLL_MILLISECONDS = 5
const PATIENCE_MILLISECONDS = 60_000

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    port: { type: 'string', default: '8270' },
    write: { type: 'string' },
  },
})
const runs = Number(values.runs)
const firstPort = Number(values.port)

/** Suppresses the SDK's warning about the version of Node. */
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' }

async function ask(port, operation, input) {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20261121T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=any/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000',
    },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function untilAnswered(port, child) {
  const from = performance.now()
  for (;;) {
    try {
      return await ask(port, 'ListTables', {})
    } catch (error) {
      // Refused connections, and errors of a server that is still starting, mean that it is not ready.
      if (child.exitCode !== null || performance.now() - from > PATIENCE_MILLISECONDS) throw error
      await wait(POLL_MILLISECONDS)
    }
  }
}

/** The resident memory of a process, in megabytes. */
function residentMegabytes({ pid }) {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
}

async function measureServer({ command, args, cwd }, port) {
  const from = performance.now()
  const child = spawn(command, args(port), { cwd, env, stdio: 'ignore' })
  try {
    await untilAnswered(port, child)
    const answered = performance.now() - from
    const empty = residentMegabytes(child)
    await ask(port, 'CreateTable', TABLE)
    while (
      (await ask(port, 'DescribeTable', { TableName: TABLE.TableName })).Table.TableStatus !== 'ACTIVE'
    ) {
      await wait(POLL_MILLISECONDS)
    }
    for (const batch of batches()) {
      const { UnprocessedItems: left } = await ask(port, 'BatchWriteItem', batch)
      if (Object.keys(left).length > 0) throw new Error('Some items were not taken.')
    }
    return { answered, empty, full: residentMegabytes(child) }
  } finally {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

async function measureProcess({ script, takesItems }) {
  const from = performance.now()
  const child = fork(script, { env })
  const [{ startMilliseconds }] = await once(child, 'message')
  const answered = performance.now() - from
  const empty = residentMegabytes(child)
  const result = { answered, started: startMilliseconds, empty }
  if (takesItems) {
    child.send('load')
    await once(child, 'message')
    result.full = residentMegabytes(child)
  }
  child.send('end')
  await once(child, 'exit')
  return result
}

function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function row(name, results) {
  const cell = (member) => {
    const figures = results.map((result) => result[member])
    return figures.includes(undefined) ? '-' : Math.round(median(figures)).toLocaleString('en')
  }
  return `| ${name} | ${cell('answered')} | ${cell('empty')} | ${cell('full')} |`
}

const all = contestants()
const results = new Map(all.map(({ name }) => [name, []]))
let portsTaken = 0
for (let run = 0; run < runs; run++) {
  // Alternating, so that other load of the machine affects all of them.
  for (const contestant of all) {
    const measure = contestant.script === undefined ? measureServer : measureProcess
    const result = await measure(contestant, firstPort + (portsTaken++ % 10))
    results.get(contestant.name).push(result)
    console.error(contestant.name, result)
  }
}
const rows = [...results].map(([name, measured]) => row(name, measured))
const started = [...results.values()]
  .flat()
  .map((result) => result.started)
  .filter((figure) => figure > 0)
const inProcess = median(started)

const [{ model }] = cpus()
const text = `Of the time in process, \`startLocal()\`, a client and its first answer take ${inProcess.toFixed(0)} ms; the rest is Node itself
and loading modules, the AWS SDK's first of all, which your tests load anyway.

| | ms until ListTables is answered | MB when empty | MB with ${ITEMS.toLocaleString('en')} items of ${ITEM_BYTES} bytes |
|---|---:|---:|---:|
${rows.join('\n')}

From the start of the process; resident memory of the whole process; medians of ${runs} runs, in turn, on
${cpus().length} × ${model.trim()}, Node ${process.versions.node}.`
console.log(text)

if (values.write !== undefined) {
  const [begin, end] = ['<!-- start-up: npm run start-up -->', '<!-- /start-up -->']
  const page = readFileSync(values.write, 'utf8')
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${values.write} must hold ${begin} and, behind it, ${end}.`)
  writeFileSync(values.write, `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`)
}
