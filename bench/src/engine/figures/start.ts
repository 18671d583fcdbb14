import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { startLocal } from '@isotherm/local'
import { SystemClock } from '@isotherm/runtime'
import { ask } from '../contestants/create-tables.js'
import { freePort } from '../contestants/free-port.js'
import { median } from '../engine-record.js'
import { residentMegabytes } from '../processor-time.js'
import type { Figure } from './figure.js'

const INSTALL = fileURLToPath(new URL('../../../../tools/installed-packages.js', import.meta.url))
const COMMAND = 'node_modules/@isotherm/cli/bin/isotherm.js'
const ROUNDS = 9
const POLL_MILLISECONDS = 3
const PATIENCE_MILLISECONDS = 60_000
const MOST_IN_PROCESS_MILLISECONDS = 50
const MOST_COMMAND_MILLISECONDS = 250
const MOST_MEGABYTES = 70

const clock = new SystemClock()

/** How soon the engine answers, and the memory of one that has nothing to do. */
export async function start(): Promise<readonly Figure[]> {
  const inProcess = await firstAnswer()
  const commands = await commandStarts()
  const milliseconds = median(commands.map((each) => each.milliseconds))
  const megabytes = median(commands.flatMap((each) => each.megabytes ?? []))
  return [
    {
      name: '`startLocal()`, a client and its first answer, after the imports',
      measured: `${inProcess.toFixed(0)} ms`,
      aim: {
        text: `under ${MOST_IN_PROCESS_MILLISECONDS} ms`,
        isMet: inProcess < MOST_IN_PROCESS_MILLISECONDS,
      },
    },
    {
      name: '`isotherm local` until it answers, from the start of the process',
      measured: `${milliseconds.toFixed(0)} ms`,
      aim: { text: `under ${MOST_COMMAND_MILLISECONDS} ms`, isMet: milliseconds < MOST_COMMAND_MILLISECONDS },
    },
    {
      name: '`isotherm local`, resident memory without data',
      measured: `${megabytes.toFixed(0)} MB`,
      aim: { text: `under ${MOST_MEGABYTES} MB`, isMet: megabytes < MOST_MEGABYTES },
    },
  ]
}

async function firstAnswer(): Promise<number> {
  const from = clock.now()
  const local = await startLocal()
  const client = local.client()
  await client.send(new ListTablesCommand({}))
  const milliseconds = clock.now() - from
  client.destroy()
  await local.close()
  return milliseconds
}

/** Starts of the command as users have it installed: the tarballs hold other files than the repository. */
async function commandStarts() {
  const application = mkdtempSync(join(tmpdir(), 'isotherm-start-'))
  try {
    execFileSync(process.execPath, [INSTALL, application], { stdio: 'ignore' })
    const starts: Awaited<ReturnType<typeof commandStart>>[] = []
    for (let round = 0; round < ROUNDS; round++) starts.push(await commandStart(join(application, COMMAND)))
    return starts
  } finally {
    rmSync(application, { recursive: true })
  }
}

async function commandStart(command: string) {
  const port = await freePort()
  const from = clock.now()
  const child = spawn(process.execPath, [command, 'local', '--port', String(port)], { stdio: 'ignore' })
  try {
    while (!(await answers(port))) {
      if (clock.now() - from > PATIENCE_MILLISECONDS) throw new Error('isotherm local does not answer.')
      await clock.sleep(POLL_MILLISECONDS)
    }
    return { milliseconds: clock.now() - from, megabytes: residentMegabytes(child.pid ?? 0) }
  } finally {
    child.kill('SIGKILL')
  }
}

function answers(port: number): Promise<boolean> {
  return ask(port, 'ListTables', {}).then(
    () => true,
    () => false,
  )
}
