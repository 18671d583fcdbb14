import { resolve } from 'node:path'
import { type CapacityParameters, createLocal } from '@isotherm/local'
import { Command } from 'commander'
import { readCredentialsFile } from '../credentials-file.js'
import { oneOf, wholeNumber } from '../flags.js'
import { interruption, untilInterrupted } from '../interruption.js'
import { printable, type Terminal, writeLine } from '../terminal.js'

interface LocalFlags {
  readonly port: number
  readonly host: string
  readonly allowHost: readonly string[]
  readonly credentials?: string
  readonly throttle: boolean
  readonly capacity: CapacityModel
  readonly data?: string
}

type CapacityModel = CapacityParameters['model']

const MODELS: readonly CapacityModel[] = ['adaptive', 'classic']

/** `isotherm local`: the engine's HTTP endpoint alone. */
export function localCommand(terminal: Terminal): Command {
  return new Command('local')
    .description('start a local DynamoDB whose partitions throttle; data is in memory unless --data is given')
    .option(
      '--port <number>',
      'port to listen on; 0 takes any free one',
      wholeNumber('--port', 0, 65_535),
      8_000,
    )
    .option('--host <address>', 'address to bind to', '127.0.0.1')
    .option(
      '--allow-host <name>',
      'a name that requests from other machines may use for this one; may be repeated',
      (name: string, names: readonly string[]) => [...names, name.toLowerCase()],
      [],
    )
    .option(
      '--data <directory>',
      'keep the data there; every answered write survives a crash and a power cut',
    )
    .option(
      '--credentials <file>',
      'accept only requests signed with a key of this file, such as ~/.aws/credentials; any are accepted without it',
    )
    .option(
      '--capacity <model>',
      'adaptive: a partition may use all provisioned throughput; classic: only its even share of it',
      oneOf('--capacity', MODELS),
      'adaptive' as const,
    )
    .option('--no-throttle', 'do not enforce capacity limits')
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm local --port 8000\n' +
        '  isotherm local --data ./dynamodb  data that is there again next time\n' +
        '  isotherm local --no-throttle      a fast local DynamoDB without limits\n' +
        '  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n',
    )
    .action((flags: LocalFlags) => serve(flags, terminal))
}

async function serve(flags: LocalFlags, terminal: Terminal): Promise<void> {
  const { port, host, allowHost, throttle, capacity: model, data } = flags
  const credentials =
    flags.credentials === undefined ? {} : { credentials: readCredentialsFile(flags.credentials) }
  const signal = interruption()
  const local = createLocal({ throttle, capacity: { model }, ...(data === undefined ? {} : { data }) })
  try {
    const { url } = await local.listen({ port, host, allowedHosts: allowHost, ...credentials })
    const limits = throttle ? 'partitions throttle' : 'no limits are enforced'
    const place = data === undefined ? 'in memory' : `in ${printable(resolve(data))}`
    writeLine(terminal.out, `DynamoDB endpoint ${url}: data ${place}, ${limits}. Ctrl-C ends it.`)
    await untilInterrupted(signal)
  } finally {
    await local.close()
  }
}
