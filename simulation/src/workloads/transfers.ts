import {
  type DynamoDBClient,
  TransactGetItemsCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { randomInteger } from '@isotherm/runtime'
import type { Process } from '../world/process.js'
import { Violation } from '../world/violation.js'
import type { WorkloadTable } from '../world/workload-table.js'
import type { World } from '../world/world.js'
import { atRate } from './at-rate.js'
import { requireExpected } from './expected-error.js'
import type { Attributes } from './item-operations.js'
import { untilAnswered } from './until-answered.js'
import type { Client, Workload } from './workload.js'

export interface TransfersOptions {
  readonly table: WorkloadTable
  readonly transfersPerSecond: number
  readonly readsPerSecond: number
  readonly processes: number
  readonly branches: number
  readonly accountsPerBranch: number
}

interface Account {
  readonly key: Attributes
  readonly about: readonly string[]
  /** Transfers that are known to be done, and those that may be. */
  sure: number
  perhaps: number
  /** What those that are known to be done left of its balance. */
  balance: number
}

interface Seen {
  readonly balance: number
  readonly transfers: number
}

/** Accounts in all: a look at them is one transaction, with two places for each while counts change. */
const MAX_ACCOUNTS = 8

/**
 * Money that goes from one account to another in transactions, while the counts of their keys change. Nobody checks
 * anything: a transfer that is carried out in part, or twice, shows in the sums. Some carry the application's own token,
 * and are sent until they are answered.
 */
export class Transfers implements Workload {
  readonly name = 'transfers'
  readonly tables: readonly WorkloadTable[]
  readonly #world: World
  readonly #options: TransfersOptions
  readonly #accounts: readonly Account[]
  #tokens = 0

  constructor(world: World, options: TransfersOptions) {
    this.#world = world
    this.#options = options
    this.tables = [options.table]
    const { table, branches, accountsPerBranch } = options
    const count = Math.max(2, Math.min(MAX_ACCOUNTS, branches * accountsPerBranch))
    this.#accounts = Array.from({ length: count }, (_, index) => {
      const about = [`branch${index % branches}`, `account${Math.floor(index / branches)}`]
      const [branch = '', account = ''] = about
      const key = { [table.partitionKey]: { S: branch }, [table.sortKey]: { S: account } }
      return { key, about, sure: 0, perhaps: 0, balance: 0 }
    })
  }

  existing(): readonly Attributes[] {
    return this.#accounts.map(({ key }) => ({ ...key, balance: { N: '0' }, transfers: { N: '0' } }))
  }

  begin(process: Process, db: Client): void {
    const { transfersPerSecond, readsPerSecond, processes } = this.#options
    atRate(
      this.#world,
      process,
      () => transfersPerSecond / processes,
      () => this.#transfer(process, db),
    )
    atRate(
      this.#world,
      process,
      () => readsPerSecond / processes,
      () => this.#check(process, db),
    )
  }

  async touch(process: Process, db: Client): Promise<void> {
    await this.#check(process, db)
  }

  neighbours(): readonly string[] {
    return []
  }

  conclude(process: Process, db: Client): Promise<void> {
    return this.#check(process, db)
  }

  async #transfer(process: Process, db: DynamoDBClient): Promise<void> {
    const { random } = process
    const first = randomInteger(random, 0, this.#accounts.length - 1)
    const second = (first + randomInteger(random, 1, this.#accounts.length - 1)) % this.#accounts.length
    const accounts = [first, second].flatMap((index) => this.#accounts[index] ?? [])
    const amount = randomInteger(random, 1, 100)
    const TransactItems = accounts.map(({ key }, side) => this.#side(key, side === 0 ? -amount : amount))
    this.#tokens += 1
    const token = random.next() < 0.5 ? `transfer-${this.#tokens}` : undefined
    for (const account of accounts) account.perhaps += 1
    const send = async () => {
      await db.send(new TransactWriteItemsCommand({ TransactItems, ClientRequestToken: token }))
    }
    try {
      if (token === undefined) await send()
      else await untilAnswered(process, () => unlessTokenIsUsed(send))
    } catch (error) {
      // It stays among those that may be done: what a late request does is known to nobody.
      requireExpected(error)
      return
    }
    for (const [side, account] of accounts.entries()) {
      account.perhaps -= 1
      account.sure += 1
      account.balance += side === 0 ? -amount : amount
    }
  }

  #side(Key: Attributes, amount: number): TransactWriteItem {
    return {
      Update: {
        TableName: this.#options.table.name,
        Key,
        UpdateExpression: 'ADD balance :amount, transfers :one',
        ExpressionAttributeValues: { ':amount': { N: String(amount) }, ':one': { N: '1' } },
      },
    }
  }

  /** All accounts at one instant. */
  async #check(process: Process, db: DynamoDBClient): Promise<void> {
    const least = await untilAnswered(process, async () => {
      const sure = this.#accounts.map((account) => account.sure)
      const TransactItems = this.#accounts.map(({ key }) => ({
        Get: { TableName: this.#options.table.name, Key: key },
      }))
      const { Responses = [] } = await db.send(new TransactGetItemsCommand({ TransactItems }))
      return this.#accounts.map((account, index) => ({
        account,
        least: sure[index] ?? 0,
        seen: seenOf(Responses[index]?.Item),
      }))
    })
    for (const { account, least: sure, seen } of least) {
      const most = account.sure + account.perhaps
      if (seen.transfers >= sure && seen.transfers <= most) continue
      const text = `${process.name} saw ${seen.transfers} of ${account.about.join(' ')}; ${sure} to ${most} were done`
      throw new Violation('a transaction is carried out once', text, account.about)
    }
    const sum = least.reduce((total, { seen }) => total + seen.balance, 0)
    if (sum === 0) return
    const balances = least.map(({ account, seen }) => `${account.about.join(' ')}: ${seen.balance}`)
    throw new Violation(
      'transactions are whole',
      `${process.name} saw ${balances.join(', ')}, which is ${sum}`,
      suspectOf(least).about,
    )
  }
}

/** The account that is most likely to be wrong: another balance than it should have, and few transfers that may explain it. */
function suspectOf(
  seen: readonly { readonly account: Account; readonly seen: Seen }[],
): Pick<Account, 'about'> {
  const doubtOf = ({ account, seen: { balance } }: (typeof seen)[number]) =>
    balance === account.balance ? Number.MAX_SAFE_INTEGER : account.perhaps
  const [first] = seen.toSorted((a, b) => doubtOf(a) - doubtOf(b))
  return first?.account ?? { about: [] }
}

function seenOf(item: Attributes | undefined): Seen {
  return { balance: Number(item?.balance?.N ?? 0), transfers: Number(item?.transfers?.N ?? 0) }
}

/** What is documented of a token that was used: its transaction has been carried out. */
async function unlessTokenIsUsed(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'IdempotentParameterMismatchException') throw error
  }
}
