import { missingPart, type PartName } from '../../errors/missing-part.js'
import { refuseCommand } from '../../errors/refuse.js'
import type { CalculatedSuffix } from '../../writes/calculated.js'
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

/** The parts that one client is made of, as one. */
export interface Parts extends Omit<Part, 'name' | 'yields'> {
  readonly commands: Readonly<Record<string, CommandHandler>>
  /** What the text `'calculated'` stands for, where it may stand for the value. */
  readonly calculated?: () => CalculatedSuffix
}

/** The order in which parts are named makes no difference. */
export function partsOf(named: readonly Part[]): Parts {
  const parts = [...named.filter((part) => part.yields), ...named.filter((part) => !part.yields)]
  const commands = Object.assign({}, ...parts.map((part) => part.commands))
  return Object.assign({}, ...parts, { commands })
}

/** @throws IsothermError `part.missing`; `command.unsupported` for what no part does */
export function handlerOf({ commands }: Parts, operation: string, table: string): CommandHandler {
  const handler = commands[operation]
  if (handler !== undefined) return handler
  const part = PART_OF[operation]
  throw part === undefined ? refuseCommand(table, operation) : missingPart(part, operation, table)
}
