import { missingPart, type PartName } from '../../errors/missing-part.js'
import { refuseCommand } from '../../errors/refuse.js'
import type { CalculatedSuffix } from '../../writes/calculated.js'
import type { CommandHandler, Part } from './part.js'

/** The part to suggest for a command that no given part handles. */
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

/** The parts of one client, combined. */
export interface Parts extends Omit<Part, 'name' | 'yields'> {
  readonly commands: Readonly<Record<string, CommandHandler>>
  /** The value of the text `'calculated'`, if the parts support the text. */
  readonly calculated?: () => CalculatedSuffix
}

/** The order of the parts makes no difference. */
export function partsOf(named: readonly Part[]): Parts {
  const parts = [...named.filter((part) => part.yields), ...named.filter((part) => !part.yields)]
  const commands = Object.assign({}, ...parts.map((part) => part.commands))
  return Object.assign({}, ...parts, { commands })
}

/** @throws IsothermError `part.missing`; `command.unsupported` for a command that no part handles */
export function handlerOf({ commands }: Parts, operation: string, table: string): CommandHandler {
  const handler = commands[operation]
  if (handler !== undefined) return handler
  const part = PART_OF[operation]
  throw part === undefined ? refuseCommand(table, operation) : missingPart(part, operation, table)
}
