import { missingPart, type PartName } from '../errors/missing-part.js'
import { refuseCommand } from '../errors/refuse.js'
import type { CommandHandler, Part } from './part.js'

/** Where a command is found that no named part carries out. */
const PART_OF: Readonly<Record<string, PartName>> = {
  PutItem: 'items',
  GetItem: 'items',
  UpdateItem: 'items',
  DeleteItem: 'items',
  Query: 'queries',
  Scan: 'scans',
  BatchGetItem: 'batches',
  BatchWriteItem: 'batches',
  TransactGetItems: 'transactions',
  TransactWriteItems: 'transactions',
}

/** The parts that one client is made of. The order in which they were named makes no difference. */
export class PartSet {
  readonly indexes: Part['indexes']
  readonly openRebalancer: Part['openRebalancer']
  readonly secondLevelCache: Part['secondLevelCache']
  readonly explained: Part['explained']
  readonly #commands: Readonly<Record<string, CommandHandler>>

  constructor(named: readonly Part[]) {
    // What is included comes first, so that whoever includes it can do the same command better.
    const parts = new Set(named.flatMap((part) => [...(part.includes ?? []), part]))
    const { commands, indexes, openRebalancer, secondLevelCache, explained }: Partial<Part> = Object.assign(
      {},
      ...parts,
      { commands: Object.assign({}, ...[...parts].map((part) => part.commands)) },
    )
    this.#commands = commands ?? {}
    this.indexes = indexes
    this.openRebalancer = openRebalancer
    this.secondLevelCache = secondLevelCache
    this.explained = explained
  }

  /** Whether one of the parts carries the command out on sharded tables. */
  takes(operation: string): boolean {
    return Object.hasOwn(this.#commands, operation)
  }

  /** @throws IsothermError `part.missing`; `command.unsupported` for what no part does */
  handlerOf(operation: string, table: string): CommandHandler {
    const handler = this.#commands[operation]
    if (handler !== undefined) return handler
    const part = PART_OF[operation]
    throw part === undefined ? refuseCommand(table, operation) : missingPart(part, operation, table)
  }
}
