import { type ChildProcess, spawn } from 'node:child_process'
import { SystemClock } from '@isotherm/runtime'
import { type Endpoint, endpointAt } from '../endpoint.js'
import { freePort } from './free-port.js'

/** A running DynamoDB Local. */
export interface Oracle {
  readonly endpoint: Endpoint
  /** The address for clients of an SDK. */
  readonly url: string
  stop(): Promise<void>
}

const PATIENCE_MILLISECONDS = 60_000
const PAUSE_MILLISECONDS = 100

/**
 * Starts AWS's DynamoDB Local with its data in memory and waits until it answers.
 *
 * @param folder the folder of its jar.
 */
export async function startOracle(folder: string): Promise<Oracle> {
  const port = await freePort()
  const options = ['-Xmx768m', '-XX:TieredStopAtLevel=4', '-Djava.library.path=./DynamoDBLocal_lib']
  const jar = ['-jar', 'DynamoDBLocal.jar', '-inMemory', '-disableTelemetry', '-port', String(port)]
  const java = spawn('java', [...options, ...jar], { cwd: folder, stdio: 'ignore' })
  const kill = () => java.kill('SIGKILL')
  process.once('exit', kill)
  const endpoint = endpointAt(port)
  const stop = async () => {
    process.removeListener('exit', kill)
    endpoint.close()
    await ended(java)
  }
  try {
    await answers(java, endpoint)
  } catch (error) {
    await stop()
    throw error
  }
  return { endpoint, url: `http://127.0.0.1:${port}`, stop }
}

/** It stores nothing, so it can be killed. */
function ended(java: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (java.exitCode !== null || java.signalCode !== null) return resolve()
    java.once('exit', () => resolve())
    java.kill('SIGKILL')
  })
}

async function answers(java: ChildProcess, endpoint: Endpoint): Promise<void> {
  const clock = new SystemClock()
  const from = clock.now()
  while (clock.now() - from < PATIENCE_MILLISECONDS) {
    if (java.exitCode !== null)
      throw new Error(`DynamoDB Local ended with code ${java.exitCode} at its start.`)
    try {
      const { status } = await endpoint.ask('ListTables', {})
      if (status === 200) return
    } catch {
      // It does not listen yet.
    }
    await clock.sleep(PAUSE_MILLISECONDS)
  }
  throw new Error(`DynamoDB Local did not answer within ${PATIENCE_MILLISECONDS} ms.`)
}
