import {
  DescribeTableCommand,
  type DynamoDBClient,
  ListTablesCommand,
  paginateListTables,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import type { Clock } from '@isotherm/runtime'
import { KeptAnswers } from './kept-answers.js'
import { asked } from './remote-failure.js'

/** More would be a long list to look at, and a long time to describe. */
export const MAX_TABLES = 200
const DESCRIBED_AT_A_TIME = 10
const LIST_MILLISECONDS = 60_000
const DESCRIPTION_MILLISECONDS = 600_000

/** The tables of an account, or those that were named. ListTables and DescribeTable cost nothing. */
export class RemoteTables {
  readonly #client: DynamoDBClient
  readonly #kept: KeptAnswers
  readonly #named: readonly string[]

  constructor(
    client: DynamoDBClient,
    clock: Clock,
    named: readonly string[],
    isLost: (error: unknown) => boolean = () => false,
  ) {
    this.#client = client
    // All descriptions, and the list. Apart from other answers, which they would push out: some of those cost money.
    this.#kept = new KeptAnswers(clock, { maxEntries: Math.max(MAX_TABLES, named.length) + 1, isLost })
    this.#named = named
  }

  /** @throws SourceError */
  names(): Promise<readonly string[]> {
    if (this.#named.length > 0) return Promise.resolve(this.#named)
    return this.#kept.get('names', LIST_MILLISECONDS, () => asked('dynamodb:ListTables', this.#list()))
  }

  /** @throws SourceError */
  describe(table: string): Promise<TableDescription> {
    const ask = async () => {
      const command = new DescribeTableCommand({ TableName: table })
      const { Table = {} } = await asked(`dynamodb:DescribeTable of ${table}`, this.#client.send(command))
      return Table
    }
    return this.#kept.get(`describe ${table}`, DESCRIPTION_MILLISECONDS, ask)
  }

  /** The tables with their descriptions. One that may not be described, or is gone, has none. */
  async described(): Promise<readonly (readonly [name: string, table: TableDescription])[]> {
    const names = await this.names()
    const known: (readonly [string, TableDescription])[] = []
    for (let at = 0; at < names.length; at += DESCRIBED_AT_A_TIME) {
      const some = names.slice(at, at + DESCRIBED_AT_A_TIME)
      const describe = async (name: string) =>
        [name, await this.describe(name).catch((): TableDescription => ({}))] as const
      known.push(...(await Promise.all(some.map(describe))))
    }
    return known
  }

  /** Sends a request of the least answer, with a permission that the tables need anyway. */
  look(signal: AbortSignal): Promise<unknown> {
    const [named] = this.#named
    const sending = { abortSignal: signal }
    return named === undefined
      ? this.#client.send(new ListTablesCommand({ Limit: 1 }), sending)
      : this.#client.send(new DescribeTableCommand({ TableName: named }), sending)
  }

  /** Asks again for what failed, at the next look. */
  forgetFailures(): void {
    this.#kept.forgetFailures()
  }

  async #list(): Promise<readonly string[]> {
    const names: string[] = []
    for await (const { TableNames = [] } of paginateListTables({ client: this.#client }, {})) {
      names.push(...TableNames)
      if (names.length >= MAX_TABLES) break
    }
    return names.slice(0, MAX_TABLES)
  }
}
