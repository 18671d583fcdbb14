import type { Command } from 'commander'
import { httpUrl, region } from './flags.js'

/** Where the tables of a command are, and with which credentials it asks for them. */
export interface ConnectionFlags {
  readonly endpoint?: URL
  readonly region?: string
  readonly profile?: string
}

/**
 * Adds the flags of {@link ConnectionFlags}.
 * @param whose of the table, or of several, for the help
 */
export function withConnectionFlags(command: Command, whose: "table's" | "tables'" = "table's"): Command {
  return command
    .option('--endpoint <url>', 'the endpoint of an engine other than Amazon DynamoDB', httpUrl('--endpoint'))
    .option('--region <name>', `the ${whose} region; the SDK's own by default`, region('--region'))
    .option('--profile <name>', 'the profile of the credentials')
}
