import type { Command } from 'commander'
import type { Terminal } from '../terminal.js'

/** A command of `isotherm`, which is loaded when it is run. */
interface ListedCommand {
  readonly name: string
  readonly description: string
  load(terminal: Terminal, exit: (code: number) => void): Promise<Command>
}

/** The commands in the order of the help. */
export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'run',
    description: 'run a scenario',
    load: async (terminal, exit) => (await import('./run.js')).runCommand(terminal, exit),
  },
  {
    name: 'local',
    description: 'start a local DynamoDB whose partitions throttle; data is in memory unless --data is given',
    load: async (terminal) => (await import('./local.js')).localCommand(terminal),
  },
  {
    name: 'proxy',
    description: 'shard tables for applications in any language: a DynamoDB endpoint in front of another one',
    load: async (terminal) => (await import('./proxy.js')).proxyCommand(terminal),
  },
  {
    name: 'console',
    description: 'the web console for the tables of Amazon DynamoDB or another endpoint',
    load: async (terminal) => (await import('./console.js')).consoleCommand(terminal),
  },
  {
    name: 'replay',
    description: 'run the requests of a trace again on virtual time, on another design or capacity',
    load: async (terminal, exit) => (await import('./replay.js')).replayCommand(terminal, exit),
  },
  {
    name: 'hot',
    description: 'the hottest keys of a table now, from Contributor Insights or a sample',
    load: async (terminal, exit) => (await import('./hot.js')).hotCommand(terminal, exit),
  },
  {
    name: 'plan',
    description: 'size a table: units, partitions, shards, odds and price; it says when not to shard',
    load: async (terminal, exit) => (await import('./plan.js')).planCommand(terminal, exit),
  },
  {
    name: 'lint',
    description: 'find what will throttle, fail or cost too much in table definitions and items',
    load: async (terminal, exit) => (await import('./lint.js')).lintCommand(terminal, exit),
  },
  {
    name: 'adopt',
    description: 'say whether a table with items in it can be sharded as it stands; nothing is written',
    load: async (terminal, exit) => (await import('./adopt.js')).adoptCommand(terminal, exit),
  },
  {
    name: 'shards',
    description:
      'the shards of keys, and the shard map: list, show, set, price, drain, create-table, rebuild',
    load: async (terminal, exit) => (await import('./shards.js')).shardsCommand(terminal, exit),
  },
  {
    name: 'migrate',
    description: 'give a table another initial shard count, while it is in use',
    load: async (terminal, exit) => (await import('./migrate.js')).migrateCommand(terminal, exit),
  },
  {
    name: 'unshard',
    description: 'copy a sharded table to a plain one, to go on without the library',
    load: async (terminal, exit) => (await import('./unshard.js')).unshardCommand(terminal, exit),
  },
  {
    name: 'import',
    description: 'write the items of files to a table: DynamoDB JSON, lines of JSON, CSV',
    load: async (terminal, exit) => (await import('./import.js')).importCommand(terminal, exit),
  },
  {
    name: 'export',
    description: 'write the items of a table to a file',
    load: async (terminal, exit) => (await import('./export.js')).exportCommand(terminal, exit),
  },
  {
    name: 'search',
    description: 'compare the search items of a directory of isotherm/search with its items, and repair them',
    load: async (terminal, exit) => (await import('./search.js')).searchCommand(terminal, exit),
  },
  {
    name: 'completion',
    description: 'print a script with which bash, zsh or fish completes commands and flags',
    load: async (terminal, exit) =>
      (await import('./completion.js')).completionCommand(terminal, () =>
        Promise.all(
          COMMANDS.map(async ({ load, description }) =>
            (await load(terminal, exit)).description(description),
          ),
        ),
      ),
  },
]

/** The examples of the first page, each with its description. */
const EXAMPLE_LINES: readonly (readonly [command: string, description: string])[] = [
  ['run hot-file', 'a file goes viral: three ways to store its audit log'],
  ['run hot-file --once', 'the same on fast time, with the same figures everywhere'],
  ['run flash-sale', 'orders of one product, from one second to the next'],
  ['run counter', 'a campaign on air: one counter'],
  ['run --help', 'the other scenarios: queues, pools, searches, archives'],
  ['local --port 8000', 'a local DynamoDB whose partitions throttle'],
  ['proxy --config isotherm.yaml', 'sharding for applications in any language'],
  ['console --region eu-central-1', 'the heat of the tables there, in the browser'],
  ['replay today.jsonl', 'recorded requests again, on another design'],
  ['hot --table orders', 'the hottest keys of a table now'],
  ['plan --hot-writes 2600', 'how many shards, and when not to shard'],
  ['lint template.yaml', 'what will throttle, fail or cost too much'],
  ['adopt --check --table orders', 'whether a table can be sharded as it stands'],
  ['shards list --table orders', 'the keys with the most shards'],
  ['migrate --table orders --to 4 --dry-run', 'what another initial count would cost'],
  ['unshard --help', 'the way back to a plain table'],
  ['import --table orders orders.csv', 'items of a file to a table'],
  ['export --table orders orders.jsonl', 'items of a table to a file'],
  ['search check --definition contacts.js', 'what a directory does not find, and its repair'],
  ['completion bash', 'commands and flags, completed by the shell'],
]

const COMMAND_WIDTH = Math.max(...EXAMPLE_LINES.map(([command]) => command.length))

export const EXAMPLES: readonly string[] = EXAMPLE_LINES.map(
  ([command, description]) => `isotherm ${command.padEnd(COMMAND_WIDTH)}  ${description}`,
)
